// SPDX-License-Identifier: GPL-3.0-or-later
#include "optimize/near_miss_panel.h"

#include <QHeaderView>
#include <QVBoxLayout>

#include "workbench/bounded_text.h"

namespace lapidary::views {
namespace {

const Column<NearMiss> miss_columns[] = {
    {QT_TRANSLATE_NOOP("Columns", "Why not"), [](const NearMiss& m) -> QVariant { return cellText(m.reason); }},
    {QT_TRANSLATE_NOOP("Columns", "Pass"), [](const NearMiss& m) -> QVariant { return cellText(m.pass); }},
    {QT_TRANSLATE_NOOP("Columns", "Node"), [](const NearMiss& m) -> QVariant { return cellText(m.node_text); },
     [](const NearMiss& m) {
         return m.place.is_main() ? cellText(m.node_text)
                                  : QStringLiteral("%1 · %2").arg(cellText(m.node_text), cellText(m.place.text()));
     }},
    {QT_TRANSLATE_NOOP("Columns", "Short of"), [](const NearMiss& m) -> QVariant { return m.shortfall; },
     [](const NearMiss& m) { return QString::number(m.shortfall); },
     [](const NearMiss& m) {
         return QCoreApplication::translate("NearMissPanel", "%n condition(s) or operator(s) are missing", nullptr,
                                            m.shortfall);
     }},
};

}  // namespace

NearMissPanel::NearMissPanel(QWidget* parent)
    : QWidget(parent), model_(miss_columns), filter_(new QLineEdit), table_(new TableView(tr("Near misses"))),
      details_(new QLabel) {
    setObjectName(QStringLiteral("nearMissPanel"));
    filter_->setObjectName(QStringLiteral("missFilter"));
    filter_->setPlaceholderText(tr("Filter near misses"));
    filter_->setAccessibleName(tr("Filter near misses"));
    filter_->setClearButtonEnabled(true);
    table_->setObjectName(QStringLiteral("missTable"));
    table_->setModel(&model_);
    table_->setSelectionMode(QAbstractItemView::SingleSelection);
    table_->setTextElideMode(Qt::ElideRight);
    table_->setSortingEnabled(true);
    table_->header()->setSortIndicator(-1, Qt::AscendingOrder);  // the report's order: nearest first
    model_.sort(-1);
    table_->header()->setStretchLastSection(false);
    table_->header()->resizeSection(0, 260);
    table_->header()->resizeSection(1, 150);
    table_->header()->resizeSection(2, 150);
    details_->setObjectName(QStringLiteral("missDetails"));
    details_->setTextFormat(Qt::PlainText);
    details_->setWordWrap(true);
    details_->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    details_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    details_->setContentsMargins(10, 6, 10, 6);
    details_->setMinimumHeight(fontMetrics().lineSpacing() * 5);
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
    connect(filter_, &QLineEdit::textChanged, this, [this](const QString& words) { model_.setFilter(words); });
    connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& at) {
        refreshDetails();
        emit missChosen(at.isValid() ? &model_.row(at.row()) : nullptr);
    });
    connect(table_, &QTreeView::clicked, this,
            [this](const QModelIndex& at) { emit missChosen(&model_.row(at.row())); });
    setVariant(nullptr);
}

void NearMissPanel::setVariant(const app::VariantPtr& variant) {
    variant_ = variant;
    if (variant) model_.setRows({variant, &variant->report.near_misses});
    else model_.setRows(nullptr);
    table_->setEmptyText(!variant ? tr("Nothing is optimized yet.")
                         : variant->isOriginal()
                             ? tr("No pass ran on the original. Choose a level above.")
                             : tr("No pattern came near: every place that resembles one was rewritten."));
    refreshDetails();
}

void NearMissPanel::refreshDetails() {
    const QModelIndex at = table_->currentIndex();
    details_->setForegroundRole(at.isValid() ? QPalette::WindowText : QPalette::PlaceholderText);
    if (!at.isValid()) {
        details_->setText(
            tr("Choose a line to mark the nodes that matched so far; the root of the pattern has a question mark."));
        return;
    }
    const NearMiss& miss = model_.row(at.row());
    details_->setText(
        sentenceText(tr("%1 left %2 alone: %3.\n%n node(s) matched so far.", nullptr, int(miss.nodes.size()))
                         .arg(labelText(miss.pass), labelText(miss.node_text), labelText(miss.reason))));
}

}  // namespace lapidary::views
