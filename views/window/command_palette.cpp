// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/command_palette.h"

#include <QCoreApplication>
#include <QKeyEvent>
#include <QMenu>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>

#include "theme/theme.h"
#include "window/fuzzy_match.h"

namespace lapidary::views {
namespace {

constexpr int action_role = Qt::UserRole;
constexpr int shortcut_role = Qt::UserRole + 1;

QString plainText(const QAction* action) {
    QString text = action->text();
    text.remove(QLatin1Char('&'));
    const QString group = action->property("commandGroup").toString();
    return group.isEmpty() ? text : group + QStringLiteral(": ") + text;
}

/// A line with the shortcut at its right end.
class CommandDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        QStyledItemDelegate::paint(painter, option, index);
        const QString shortcut = index.data(shortcut_role).toString();
        if (shortcut.isEmpty()) return;
        const bool selected = option.state.testFlag(QStyle::State_Selected);
        painter->setPen(selected ? option.palette.color(QPalette::HighlightedText)
                                 : themeColors(option.palette).mutedText);
        painter->drawText(option.rect.adjusted(0, 0, -spacing, 0), Qt::AlignRight | Qt::AlignVCenter, shortcut);
    }
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        QSize size = QStyledItemDelegate::sizeHint(option, index);
        size.setHeight(option.fontMetrics.height() + 2 * spacing - 2);
        return size;
    }
};

}  // namespace

CommandPalette::CommandPalette(QWidget* parent)
    : QDialog(parent), edit_(new QLineEdit), list_(new QListView), model_(new QStandardItemModel(this)) {
    setObjectName(QStringLiteral("commandPalette"));
    setWindowTitle(tr("Command palette"));
    setWindowFlag(Qt::FramelessWindowHint);
    setModal(true);
    edit_->setPlaceholderText(tr("Type a command"));
    edit_->setAccessibleName(tr("Command to look for"));
    edit_->setClearButtonEnabled(true);
    edit_->installEventFilter(this);
    list_->setModel(model_);
    list_->setAccessibleName(tr("Commands found"));
    list_->setEditTriggers(QAbstractItemView::NoEditTriggers);
    list_->setItemDelegate(new CommandDelegate(list_));
    list_->setUniformItemSizes(true);
    list_->setFrameShape(QFrame::NoFrame);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(spacing, spacing, spacing, spacing);
    layout->addWidget(edit_);
    layout->addWidget(list_);
    connect(edit_, &QLineEdit::textChanged, this, &CommandPalette::filter);
    connect(edit_, &QLineEdit::returnPressed, this, [this] { run(list_->currentIndex()); });
    connect(list_, &QListView::clicked, this, &CommandPalette::run);
}

void CommandPalette::setActions(const QList<QAction*>& actions) {
    actions_.clear();
    for (QAction* action : actions)
        if (!action->isSeparator() && !action->text().isEmpty() && !action->menu()) actions_.append(action);
    edit_->clear();
    filter({});
}

void CommandPalette::showEvent(QShowEvent* event) {
    const QSize window = parentWidget() ? parentWidget()->size() : QSize(900, 700);
    resize(qMin(560, window.width() - 40), qMin(420, window.height() - 80));
    if (parentWidget()) move(parentWidget()->mapToGlobal(QPoint((window.width() - width()) / 2, window.height() / 8)));
    edit_->setFocus();
    QDialog::showEvent(event);
}

void CommandPalette::filter(const QString& text) {
    struct Hit {
        qsizetype action;
        int score;
    };
    std::vector<Hit> hits;
    for (qsizetype i = 0; i < actions_.size(); ++i)
        if (actions_[i])
            if (const auto score = fuzzyScore(text, plainText(actions_[i]))) hits.push_back({i, *score});
    std::stable_sort(hits.begin(), hits.end(), [](const Hit& a, const Hit& b) { return a.score > b.score; });
    model_->clear();
    for (const Hit& hit : hits) {
        const QAction* action = actions_[hit.action];
        auto* item = new QStandardItem(action->icon(), plainText(action));
        item->setData(int(hit.action), action_role);
        item->setData(action->shortcut().toString(QKeySequence::NativeText), shortcut_role);
        item->setEnabled(action->isEnabled());
        item->setToolTip(action->toolTip());
        model_->appendRow(item);
    }
    for (int row = 0; row < model_->rowCount(); ++row)
        if (model_->item(row)->isEnabled()) {
            list_->setCurrentIndex(model_->index(row, 0));
            break;
        }
}

void CommandPalette::run(const QModelIndex& index) {
    if (!index.isValid() || !(index.flags() & Qt::ItemIsEnabled)) return;
    const QPointer<QAction> action = actions_.value(index.data(action_role).toInt());
    accept();
    // After this dialog is gone, so that a command may open its own.
    if (action) QTimer::singleShot(0, action, &QAction::trigger);
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event) {
    if (watched == edit_ && event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        switch (key->key()) {
        case Qt::Key_Up:
        case Qt::Key_Down:
        case Qt::Key_PageUp:
        case Qt::Key_PageDown: {
            QKeyEvent copy(QEvent::KeyPress, key->key(), key->modifiers());
            QCoreApplication::sendEvent(list_, &copy);
            return true;
        }
        default: break;
        }
    }
    return QDialog::eventFilter(watched, event);
}

}  // namespace lapidary::views
