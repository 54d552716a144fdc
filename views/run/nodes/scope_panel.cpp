// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/nodes/scope_panel.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QVBoxLayout>

#include "theme/theme.h"
#include "widgets/table/column_width.h"
#include "widgets/text/elided_label.h"
#include "widgets/text/quantity.h"
#include "workbench/text/bounded_text.h"

namespace lapidary::views {
namespace {

const Column<ScopeRow> scope_columns[] = {
    {QT_TRANSLATE_NOOP("Columns", "Scope"), [](const ScopeRow& r) -> QVariant { return r.scope; }},
    {QT_TRANSLATE_NOOP("Columns", "Nodes"), [](const ScopeRow& r) -> QVariant { return r.nodes; }},
    {QT_TRANSLATE_NOOP("Columns", "Time"),
     [](const ScopeRow& r) -> QVariant { return r.ms; },
     [](const ScopeRow& r) { return formatMilliseconds(r.ms); },
     {},
     [](const ScopeRow& r) { return r.share; }},
    {QT_TRANSLATE_NOOP("Columns", "Share"), [](const ScopeRow& r) -> QVariant { return r.share; },
     [](const ScopeRow& r) { return formatPercent(r.share); }},
};

}  // namespace

ScopePanel::ScopePanel(QWidget* parent)
    : QWidget(parent), icicle_(new IcicleView), rows_(scope_columns),
      table_(new TableView(tr("Time by scope"))), stack_(new QStackedWidget),
      where_(new ElidedLabel), out_(new QToolButton), asTable_(new QToolButton) {
    setObjectName(QStringLiteral("scopePanel"));
    where_->setForegroundRole(QPalette::PlaceholderText);
    out_->setIcon(themedIcon(QStringLiteral("zoom-out")));
    out_->setAutoRaise(true);
    out_->setToolTip(tr("Zoom out to the scope around (Backspace)"));
    out_->setAccessibleName(tr("Zoom out"));
    asTable_->setText(tr("As table"));
    asTable_->setCheckable(true);
    asTable_->setAutoRaise(true);
    asTable_->setToolTip(tr("Lists the scopes with their times"));
    table_->setObjectName(QStringLiteral("scopeTable"));
    table_->setModel(&rows_);
    table_->setSortingEnabled(true);
    table_->sortByColumn(2, Qt::DescendingOrder);
    table_->header()->resizeSection(0, 320);
    showWholeTitles(*table_);
    table_->setEmptyText(tr("No kernel ran in the selected range."));
    stack_->addWidget(icicle_);
    stack_->addWidget(table_);
    auto* row = new QHBoxLayout;
    row->setContentsMargins(spacing, 4, spacing, 4);
    row->addWidget(where_, 1);
    row->addWidget(out_);
    row->addWidget(asTable_);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(row);
    layout->addWidget(stack_, 1);

    connect(out_, &QToolButton::clicked, icicle_, &IcicleView::zoomOut);
    connect(asTable_, &QToolButton::toggled, this, [this](bool table) {
        stack_->setCurrentWidget(table ? static_cast<QWidget*>(table_) : icicle_);
    });
    connect(icicle_, &IcicleView::zoomChanged, this, &ScopePanel::showZoom);
    connect(table_, &QTreeView::activated, this, [this](const QModelIndex& index) {
        const int scope = rows_.row(index.row()).index;
        asTable_->setChecked(false);
        icicle_->zoomTo(scope);
        icicle_->setFocus();
    });
    showZoom();
}

void ScopePanel::setTree(IcicleView::Tree tree) {
    std::vector<ScopeRow> rows;
    if (tree)
        for (std::size_t i = 1; i < tree->nodes.size(); ++i)
            if (const ScopeNode& n = tree->nodes[i]; !n.isLeaf)
                rows.push_back({cellText(n.path), int(i), n.leaves, n.ms,
                                tree->nodes[0].ms > 0 ? n.ms / tree->nodes[0].ms : 0});
    rows_.setRows(std::move(rows));
    icicle_->setTree(std::move(tree));
}

void ScopePanel::showZoom() {
    const IcicleView::Tree& tree = icicle_->tree();
    const bool zoomed = tree && icicle_->zoomed() != 0;
    out_->setEnabled(zoomed);
    if (!tree) return where_->clear();
    if (zoomed) where_->setText(icicle_->sentenceOf(icicle_->zoomed()));
    else
        where_->setText(tree->byFamily ? tr("The names of the nodes show no scopes: grouped by "
                                            "family and operator. Double click: "
                                            "zoom or show in graph.")
                                       : tr("Grouped by the scopes of the nodes' names. Double "
                                            "click: zoom or show in graph."));
}

}  // namespace lapidary::views
