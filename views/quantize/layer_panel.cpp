// SPDX-License-Identifier: GPL-3.0-or-later
#include "quantize/layer_panel.h"

#include <QSplitter>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

#include "theme/theme.h"
#include "widgets/plot/plot_scatter.h"
#include "widgets/text/quantity.h"
#include "workbench/text/bounded_text.h"

namespace lapidary::views {
namespace {

constexpr double most_shown = 80, least_shown = -10;  // dB; limits of the plot

double shownDecibels(double db) {
    return std::isnan(db) ? least_shown : std::clamp(db, least_shown, most_shown);
}

const Column<LayerRow> layerColumns[] = {
    {"#", [](const LayerRow& r) -> QVariant { return qulonglong(r.place + 1); }},
    {QT_TRANSLATE_NOOP("Columns", "SQNR"),
     [](const LayerRow& r) -> QVariant { return r.layer.sqnr_db; },
     [](const LayerRow& r) { return formatDecibels(r.layer.sqnr_db); },
     {},
     [](const LayerRow& r) { return r.heat; }},
    {QT_TRANSLATE_NOOP("Columns", "Node"),
     [](const LayerRow& r) -> QVariant { return cellText(r.layer.node); }},
    {QT_TRANSLATE_NOOP("Columns", "Value"),
     [](const LayerRow& r) -> QVariant { return cellText(r.layer.value); }},
};
// The figure stands in front of names, which may be long: no window is too narrow for it.
enum LayerColumns { place_column, sqnr_column, node_column, value_column };

}  // namespace

LayerPanel::LayerPanel(QWidget* parent)
    : QWidget(parent), rows_(layerColumns), plot_(new ScatterPlot(tr("SQNR from input to output"))),
      table_(new TableView(tr("SQNR of each node"))), text_(new QLabel) {
    plot_->setObjectName(QStringLiteral("layerPlot"));
    plot_->setEmptyText(tr("After quantizing, every node is a point here, from input to output."));
    plot_->setAxisTitles(tr("Node, from input to output"), tr("SQNR, dB"));
    plot_->setAxisKinds(AxisKind::count, AxisKind::number);
    table_->setObjectName(QStringLiteral("layerTable"));
    table_->setModel(&rows_);
    table_->setSortingEnabled(true);
    table_->sortByColumn(-1, Qt::AscendingOrder);
    table_->setEmptyText(
        tr("After quantizing, every node stands here with how far its result is off."));
    text_->setObjectName(QStringLiteral("layerText"));
    text_->setForegroundRole(QPalette::PlaceholderText);
    text_->setWordWrap(true);
    text_->setContentsMargins(12, 4, 8, 4);
    auto* splitter = new QSplitter(Qt::Horizontal);
    splitter->addWidget(plot_);
    splitter->addWidget(table_);
    splitter->setChildrenCollapsible(false);
    splitter->setStretchFactor(0, 1);
    splitter->setStretchFactor(1, 1);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(text_);
    column->addWidget(splitter, 1);
    connect(plot_, &ScatterPlot::pointPicked, this,
            [this](int point) { select(std::size_t(point)); });
    connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& index) {
                plot_->setCurrent(index.isValid() ? int(rows_.row(index.row()).place) : -1);
            });
    connect(table_, &QAbstractItemView::doubleClicked, this, [this](const QModelIndex& index) {
        emit nodeActivated(exactText(rows_.row(index.row()).layer.name));
    });
    setRecord(nullptr);
}

void LayerPanel::select(std::size_t place) {
    for (int row = 0; row < rows_.rowCount(); ++row)
        if (rows_.row(row).place == place) table_->setCurrentIndex(rows_.index(row, 0));
}

void LayerPanel::setRecord(const app::QuantizeRecord* record) {
    const std::vector<LayerAccuracy> layers =
        record ? record->layers : std::vector<LayerAccuracy>();
    if (layers == shown_ && !(layers.empty() && text_->text().isEmpty())) return;
    shown_ = layers;
    double worst = most_shown;
    std::size_t worstAt = 0;
    std::vector<LayerRow> rows;
    std::vector<ScatterPlot::Point> points;
    for (std::size_t i = 0; i < layers.size(); ++i) {
        const double db = shownDecibels(layers[i].sqnr_db);
        if (db < worst) {
            worst = db;
            worstAt = i;
        }
        rows.push_back({i, layers[i], (most_shown - db) / (most_shown - least_shown)});
        const QString node = labelText(layers[i].node, 80);
        points.push_back({double(i + 1), db,
                          QStringLiteral("%1: %2").arg(node, formatDecibels(layers[i].sqnr_db)),
                          true, false});
    }
    text_->setText(
        layers.empty()
            ? tr("Nothing was quantized yet.")
            : tr("Lowest: %1 with %2. A fall from one node to the next is where it is lost; "
                 "double-click a row to see the node in the graph.")
                  .arg(labelText(layers[worstAt].node, 60),
                       formatDecibels(layers[worstAt].sqnr_db)));
    const bool first = rows_.rowCount() == 0;
    rows_.setRows(std::move(rows));
    plot_->setPoints(std::move(points));
    if (first && rows_.rowCount() > 0) {
        for (const int column : {place_column, sqnr_column}) table_->resizeColumnToContents(column);
        table_->setColumnWidth(node_column, fontMetrics().averageCharWidth() * 34);
        table_->setColumnWidth(value_column, fontMetrics().averageCharWidth() * 24);
    }
}

}  // namespace lapidary::views
