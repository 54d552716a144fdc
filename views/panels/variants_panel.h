// SPDX-License-Identifier: GPL-3.0-or-later
// The open model and its variants, with their sizes. Enter or a double click shows one in all
// views.
#pragma once

#include <QStandardItemModel>
#include <QTreeView>

#include "workbench/document/exported_files.h"
#include "workbench/workbench.h"

namespace lapidary::views {

class VariantsPanel : public QTreeView {
    Q_OBJECT
public:
    explicit VariantsPanel(app::Workbench& workbench, QWidget* parent = nullptr);
    /// The variant of a line; null: the line of the model itself, or no line.
    app::VariantPtr variantAt(const QModelIndex& index) const;
    QModelIndex indexOf(const app::VariantPtr& variant) const;
    /// The data for dragging the line; null: it cannot be dragged. The caller owns it.
    QMimeData* dragged(const QModelIndex& index);
    /// Exports files that receivers of drags request.
    app::ExportedFiles& exports() { return *exports_; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void startDrag(Qt::DropActions actions) override;

private:
    void refresh();
    QList<QStandardItem*> lineOf(const app::VariantPtr& variant, const QString& name,
                                 std::int64_t nodes, std::uint64_t bytes);
    void show(const QModelIndex& index);
    void put(app::Slot slot, const QModelIndex& index);
    QString commandOf(const app::Variant& variant) const;

    app::Workbench& workbench_;
    QStandardItemModel* model_;
    app::ExportedFiles* exports_;
    app::VariantPtr inForce_;  // the variant in force when the list was last made
    // by row below the model; null: the original, if it is not made yet
    std::vector<app::VariantPtr> variants_;
};

}  // namespace lapidary::views
