// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/variants_panel.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QDrag>
#include <QFileInfo>
#include <QHeaderView>
#include <QMenu>
#include <QMimeData>
#include <QPainter>

#include <algorithm>

#include "models/rows_model.h"
#include "panels/dragged_variant.h"
#include "theme/theme.h"
#include "widgets/text/mnemonics.h"
#include "widgets/text/quantity.h"
#include "widgets/table/table_export.h"
#include "workbench/text/bounded_text.h"
#include "workbench/project/project.h"

namespace lapidary::views {

VariantsPanel::VariantsPanel(app::Workbench& workbench, QWidget* parent)
    : QTreeView(parent), workbench_(workbench), model_(new QStandardItemModel(this)),
      exports_(new app::ExportedFiles(workbench.jobs(), workbench.engine(), this)) {
    setObjectName(QStringLiteral("variantsPanel"));
    setAccessibleName(tr("Variants of the open model"));
    setModel(model_);
    setFrameShape(QFrame::NoFrame);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    installTableKeys(*this);
    setDragEnabled(true);
    setDragDropMode(QAbstractItemView::DragOnly);
    setAllColumnsShowFocus(true);
    setUniformRowHeights(true);
    setTextElideMode(Qt::ElideMiddle);
    connect(&workbench_, &app::Workbench::documentChanged, this, &VariantsPanel::refresh);
    connect(&workbench_.variants(), &app::VariantStore::listChanged, this, &VariantsPanel::refresh);
    connect(&workbench_.variants(), &app::VariantStore::slotsChanged, this,
            &VariantsPanel::refresh);
    connect(this, &QTreeView::activated, this, &VariantsPanel::show);
    refresh();
}

QList<QStandardItem*> VariantsPanel::lineOf(const app::VariantPtr& variant, const QString& name,
                                            std::int64_t nodes, std::uint64_t bytes) {
    const auto cell = [](const QString& text, const QString& tip, bool number) {
        auto* item = new QStandardItem(labelText(text));
        item->setToolTip(plainToolTip(tip));
        if (number) item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
        return item;
    };
    const QString marks = workbench_.variants().lettersOf(variant);
    const app::VariantPtr shown = workbench_.document() ? workbench_.document()->variant : nullptr;
    const bool current = variant && !variant->isOriginal() ? shown == variant : !shown;
    QString tip = !variant || variant->isOriginal()
                      ? tr("The model as it was opened")
                      : tr("%1\nRecipe: %2").arg(variant->name, app::toJson(variant->recipe));
    if (current) tip += u'\n' + tr("In force: all pages are of it.");
    // In front: the middle of a long name is cut.
    auto* title =
        cell(marks.isEmpty() ? name : QStringLiteral("%1 · %2").arg(marks, name), tip, false);
    title->setIcon(themedIcon(current                             ? QStringLiteral("check")
                              : variant && !variant->isOriginal() ? QStringLiteral("variants")
                                                                  : QStringLiteral("file")));
    if (current) title->setFont(scaledFont(1.0, true));
    QString said = name;
    if (current) said += tr(", in force");
    if (!marks.isEmpty()) said += QStringLiteral(", ") + marks;
    title->setAccessibleText(said);
    return {
        title, cell(formatCount(nodes), tr("Nodes, those of subgraphs counted"), true),
        cell(formatBytes(bytes),
             variant && !variant->isOriginal() ? tr("Bytes of all constants as this variant runs: "
                                                    "after its level, which may fold some")
                                               : tr("Bytes of all constants"),
             true)};
}

void VariantsPanel::refresh() {
    app::VariantPtr kept = variantAt(currentIndex());
    model_->clear();
    variants_.clear();
    const app::DocumentPtr opened = workbench_.opened();
    setHeaderHidden(!opened);
    if (!opened) return;
    model_->setHorizontalHeaderLabels({tr("Variant"), tr("Nodes"), tr("Size")});
    auto* model = new QStandardItem(themedIcon(QStringLiteral("model")), labelText(opened->title));
    model->setToolTip(plainToolTip(tipText(opened->model->path.string())));
    const auto& list = workbench_.variants().list();
    const auto nodes = [](const app::Variant& v) {
        return std::int64_t(v.isOriginal() ? std::size_t(v.summary.nodes) : v.report.nodes_after);
    };
    variants_.push_back(workbench_.variants().original());
    model->appendRow(lineOf(variants_.front(), tr("Original"), opened->summary.nodes,
                            opened->summary.weight_bytes));
    std::vector<app::VariantPtr> others;
    for (const app::VariantPtr& variant : list)
        if (!variant->isOriginal()) others.push_back(variant);
    std::ranges::stable_sort(others, {}, [](const app::VariantPtr& v) {
        return std::pair(!v->recipe.isPlainLevel(), v->recipe.level);
    });
    for (const app::VariantPtr& variant : others) {
        model->appendRow(
            lineOf(variant, variant->name, nodes(*variant), variant->summary.weight_bytes));
        variants_.push_back(variant);
    }
    model_->appendRow(model);
    expandAll();
    setFirstColumnSpanned(0, {}, true);
    header()->setStretchLastSection(false);
    header()->setSectionResizeMode(0, QHeaderView::Stretch);
    for (int column = 1; column < 3; ++column)
        header()->setSectionResizeMode(column, QHeaderView::ResizeToContents);
    // Room for the name of a variant beside its figures, at every scale.
    setIndentation(10);
    setMinimumWidth(fontMetrics().averageCharWidth() * 40);
    const app::VariantPtr shown = workbench_.document()->variant ? workbench_.document()->variant
                                                                 : workbench_.variants().original();
    // a variant that is put in force is also selected here
    if (std::exchange(inForce_, shown) != shown) kept = nullptr;
    const QModelIndex at = indexOf(kept ? kept : shown);
    setCurrentIndex(at.isValid() ? at : model_->index(0, 0, model_->index(0, 0)));
}

app::VariantPtr VariantsPanel::variantAt(const QModelIndex& at) const {
    if (!at.isValid() || !at.parent().isValid() || std::size_t(at.row()) >= variants_.size())
        return nullptr;
    return variants_[std::size_t(at.row())];
}

QModelIndex VariantsPanel::indexOf(const app::VariantPtr& variant) const {
    const auto at = std::ranges::find(variants_, variant);
    return !variant || at == variants_.end()
               ? QModelIndex()
               : model_->index(int(at - variants_.begin()), 0, model_->index(0, 0));
}

void VariantsPanel::show(const QModelIndex& index) {
    if (const app::VariantPtr variant = variantAt(index))
        workbench_.choose(variant->recipe, tr("put %1 in force").arg(variant->name));
}

void VariantsPanel::put(app::Slot slot, const QModelIndex& index) {
    workbench_.project().setSlot(slot, variantAt(index));
}

QString VariantsPanel::commandOf(const app::Variant& variant) const {
    const auto& path = workbench_.opened()->model->path;
    const QString model = path.empty() ? workbench_.opened()->title + QStringLiteral(".onnx")
                                       : exactText(path.string());
    return app::commandLine(
        variant.recipe, model,
        QFileInfo(model).completeBaseName() + QStringLiteral(".optimized.onnx"));
}

void VariantsPanel::keyPressEvent(QKeyEvent* event) {
    const bool plain = !(event->modifiers() & ~Qt::KeypadModifier);
    if (plain && event->key() == Qt::Key_A) return put(app::Slot::A, currentIndex());
    if (plain && event->key() == Qt::Key_B) return put(app::Slot::B, currentIndex());
    if (plain && event->key() == Qt::Key_Delete)
        return workbench_.project().removeVariant(variantAt(currentIndex()));
    QTreeView::keyPressEvent(event);
}

QMimeData* VariantsPanel::dragged(const QModelIndex& index) {
    const app::DocumentPtr opened = workbench_.opened();
    if (!opened || !index.isValid()) return nullptr;
    return new DraggedVariant(*opened, variantAt(index), *exports_);
}

/// Onto a slot of the Compare page, or out of the window, as a file.
void VariantsPanel::startDrag(Qt::DropActions) {
    QMimeData* data = dragged(currentIndex());
    if (!data) return;
    auto* drag = new QDrag(this);
    drag->setMimeData(data);
    drag->exec(Qt::CopyAction);
}

void VariantsPanel::contextMenuEvent(QContextMenuEvent* event) {
    const QModelIndex at =
        event->reason() == QContextMenuEvent::Mouse ? indexAt(event->pos()) : currentIndex();
    const app::VariantPtr variant = variantAt(at);
    if (!variant) return;
    QMenu menu(this);
    menu.addAction(themedIcon(QStringLiteral("check")), tr("Put in force\tEnter"), this,
                   [this, at] { show(at); });
    menu.addAction(tr("Compare as A\tA"), this,
                   [this, variant] { workbench_.project().setSlot(app::Slot::A, variant); });
    menu.addAction(tr("Compare as B\tB"), this,
                   [this, variant] { workbench_.project().setSlot(app::Slot::B, variant); });
    if (!variant->isOriginal()) {
        menu.addSeparator();
        menu.addAction(themedIcon(QStringLiteral("copy")), tr("Copy the recipe"), this, [variant] {
            QApplication::clipboard()->setText(app::toJson(variant->recipe));
        });
        menu.addAction(
            themedIcon(QStringLiteral("copy")), tr("Copy the command"), this,
            [this, variant] { QApplication::clipboard()->setText(commandOf(*variant)); });
        menu.addSeparator();
        menu.addAction(themedIcon(QStringLiteral("clear")), tr("Remove\tDel"), this,
                       [this, variant] { workbench_.project().removeVariant(variant); });
    }
    menu.addSeparator();
    addTableActions(menu, *this);
    giveMnemonics(menu);
    menu.exec(event->globalPos());
}

void VariantsPanel::paintEvent(QPaintEvent* event) {
    QTreeView::paintEvent(event);
    if (model_->rowCount() > 0) return;
    QPainter painter(viewport());
    painter.setPen(themeColors(palette()).mutedText);
    painter.drawText(viewport()->rect().adjusted(12, 12, -12, -12),
                     Qt::AlignTop | Qt::AlignHCenter | Qt::TextWordWrap, tr("No model is open."));
}

}  // namespace lapidary::views
