// SPDX-License-Identifier: GPL-3.0-or-later
#include "optimize/near_miss_panel.h"

#include <QCoreApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QVBoxLayout>

#include <algorithm>

#include "widgets/text/quantity.h"
#include "workbench/document/symbolic_dimensions.h"
#include "workbench/text/bounded_text.h"

namespace lapidary::views {
namespace {

const Column<NearMissGroup> miss_columns[] = {
    {QT_TRANSLATE_NOOP("Columns", "Why not"),
     [](const NearMissGroup& g) -> QVariant { return cellText(g.reason); }},
    {QT_TRANSLATE_NOOP("Columns", "Pass"),
     [](const NearMissGroup& g) -> QVariant { return cellText(g.pass); }},
    {QT_TRANSLATE_NOOP("Columns", "Places"),
     [](const NearMissGroup& g) -> QVariant { return int(g.misses.size()); }},
    {QT_TRANSLATE_NOOP("Columns", "Of the time"),
     [](const NearMissGroup& g) -> QVariant { return g.share.value_or(-1); },
     [](const NearMissGroup& g) {
         return g.share ? formatRoundPercent(*g.share) : QStringLiteral("–");
     },
     [](const NearMissGroup&) {
         return QCoreApplication::translate(
             "NearMissPanel",
             "The part of a run's time that the nodes matched so far take: measured "
             "where the variant ran, else estimated from arithmetic and bytes");
     }},
    {QT_TRANSLATE_NOOP("Columns", "Short of"),
     [](const NearMissGroup& g) -> QVariant { return g.shortfall; },
     [](const NearMissGroup& g) { return QString::number(g.shortfall); },
     [](const NearMissGroup& g) {
         return QCoreApplication::translate(
             "NearMissPanel", "%n condition(s) or operator(s) are missing", nullptr, g.shortfall);
     }},
};

}  // namespace

NearMissPanel::NearMissPanel(QWidget* parent)
    : QWidget(parent), model_(miss_columns), filter_(new QLineEdit),
      table_(new TableView(tr("Near misses"))), details_(new QLabel),
      next_(new QPushButton(tr("Next &place"))) {
    setObjectName(QStringLiteral("nearMissPanel"));
    filter_->setObjectName(QStringLiteral("missFilter"));
    filter_->setPlaceholderText(tr("Filter near misses"));
    filter_->setToolTip(filter_->placeholderText());  // which is cut where there is little room
    filter_->setAccessibleName(tr("Filter near misses"));
    filter_->setClearButtonEnabled(true);
    table_->setObjectName(QStringLiteral("missTable"));
    table_->setModel(&model_);
    table_->setSelectionMode(QAbstractItemView::SingleSelection);
    table_->setTextElideMode(Qt::ElideRight);
    table_->setSortingEnabled(true);
    // the report's order: nearest first
    table_->header()->setSortIndicator(-1, Qt::AscendingOrder);
    model_.sort(-1);
    table_->header()->setStretchLastSection(false);
    const int widths[] = {37, 22, 9, 13};  // in characters
    for (int column = 0; column < 4; ++column)
        table_->header()->resizeSection(column, widths[column] * fontMetrics().averageCharWidth());
    details_->setObjectName(QStringLiteral("missDetails"));
    details_->setTextFormat(Qt::PlainText);
    details_->setWordWrap(true);
    details_->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    details_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    details_->setContentsMargins(10, 6, 10, 6);
    details_->setMinimumHeight(fontMetrics().lineSpacing() * 6);
    details_->setAccessibleName(tr("Why the chosen place was left alone"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto* top = new QVBoxLayout;
    top->setContentsMargins(6, 6, 6, 4);
    top->addWidget(filter_);
    column->addLayout(top);
    column->addWidget(table_, 1);
    column->addWidget(details_);
    next_->setObjectName(QStringLiteral("nextMissPlace"));
    next_->setToolTip(tr("Mark the next of the places that this line stands for"));
    auto* bottom = new QHBoxLayout;
    bottom->setContentsMargins(10, 0, 10, 6);
    bottom->addWidget(next_);
    addFix(InspectorRequest::Kind::newerOpset, "missNewerOpset", tr("Newer &opset …"));
    addFix(InspectorRequest::Kind::fixDimensions, "missFixDimensions", tr("Fix &dimensions …"));
    addFix(InspectorRequest::Kind::pruneOutputs, "missFewerOutputs", tr("Fewer ou&tputs …"));
    for (const Fix& fix : fixes_) bottom->addWidget(fix.button);
    bottom->addStretch();
    column->addLayout(bottom);
    connect(next_, &QPushButton::clicked, this, [this] { choose(place_ + 1); });
    connect(filter_, &QLineEdit::textChanged, this,
            [this](const QString& words) { model_.setFilter(words); });
    connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this] { choose(0); });
    connect(table_, &QTreeView::clicked, this, [this] { choose(place_); });
    setVariant(nullptr, {});
}

void NearMissPanel::addFix(InspectorRequest::Kind kind, const char* name, const QString& text) {
    auto* button = new QPushButton(text);
    button->setObjectName(QLatin1String(name));
    button->setToolTip(tr(
        "Opens Model ▸ Convert: the change may satisfy the condition, so that the pass applies"));
    connect(button, &QPushButton::clicked, this,
            [this, kind] { emit conversionRequested(InspectorRequest{kind}); });
    fixes_.push_back({kind, button});
}

/// Shows the buttons of the conversions that may satisfy the condition; null: none.
void NearMissPanel::showFixes(const NearMiss* miss) {
    std::vector<InspectorRequest::Kind> fixes;
    if (miss)
        fixes =
            fixesOf(*miss, *variant_->model, !app::symbolicDimensions(variant_->summary).empty());
    for (const Fix& fix : fixes_)
        fix.button->setVisible(std::ranges::find(fixes, fix.kind) != fixes.end());
}

void NearMissPanel::setVariant(const app::VariantPtr& variant, const TimeShares& shares) {
    variant_ = variant;
    isMeasured_ = shares.is_measured;
    place_ = 0;
    if (variant) model_.setRows(group_near_misses(variant->report, shares));
    else model_.setRows(nullptr);
    table_->setHorizontalScrollBarPolicy(model_.rowCount() > 0 ? Qt::ScrollBarAsNeeded
                                                               : Qt::ScrollBarAlwaysOff);
    table_->setEmptyText(
        !variant ? tr("Nothing is optimized yet.")
        : variant->isOriginal()
            ? tr("No pass ran on the original. Choose a level above.")
            : tr("No pattern came near: every place that resembles one was rewritten."));
    refreshDetails();
}

const NearMiss* NearMissPanel::chosen() const {
    const QModelIndex at = table_->currentIndex();
    if (!variant_ || !at.isValid() || at.row() >= model_.rowCount()) return nullptr;
    const std::vector<std::size_t>& places = model_.row(at.row()).misses;
    return &variant_->report.near_misses[places[place_ % places.size()]];
}

/// Shows a place of the selected group.
void NearMissPanel::choose(std::size_t place) {
    const QModelIndex at = table_->currentIndex();
    place_ = at.isValid() && at.row() < model_.rowCount()
                 ? place % model_.row(at.row()).misses.size()
                 : 0;
    refreshDetails();
    emit missChosen(chosen());
}

/// What rewriting all places of the chosen line could save; empty: their time is not known.
QString NearMissPanel::savingText() const {
    const std::optional<double> share = model_.row(table_->currentIndex().row()).share;
    if (!share) return {};
    const QString part = formatRoundPercent(*share);
    return isMeasured_
               ? tr("Rewritten, this would save at most %1 of a run (measured).").arg(part)
               : tr("Rewritten, this would save at most %1 of a run (estimated).").arg(part);
}

void NearMissPanel::refreshDetails() {
    const NearMiss* miss = chosen();
    const std::size_t places = miss ? model_.row(table_->currentIndex().row()).misses.size() : 0;
    next_->setVisible(places > 1);
    showFixes(miss);
    details_->setForegroundRole(miss ? QPalette::WindowText : QPalette::PlaceholderText);
    if (!miss) {
        details_->setText(
            tr("Choose a line to mark the nodes that matched so far; the root of the pattern has a "
               "question mark."));
        return;
    }
    QString where = labelText(miss->node_text);
    if (!miss->place.is_main())
        where = QStringLiteral("%1 · %2").arg(where, labelText(miss->place.text()));
    QString text =
        tr("%1 left %2 alone: %3.\n%n node(s) matched so far.", nullptr, int(miss->nodes.size()))
            .arg(labelText(miss->pass), where, labelText(miss->reason));
    if (places > 1) text += u' ' + tr("Place %1 of %2.").arg(place_ + 1).arg(places);
    if (const QString saving = savingText(); !saving.isEmpty()) text += u'\n' + saving;
    details_->setText(sentenceText(text));
}

}  // namespace lapidary::views
