// SPDX-License-Identifier: GPL-3.0-or-later
#include "compare/memory_overlay.h"

#include <QHeaderView>
#include <QSplitter>
#include <QVBoxLayout>

#include <algorithm>

#include "compare/signed_text.h"
#include "theme/theme.h"
#include "widgets/plot/plot.h"
#include "widgets/text/quantity.h"
#include "workbench/text/bounded_text.h"

namespace lapidary::views {
namespace {

const Column<MemoryFigure> figure_columns[] = {
    {QT_TRANSLATE_NOOP("Columns", "What"),
     [](const MemoryFigure& f) -> QVariant { return f.name; }},
    {QT_TRANSLATE_NOOP("Columns", "A"), [](const MemoryFigure& f) -> QVariant { return f.a; },
     [](const MemoryFigure& f) { return formatBytes(std::uint64_t(f.a)); }},
    {QT_TRANSLATE_NOOP("Columns", "B"), [](const MemoryFigure& f) -> QVariant { return f.b; },
     [](const MemoryFigure& f) { return formatBytes(std::uint64_t(f.b)); }},
    {QT_TRANSLATE_NOOP("Columns", "Difference"),
     [](const MemoryFigure& f) -> QVariant { return f.b - f.a; },
     [](const MemoryFigure& f) { return signedBytes(f.b - f.a); }},
};

}  // namespace

MemoryOverlay::MemoryOverlay(QWidget* parent)
    : QWidget(parent), rows_(figure_columns), plot_(new Plot),
      table_(new TableView(tr("Memory of A and B"))), sentence_(new QLabel) {
    plot_->setObjectName(QStringLiteral("memoryOverlayPlot"));
    plot_->setAxisTitles(tr("Share of the steps (%)"), tr("Activations"));
    plot_->setAxisKinds(AxisKind::number, AxisKind::bytes);
    plot_->setAccessibleName(tr("Activations of A and B over the steps of a run"));
    table_->setObjectName(QStringLiteral("memoryOverlayTable"));
    table_->setModel(&rows_);
    table_->header()->setStretchLastSection(false);
    table_->setEmptyText(tr("No memory plan yet."));
    sentence_->setTextFormat(Qt::PlainText);
    sentence_->setWordWrap(true);
    sentence_->setMargin(spacing);
    auto* splitter = new QSplitter(Qt::Horizontal);
    splitter->addWidget(plot_);
    splitter->addWidget(table_);
    splitter->setStretchFactor(0, 1);
    splitter->setChildrenCollapsible(false);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(sentence_);
    layout->addWidget(splitter, 1);
}

void MemoryOverlay::setSides(const std::optional<MemorySide>& a,
                             const std::optional<MemorySide>& b) {
    plot_->clear();
    if (!a || !b) {
        rows_.setRows(nullptr);
        sentence_->setText(
            tr("Press Compare: both variants are profiled and their memory plans laid over each "
               "other."));
        return;
    }
    const auto draw = [&](const MemorySide& side, const QString& name) {
        QVector<double> x, y;
        for (std::size_t i = 0; i < side.bytes.size(); ++i) {
            x.append(100.0 * double(i) / double(side.bytes.size()));
            y.append(side.bytes[i]);
        }
        x.append(100);
        y.append(y.isEmpty() ? 0 : y.last());
        plot_->setSteps(x, y, name);
    };
    draw(*a, tr("A"));
    draw(*b, tr("B"));
    rows_.setRows(std::vector<MemoryFigure>{
        {tr("Most alive in the block"), a->peak_bytes, b->peak_bytes},
        {tr("Planned block"), double(a->block_bytes), double(b->block_bytes)},
        {tr("Weights as stored"), double(a->weight_bytes), double(b->weight_bytes)}});
    for (int column = 0; column < rows_.columnCount(); ++column)
        table_->resizeColumnToContents(column);
    // as wide as its columns if there is room; the page must fit a window of 1280 pixels with open
    // docks
    const int columns_width = table_->header()->length() + 2 * table_->frameWidth();
    table_->setMinimumWidth(std::min(columns_width, fontMetrics().averageCharWidth() * 36));
    sentence_->setText(
        tr("In the planned block at most %1 are alive in A (%2) and %3 in B (%4): %5.")
            .arg(formatBytes(std::uint64_t(a->peak_bytes)), labelText(a->peak_node),
                 formatBytes(std::uint64_t(b->peak_bytes)), labelText(b->peak_node),
                 signedBytes(b->peak_bytes - a->peak_bytes)));
}

}  // namespace lapidary::views
