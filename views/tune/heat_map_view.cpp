// SPDX-License-Identifier: GPL-3.0-or-later
#include "tune/heat_map_view.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMenu>
#include <QPainter>
#include <QStyledItemDelegate>

#include <algorithm>
#include <cmath>

#include "theme/theme.h"
#include "widgets/table/table_export.h"

namespace lapidary::views {
namespace {

QColor mixed(const QColor& from, const QColor& to, double share) {
    const auto part = [share](int a, int b) { return int(std::lround(a + (b - a) * share)); };
    return {part(from.red(), to.red()), part(from.green(), to.green()),
            part(from.blue(), to.blue())};
}

double luminance(const QColor& color) {
    const auto linear = [](double c) {
        return c <= 0.03928 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) +
           0.0722 * linear(color.blueF());
}

/// Of two, the one that is easier to read on `ground`.
QColor readable(const QColor& ground, const QColor& first, const QColor& second) {
    const auto contrast = [&](const QColor& ink) {
        const double a = luminance(ground), b = luminance(ink);
        return (std::max(a, b) + 0.05) / (std::min(a, b) + 0.05);
    };
    return contrast(first) >= contrast(second) ? first : second;
}

/// The appearance of a cell.
struct CellLook {
    QVariant goodness;  // 0 to 1, where it was measured
    CellState state;
    bool best;
    QRectF frame;
    QColor text, ground, ink;

    CellLook(const QStyleOptionViewItem& option, const QModelIndex& index)
        : goodness(index.data(GoodnessRole)), state(CellState(index.data(StateRole).toInt())),
          best(index.data(BestRole).toBool()),
          frame(QRectF(option.rect).adjusted(1.5, 1.5, -2.5, -2.5)),
          text(option.palette.color(QPalette::Text)) {
        const ThemeColors& colors = themeColors(option.palette);
        if (goodness.isValid()) {
            ground = mixed(colors.card, colors.accent, 0.10 + 0.62 * goodness.toDouble());
            ink = readable(ground, text,
                           isDark(option.palette) ? QColor(0x10131c) : QColor(Qt::white));
        } else if (state == CellState::failed) {
            ground = colors.errorFill;
            ink = colors.error;
        } else if (state == CellState::running) {
            ground = colors.infoFill;
            ink = text;
        } else {
            ground = colors.canvas;
            ink = colors.mutedText;
        }
    }
    bool waits() const {
        return !goodness.isValid() && (state == CellState::waiting || state == CellState::skipped);
    }
};

class CellDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
        const ThemeColors& colors = themeColors(option.palette);
        const CellLook look(option, index);
        QFont big = option.font, small = option.font;
        big.setBold(look.goodness.isValid());
        small.setPointSizeF(option.font.pointSizeF() * 0.82);
        painter->save();
        painter->setClipRect(option.rect);
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setPen(look.waits() ? QPen(colors.border, 1, Qt::DashLine)
                                     : QPen(colors.border, 1));
        painter->setBrush(look.ground);
        painter->drawRoundedRect(look.frame, 5, 5);
        if (index.data(EqualRole).toBool()) paintHatch(*painter, look);
        paintRims(*painter, look, colors, option.state);
        paintLines(*painter, look, index, big, small);
        paintCorners(*painter, look, colors, index, small);
        painter->restore();
    }

private:
    static void paintHatch(QPainter& painter, const CellLook& look) {
        QColor hatch = look.ink;
        hatch.setAlpha(70);
        painter.setPen(Qt::NoPen);
        painter.setBrush(QBrush(hatch, Qt::BDiagPattern));
        painter.drawRoundedRect(look.frame, 5, 5);
    }

    /// Paints a frame around the recommended cell, and inside it one around a selected or focused
    /// cell.
    static void paintRims(QPainter& painter, const CellLook& look, const ThemeColors& colors,
                          QStyle::State state) {
        painter.setBrush(Qt::NoBrush);
        if (look.best) {
            painter.setPen(QPen(colors.good, 3));
            painter.drawRoundedRect(look.frame.adjusted(1.5, 1.5, -1.5, -1.5), 4, 4);
        }
        const bool focused = state.testFlag(QStyle::State_HasFocus);
        if (!focused && !state.testFlag(QStyle::State_Selected)) return;
        const double in = look.best ? 4 : 1;
        painter.setPen(QPen(look.text, focused ? 2 : 1));
        painter.drawRoundedRect(look.frame.adjusted(in, in, -in, -in), 3, 3);
    }

    /// The figure, and the line below it where there is room.
    static void paintLines(QPainter& painter, const CellLook& look, const QModelIndex& index,
                           const QFont& big, const QFont& small) {
        const QString main = index.data().toString(),
                      second = index.data(SecondLineRole).toString();
        const QFontMetricsF bigMetrics(big), smallMetrics(small);
        const QRectF inner = look.frame.adjusted(4, 2, -4, -2);
        const bool both = !second.isEmpty() &&
                          inner.height() >= bigMetrics.height() + smallMetrics.height() &&
                          inner.width() >= smallMetrics.horizontalAdvance(second);
        const double height = bigMetrics.height() + (both ? smallMetrics.height() : 0);
        const double top = inner.center().y() - height / 2;
        painter.setPen(look.ink);
        painter.setFont(big);
        painter.drawText(QRectF(inner.left(), top, inner.width(), bigMetrics.height()),
                         Qt::AlignCenter,
                         bigMetrics.elidedText(main, Qt::ElideRight, inner.width()));
        if (!both) return;
        painter.setFont(small);
        painter.drawText(
            QRectF(inner.left(), top + bigMetrics.height(), inner.width(), smallMetrics.height()),
            Qt::AlignCenter, second);
    }

    /// Paints marks in the corners: recommended and verified on the left, doubtful or queued on the
    /// right.
    static void paintCorners(QPainter& painter, const CellLook& look, const ThemeColors& colors,
                             const QModelIndex& index, const QFont& small) {
        const QRectF inner = look.frame.adjusted(4, 2, -4, -2);
        painter.setFont(small);
        painter.setPen(look.ink);
        QString left;
        if (look.best) left = QStringLiteral("★");
        if (index.data(UndecidedRole).toBool()) left = QStringLiteral("?");
        if (index.data(VerifiedRole).toBool()) left += QStringLiteral("✓");
        painter.drawText(inner, Qt::AlignLeft | Qt::AlignTop, left);
        if (const int place = index.data(QueuePlaceRole).toInt(); place > 0) {
            const QFontMetricsF metrics(small);
            const QString number = QString::number(place);
            const double side = metrics.height(),
                         width = std::max(side, metrics.horizontalAdvance(number) + 6);
            const QRectF badge(inner.right() - width, inner.top(), width, side);
            painter.setPen(Qt::NoPen);
            painter.setBrush(colors.accent);
            painter.drawRoundedRect(badge, side / 2, side / 2);
            painter.setPen(colors.onAccent);
            painter.drawText(badge, Qt::AlignCenter, number);
        } else if (look.goodness.isValid() && index.data(DoubtRole).toBool()) {
            painter.drawText(inner, Qt::AlignRight | Qt::AlignTop, QStringLiteral("⚠"));
        }
    }
};

}  // namespace

HeatMapView::HeatMapView(app::Tuning& tuning, HeatMapModel& model, QWidget* parent)
    : QTableView(parent), tuning_(tuning), model_(model) {
    setObjectName(QStringLiteral("heatMap"));
    setAccessibleName(tr("Heat map of settings"));
    setAccessibleDescription(
        tr("Arrow keys move, the space bar puts a setting on the queue, Enter measures it"));
    exportTable_ = new QAction(themedIcon(QStringLiteral("export")), tr("&Export as CSV …"), this);
    exportTable_->setShortcut(QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_E));
    exportTable_->setShortcutContext(Qt::WidgetShortcut);
    connect(exportTable_, &QAction::triggered, this, [this] { saveTable(*this); });
    addAction(exportTable_);
    setOffersTable(*this);
    setModel(&model_);
    setItemDelegate(new CellDelegate(this));
    setFrameShape(QFrame::NoFrame);
    setShowGrid(false);
    viewport()->setBackgroundRole(QPalette::Window);
    setCornerButtonEnabled(false);
    setSelectionMode(QAbstractItemView::ExtendedSelection);
    setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    for (QHeaderView* header : {horizontalHeader(), verticalHeader()}) {
        header->setHighlightSections(false);
        header->setSectionResizeMode(QHeaderView::Fixed);
    }
    connect(&model_, &QAbstractItemModel::modelReset, this, &HeatMapView::layOut);
    connect(selectionModel(), &QItemSelectionModel::currentChanged, this,
            [this](const QModelIndex& now) { emit cellPicked(model_.cellAt(now)); });
    layOut();
}

/// Cells as large as fit, between readable and not too wide.
void HeatMapView::layOut() {
    const int columns = model_.columnCount(), rows = model_.rowCount();
    if (columns == 0 || rows == 0) return;
    const QFontMetrics metrics(font());
    const int least = metrics.averageCharWidth() * 17, most = metrics.averageCharWidth() * 30;
    horizontalHeader()->setDefaultSectionSize(
        std::clamp((viewport()->width() - 2) / columns, least, most));
    verticalHeader()->setDefaultSectionSize(std::clamp(
        (viewport()->height() - 2) / rows, metrics.height() * 5 / 2, metrics.height() * 5));
}

QSize HeatMapView::sizeHint() const {
    return {fontMetrics().averageCharWidth() * 60, fontMetrics().height() * 14};
}

void HeatMapView::resizeEvent(QResizeEvent* event) {
    QTableView::resizeEvent(event);
    layOut();
}

void HeatMapView::changeEvent(QEvent* event) {
    QTableView::changeEvent(event);
    if (event->type() == QEvent::FontChange) layOut();
}

std::vector<std::size_t> HeatMapView::selectedCells() const {
    std::vector<std::size_t> cells;
    QModelIndexList indexes = selectionModel()->selectedIndexes();
    if (indexes.isEmpty() && currentIndex().isValid()) indexes << currentIndex();
    for (const QModelIndex& index : indexes)
        for (const std::size_t cell : model_.cellsAt(index)) cells.push_back(cell);
    std::ranges::sort(cells);
    return cells;
}

/// Adds the cells to the queue if one of them is not in it, else removes them.
void HeatMapView::toggle(const std::vector<std::size_t>& cells) {
    if (cells.empty()) return;
    if (std::ranges::all_of(cells, [this](std::size_t cell) { return tuning_.isQueued(cell); }))
        tuning_.dequeue(cells);
    else tuning_.enqueue(cells);
}

void HeatMapView::keyPressEvent(QKeyEvent* event) {
    if (event->matches(QKeySequence::Copy)) {
        QApplication::clipboard()->setText(selectedText());
    } else if (event->key() == Qt::Key_Space) {
        toggle(selectedCells());
    } else if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) {
        tuning_.enqueue(selectedCells());
        tuning_.start();
    } else if (event->key() == Qt::Key_Delete) {
        tuning_.dequeue(selectedCells());
    } else {
        QTableView::keyPressEvent(event);
    }
}

void HeatMapView::mouseReleaseEvent(QMouseEvent* event) {
    QTableView::mouseReleaseEvent(event);
    const QModelIndex index = indexAt(event->position().toPoint());
    if (event->button() != Qt::LeftButton || event->modifiers() || !index.isValid() ||
        selectionModel()->selectedIndexes().size() != 1)
        return;
    if (CellState(index.data(StateRole).toInt()) == CellState::waiting ||
        index.data(QueuePlaceRole).toInt() > 0)
        toggle(model_.cellsAt(index));
}

void HeatMapView::contextMenuEvent(QContextMenuEvent* event) {
    const QModelIndex index =
        event->reason() == QContextMenuEvent::Keyboard ? currentIndex() : indexAt(event->pos());
    if (!index.isValid()) return;
    if (!selectionModel()->isSelected(index)) setCurrentIndex(index);
    const std::vector<std::size_t> cells = selectedCells();
    const std::ptrdiff_t shown = model_.cellAt(index);
    const bool queued =
        std::ranges::any_of(cells, [this](std::size_t cell) { return tuning_.isQueued(cell); });
    QMenu menu(this);
    connect(menu.addAction(themedIcon(QStringLiteral("run")), tr("&Measure now")),
            &QAction::triggered, this, [&] {
                tuning_.enqueue(cells);
                tuning_.start();
            });
    connect(menu.addAction(tr("Put on the &queue")), &QAction::triggered, this,
            [&] { tuning_.enqueue(cells); });
    QAction* off = menu.addAction(tr("Take &off the queue"));
    off->setEnabled(queued);
    connect(off, &QAction::triggered, this, [&] { tuning_.dequeue(cells); });
    menu.addSeparator();
    connect(menu.addAction(themedIcon(QStringLiteral("check")), tr("&Apply this setting")),
            &QAction::triggered, this, [&] {
                if (shown >= 0) emit applyRequested(std::size_t(shown));
            });
    connect(menu.addAction(themedIcon(QStringLiteral("copy")), tr("&Copy")), &QAction::triggered,
            this, [this] { QApplication::clipboard()->setText(selectedText()); });
    menu.addAction(exportTable_);
    menu.exec(event->reason() == QContextMenuEvent::Keyboard
                  ? viewport()->mapToGlobal(visualRect(index).center())
                  : event->globalPos());
}

QString HeatMapView::selectedText() const {
    const QModelIndexList selected = selectionModel()->selectedIndexes();
    const bool all = selected.size() < 2;
    QStringList lines;
    for (int row = -1; row < model_.rowCount(); ++row) {
        QStringList parts{row < 0 ? nameOf(model_.figure())
                                  : model_.headerData(row, Qt::Vertical).toString()};
        bool any = row < 0 || all;
        for (int column = 0; column < model_.columnCount(); ++column) {
            const bool columnWanted =
                all || std::ranges::any_of(selected, [column](const QModelIndex& i) {
                    return i.column() == column;
                });
            if (!columnWanted) continue;
            if (row < 0) {
                parts << model_.headerData(column, Qt::Horizontal).toString();
                continue;
            }
            const QModelIndex index = model_.index(row, column);
            const bool wanted = all || selected.contains(index);
            any = any || wanted;
            parts << (wanted ? index.data().toString() : QString());
        }
        if (any) lines << parts.join(u'\t');
    }
    return lines.join(u'\n') + u'\n';
}

QImage HeatMapView::picture(qreal scale) {
    const QSize content(verticalHeader()->width() + horizontalHeader()->length() + 2,
                        horizontalHeader()->height() + verticalHeader()->length() + 2);
    QImage image(content * scale, QImage::Format_ARGB32_Premultiplied);
    image.setDevicePixelRatio(scale);
    image.fill(palette().color(QPalette::Base));
    HeatMapView whole(tuning_, model_);  // not this one: it would flicker
    whole.setPalette(palette());
    whole.setFont(font());
    whole.resize(content);
    whole.horizontalHeader()->setDefaultSectionSize(horizontalHeader()->defaultSectionSize());
    whole.verticalHeader()->setDefaultSectionSize(verticalHeader()->defaultSectionSize());
    whole.setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    whole.setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    whole.render(&image);
    return image;
}

}  // namespace lapidary::views
