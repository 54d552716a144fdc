// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/variants_panel.h"

#include <QHeaderView>
#include <QPainter>

#include "theme.h"
#include "widgets/quantity.h"

namespace lapidary::views {

VariantsPanel::VariantsPanel(app::Workbench& workbench, QWidget* parent)
    : QTreeView(parent), workbench_(workbench), model_(new QStandardItemModel(this)) {
    setObjectName(QStringLiteral("variantsPanel"));
    setAccessibleName(tr("Variants of the open model"));
    setModel(model_);
    setFrameShape(QFrame::NoFrame);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setAllColumnsShowFocus(true);
    setUniformRowHeights(true);
    connect(&workbench_, &app::Workbench::documentChanged, this, &VariantsPanel::refresh);
    refresh();
}

void VariantsPanel::refresh() {
    model_->clear();
    setHeaderHidden(!workbench_.document());
    if (!workbench_.document()) return;
    model_->setHorizontalHeaderLabels({tr("Variant"), tr("Nodes"), tr("Size")});
    const app::Document& document = *workbench_.document();
    const auto cell = [](const QString& text, const QString& tip, bool number = true) {
        auto* item = new QStandardItem(text);
        item->setToolTip(tip.toHtmlEscaped());
        if (number) item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
        return item;
    };
    auto* model = cell(document.title, QString::fromStdString(document.model->path.string()), false);
    model->setIcon(themedIcon(QStringLiteral("model")));
    auto* original = cell(tr("Original"), tr("The model as it was opened"), false);
    original->setIcon(themedIcon(QStringLiteral("file")));
    model->appendRow({original, cell(formatCount(document.summary.nodes), tr("Nodes, those of subgraphs counted")),
                      cell(formatBytes(document.summary.weight_bytes), tr("Bytes of all constants"))});
    model_->appendRow(model);
    expandAll();
    setFirstColumnSpanned(0, {}, true);
    header()->setStretchLastSection(false);
    header()->setSectionResizeMode(0, QHeaderView::Stretch);
    for (int column = 1; column < 3; ++column) header()->setSectionResizeMode(column, QHeaderView::ResizeToContents);
    // Room for the name of a variant beside its figures, at every scale.
    setIndentation(10);
    setMinimumWidth(fontMetrics().averageCharWidth() * 32);
    setCurrentIndex(original->index());
}

void VariantsPanel::paintEvent(QPaintEvent* event) {
    QTreeView::paintEvent(event);
    if (model_->rowCount() > 0) return;
    QPainter painter(viewport());
    painter.setPen(themeColors(palette()).mutedText);
    painter.drawText(viewport()->rect().adjusted(12, 12, -12, -12), Qt::AlignTop | Qt::AlignHCenter | Qt::TextWordWrap,
                     tr("No model is open."));
}

}  // namespace lapidary::views
