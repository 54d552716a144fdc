// SPDX-License-Identifier: GPL-3.0-or-later
#include "compare/difference_tables.h"

#include <QCoreApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

#include <lapidary/proof/choose_compute.h>

#include "compare/signed_text.h"
#include "compare/waterfall_delegate.h"
#include "theme/theme.h"
#include "widgets/text/quantity.h"
#include "workbench/text/bounded_text.h"

namespace lapidary::views {
namespace {

constexpr int operator_bar_column = 1, node_bar_column = 2;

/// A side that has no such time shows a dash.
QString timeText(double ms) { return ms > 0 ? formatMilliseconds(ms) : QStringLiteral("–"); }

QString nameOfOperator(const OperatorDifference& row) {
    return row.op.empty() ? OperatorDifferences::tr("session overhead")
                          : withoutDomain(cellText(row.op));
}

QString tipOf(const OperatorDifference& row) {
    const QString what =
        row.op.empty()
            ? OperatorDifferences::tr("The walk from kernel to kernel and the profiler itself")
            : labelText(row.op);
    QString text =
        OperatorDifferences::tr("%1\nA: %2, calls: %3\nB: %4, calls: %5\nDifference per run: %6")
            .arg(what, formatMilliseconds(row.a_ms), formatCount(row.calls_a),
                 formatMilliseconds(row.b_ms), formatCount(row.calls_b),
                 signedMilliseconds(row.difference()));
    if (row.blocked_a > 0 || row.blocked_b > 0)
        text +=
            u'\n' + OperatorDifferences::tr("In the blocked layout (NCHWc): %1 calls in A, %2 in B")
                        .arg(formatCount(row.blocked_a), formatCount(row.blocked_b));
    return text;
}

const Column<OperatorDifference> operator_columns[] = {
    {QT_TRANSLATE_NOOP("Columns", "Operator"),
     [](const OperatorDifference& r) -> QVariant { return nameOfOperator(r); },
     {},
     tipOf},
    {QT_TRANSLATE_NOOP("Columns", "From A to B"),
     [](const OperatorDifference& r) -> QVariant { return r.difference(); },
     [](const OperatorDifference& r) { return signedMilliseconds(r.difference()); }, tipOf},
    {QT_TRANSLATE_NOOP("Columns", "Difference"),
     [](const OperatorDifference& r) -> QVariant { return r.difference(); },
     [](const OperatorDifference& r) { return signedMilliseconds(r.difference()); }, tipOf},
    {QT_TRANSLATE_NOOP("Columns", "A"),
     [](const OperatorDifference& r) -> QVariant { return r.a_ms; },
     [](const OperatorDifference& r) { return timeText(r.a_ms); }, tipOf},
    {QT_TRANSLATE_NOOP("Columns", "B"),
     [](const OperatorDifference& r) -> QVariant { return r.b_ms; },
     [](const OperatorDifference& r) { return timeText(r.b_ms); }, tipOf},
    {QT_TRANSLATE_NOOP("Columns", "Calls in A"),
     [](const OperatorDifference& r) -> QVariant { return qlonglong(r.calls_a); },
     {},
     tipOf},
    {QT_TRANSLATE_NOOP("Columns", "Calls in B"),
     [](const OperatorDifference& r) -> QVariant { return qlonglong(r.calls_b); },
     {},
     tipOf},
};

QString nameOfNode(const NodeDifference& row) {
    return row.node ? cellText(row.name) : NodeDifferences::tr("(of no original node)");
}

QString intervalText(const NodeDifference& row) {
    if (!row.interval) return QStringLiteral("–");
    const auto plain = [](double ms) {
        return QStringLiteral("%1%2").arg(ms < 0   ? QStringLiteral("−")
                                          : ms > 0 ? QStringLiteral("+")
                                                   : QString(),
                                          formatMilliseconds(std::fabs(ms)));
    };
    return QCoreApplication::translate("SignedText", "%1 to %2")
        .arg(plain(row.interval->first), plain(row.interval->second));
}

QString nodeTipOf(const NodeDifference& row) {
    const auto side = [](const std::string& names) {
        return names.empty() ? NodeDifferences::tr("nothing: it was folded or removed")
                             : labelText(names);
    };
    QString text =
        NodeDifferences::tr("%1 (%2)\nIn A: %3, %4\nIn B: %5, %6")
            .arg(nameOfNode(row), labelText(row.op), side(row.in_a), formatMilliseconds(row.a_ms),
                 side(row.in_b), formatMilliseconds(row.b_ms));
    text +=
        u'\n' +
        (!row.interval
             ? NodeDifferences::tr("No interval: fewer than three profiled runs on a side.")
         : row.isSignificant()
             ? NodeDifferences::tr(
                   "95 % interval of the difference: %1. It leaves out 0: significant.")
                   .arg(intervalText(row))
             : NodeDifferences::tr(
                   "95 % interval of the difference: %1. It holds 0: no difference beyond noise.")
                   .arg(intervalText(row)));
    return text;
}

const Column<NodeDifference> node_columns[] = {
    {QT_TRANSLATE_NOOP("Columns", "Original node"),
     [](const NodeDifference& r) -> QVariant { return nameOfNode(r); },
     {},
     nodeTipOf},
    {QT_TRANSLATE_NOOP("Columns", "Operator"),
     [](const NodeDifference& r) -> QVariant { return withoutDomain(cellText(r.op)); },
     {},
     nodeTipOf},
    {QT_TRANSLATE_NOOP("Columns", "From A to B"),
     [](const NodeDifference& r) -> QVariant { return r.difference(); },
     [](const NodeDifference& r) { return signedMilliseconds(r.difference()); }, nodeTipOf},
    {QT_TRANSLATE_NOOP("Columns", "Difference"),
     [](const NodeDifference& r) -> QVariant { return r.difference(); },
     [](const NodeDifference& r) { return signedMilliseconds(r.difference()); }, nodeTipOf},
    {QT_TRANSLATE_NOOP("Columns", "A"), [](const NodeDifference& r) -> QVariant { return r.a_ms; },
     [](const NodeDifference& r) { return timeText(r.a_ms); }, nodeTipOf},
    {QT_TRANSLATE_NOOP("Columns", "B"), [](const NodeDifference& r) -> QVariant { return r.b_ms; },
     [](const NodeDifference& r) { return timeText(r.b_ms); }, nodeTipOf},
    {QT_TRANSLATE_NOOP("Columns", "95 % interval"),
     [](const NodeDifference& r) -> QVariant {
         return r.interval ? r.interval->second - r.interval->first : -1.0;
     },
     intervalText, nodeTipOf},
    {QT_TRANSLATE_NOOP("Columns", "In A"),
     [](const NodeDifference& r) -> QVariant { return cellText(r.in_a); },
     {},
     nodeTipOf},
    {QT_TRANSLATE_NOOP("Columns", "In B"),
     [](const NodeDifference& r) -> QVariant { return cellText(r.in_b); },
     {},
     nodeTipOf},
};

const Column<OperatorCount> count_columns[] = {
    {QT_TRANSLATE_NOOP("Columns", "Operator"),
     [](const OperatorCount& r) -> QVariant { return cellText(r.op); },
     [](const OperatorCount& r) { return withoutDomain(cellText(r.op)); },
     [](const OperatorCount& r) { return cellText(r.op); }},
    {QT_TRANSLATE_NOOP("Columns", "Nodes in A"),
     [](const OperatorCount& r) -> QVariant { return qlonglong(r.a); }},
    {QT_TRANSLATE_NOOP("Columns", "Nodes in B"),
     [](const OperatorCount& r) -> QVariant { return qlonglong(r.b); }},
    {QT_TRANSLATE_NOOP("Columns", "Change"),
     [](const OperatorCount& r) -> QVariant { return qlonglong(r.b - r.a); },
     [](const OperatorCount& r) { return signedCount(r.b - r.a); },
     [](const OperatorCount& r) {
         return r.a == 0   ? CountDifferences::tr("Only B has this operator.")
                : r.b == 0 ? CountDifferences::tr("Only A has this operator.")
                           : signedCount(r.b - r.a);
     }},
};

const Column<ComparedOutputRow> output_columns[] = {
    {QT_TRANSLATE_NOOP("Columns", "Output"),
     [](const ComparedOutputRow& r) -> QVariant { return cellText(r.name); }},
    {QT_TRANSLATE_NOOP("Columns", "Verdict"),
     [](const ComparedOutputRow& r) -> QVariant {
         return r.comparison.matches   ? OutputDifferences::tr("✓ the same")
                : r.isWithinRounding() ? OutputDifferences::tr("≈ within %1 rounding")
                                             .arg(cellText(name_of(r.rounded)))
                                       : OutputDifferences::tr("✗ differs");
     },
     {},
     [](const ComparedOutputRow& r) {
         return r.comparison.matches ? OutputDifferences::tr("Within the tolerance of the guard")
                : r.isWithinRounding()
                    ? OutputDifferences::tr(
                          "Apart by more than float32 rounds. An SQNR of %1 or more is at most ten "
                          "times the error of one rounding to %2.")
                          .arg(formatDecibels(least_rounded_sqnr_db(r.rounded)),
                               cellText(name_of(r.rounded)))
                    : cellText(r.comparison.reason);
     }},
    {QT_TRANSLATE_NOOP("Columns", "Answers changed"),
     [](const ComparedOutputRow& r) -> QVariant { return qlonglong(r.changed_answers); },
     [](const ComparedOutputRow& r) {
         return r.answers == 0 ? QStringLiteral("–")
                               : OutputDifferences::tr("%1 of %2")
                                     .arg(formatCount(r.changed_answers), formatCount(r.answers));
     },
     [](const ComparedOutputRow& r) {
         return r.answers == 0
                    ? OutputDifferences::tr(
                          "No answers: the last axis is not one of classes, by the shape or the "
                          "name of the output, as of caches and hidden states")
                    : OutputDifferences::tr(
                          "An answer is where the largest element along the last axis is: the "
                          "class of a classifier, the next token of a decoder");
     }},
    {QT_TRANSLATE_NOOP("Columns", "Largest difference"),
     [](const ComparedOutputRow& r) -> QVariant { return r.comparison.max_abs; },
     [](const ComparedOutputRow& r) { return QLocale().toString(r.comparison.max_abs, 'g', 3); }},
    {QT_TRANSLATE_NOOP("Columns", "Of the largest magnitude"),
     [](const ComparedOutputRow& r) -> QVariant { return r.comparison.relative(); },
     [](const ComparedOutputRow& r) {
         return QLocale().toString(r.comparison.relative() * 100, 'g', 3) + QStringLiteral(" %");
     }},
    {QT_TRANSLATE_NOOP("Columns", "SQNR"),
     [](const ComparedOutputRow& r) -> QVariant { return r.comparison.sqnr_db; },
     [](const ComparedOutputRow& r) { return formatDecibels(r.comparison.sqnr_db); },
     [](const ComparedOutputRow&) {
         return OutputDifferences::tr(
             "Power of A's values over that of the difference; 20 dB more are a tenth of the "
             "difference");
     }},
    {QT_TRANSLATE_NOOP("Columns", "Cosine"),
     [](const ComparedOutputRow& r) -> QVariant { return r.comparison.cosine; },
     [](const ComparedOutputRow& r) { return QLocale().toString(r.comparison.cosine, 'f', 6); }},
    {QT_TRANSLATE_NOOP("Columns", "Reason"),
     [](const ComparedOutputRow& r) -> QVariant { return cellText(r.comparison.reason); }},
};

void setWidths(TableView& table, std::initializer_list<int> widths) {
    int column = 0;
    const int unit = table.fontMetrics().averageCharWidth();
    for (const int width : widths) {
        const QString title = table.model()->headerData(column, Qt::Horizontal).toString();
        const int titled = table.fontMetrics().horizontalAdvance(title) + 4 * unit;
        table.header()->resizeSection(column++, std::max(width * unit, titled));
    }
}

}  // namespace

OperatorDifferences::OperatorDifferences(QWidget* parent)
    : TableView(tr("Difference by operator"), parent), rows_(operator_columns) {
    setObjectName(QStringLiteral("operatorDifferences"));
    setModel(&rows_);
    setAlternatingRowColors(false);
    setItemDelegateForColumn(operator_bar_column,
                             new WaterfallDelegate(rows_, operator_bar_column, this));
    setSortingEnabled(true);
    sortByColumn(-1, Qt::AscendingOrder);  // as given: the largest difference first
    header()->setStretchLastSection(false);
    header()->setSectionResizeMode(operator_bar_column, QHeaderView::Stretch);
    setTextElideMode(Qt::ElideRight);
    setWidths(*this, {24, 30, 13, 10, 10, 11, 11});
    connect(selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& current) {
                if (current.isValid())
                    emit operatorPicked(withoutDomain(cellText(rows_.row(current.row()).op)));
            });
}

void OperatorDifferences::setRows(std::shared_ptr<const std::vector<OperatorDifference>> rows) {
    rows_.setRows(std::move(rows));
}

NodeDifferences::NodeDifferences(QWidget* parent)
    : QWidget(parent), rows_(node_columns),
      table_(new TableView(tr("Difference by original node"))), filter_(new QLineEdit),
      significantOnly_(new QCheckBox(tr("Only &significant ones"))), note_(new QLabel) {
    table_->setObjectName(QStringLiteral("nodeDifferences"));
    table_->setModel(&rows_);
    table_->setSortingEnabled(true);
    table_->sortByColumn(-1, Qt::AscendingOrder);
    table_->setItemDelegateForColumn(node_bar_column,
                                     new WaterfallDelegate(rows_, node_bar_column, table_));
    setWidths(*table_, {26, 13, 28, 15, 12, 12, 24, 24, 24});
    filter_->setObjectName(QStringLiteral("nodeDifferencesFilter"));
    filter_->setPlaceholderText(tr("Filter by name or operator"));
    filter_->setToolTip(filter_->placeholderText());  // which is cut where there is little room
    filter_->setAccessibleName(tr("Filter the nodes"));
    filter_->setClearButtonEnabled(true);
    significantOnly_->setObjectName(QStringLiteral("significantOnly"));
    significantOnly_->setToolTip(
        tr("Show only nodes whose 95 % interval of the difference leaves out 0. Of many nodes "
           "without any difference, "
           "one in twenty is shown by chance."));
    note_->setForegroundRole(QPalette::PlaceholderText);
    note_->setTextFormat(Qt::PlainText);
    auto* tools = new QHBoxLayout;
    tools->setContentsMargins(spacing, 4, spacing, 4);
    tools->addWidget(filter_, 1);
    tools->addWidget(significantOnly_);
    tools->addWidget(note_);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(tools);
    layout->addWidget(table_, 1);
    connect(filter_, &QLineEdit::textChanged, this, [this](const QString& text) {
        rows_.setFilter(text);
        refresh();
    });
    connect(significantOnly_, &QCheckBox::toggled, this, [this] { setRows(all_); });
    connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& current) {
                if (current.isValid() && rows_.row(current.row()).node)
                    emit nodePicked(rows_.row(current.row()).node);
            });
    connect(table_, &QTreeView::activated, this, [this](const QModelIndex& index) {
        if (rows_.row(index.row()).node) emit nodeActivated(rows_.row(index.row()).node);
    });
}

void NodeDifferences::setRows(std::shared_ptr<const std::vector<NodeDifference>> rows) {
    all_ = std::move(rows);
    if (all_ && significantOnly_->isChecked()) {
        std::vector<NodeDifference> kept;
        for (const NodeDifference& row : *all_)
            if (row.isSignificant()) kept.push_back(row);
        rows_.setRows(std::move(kept));
    } else {
        rows_.setRows(all_);
    }
    refresh();
}

void NodeDifferences::refresh() {
    const qint64 all = all_ ? qint64(all_->size()) : 0;
    note_->setText(tr("%1 of %2 nodes").arg(formatCount(rows_.rowCount()), formatCount(all)));
    table_->setEmptyText(all == 0 ? tr("Press Compare: both variants are profiled and their times "
                                       "are brought together by original node.")
                         : significantOnly_->isChecked() && filter_->text().isEmpty()
                             ? tr("No node differs beyond noise. More profiled runs (Run page) "
                                  "show smaller differences.")
                             : tr("No node matches."));
}

CountDifferences::CountDifferences(QWidget* parent)
    : TableView(tr("Nodes by operator in A and B"), parent), rows_(count_columns) {
    setObjectName(QStringLiteral("countDifferences"));
    setModel(&rows_);
    setSortingEnabled(true);
    sortByColumn(-1, Qt::AscendingOrder);
    setWidths(*this, {26, 14, 14, 14});
    setEmptyText(tr("Both graphs have the same operators, each as often."));
}

void CountDifferences::setRows(std::vector<OperatorCount> rows) { rows_.setRows(std::move(rows)); }

OutputDifferences::OutputDifferences(QWidget* parent)
    : TableView(tr("Outputs of A and B on the same inputs"), parent), rows_(output_columns) {
    setObjectName(QStringLiteral("outputDifferences"));
    setModel(&rows_);
    setSortingEnabled(true);
    sortByColumn(-1, Qt::AscendingOrder);
    setWidths(*this, {26, 22, 16, 20, 24, 12, 12, 50});
    connect(selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& current) {
                if (current.isValid() && !rows_.row(current.row()).comparison.matches)
                    emit outputPicked(labelText(rows_.row(current.row()).name));
            });
    connect(this, &QTreeView::activated, this, [this](const QModelIndex& index) {
        const ComparedOutputRow output = rows_.row(index.row());
        if (!output.comparison.matches) emit outputActivated(output.name);
    });
}

bool ComparedOutputRow::isWithinRounding() const {
    // a difference of whole numbers is one of integers, and none at all one of texts
    return rounded != Compute::exact && !comparison.matches &&
           std::floor(comparison.max_abs) != comparison.max_abs &&
           comparison.sqnr_db >= least_rounded_sqnr_db(rounded);
}

void OutputDifferences::setRows(std::vector<OutputComparison> rows, bool compared,
                                Compute rounded) {
    setEmptyText(compared ? tr("The model has no outputs.")
                          : tr("Press Compare: both variants get the same generated inputs and "
                               "every output is compared."));
    std::vector<ComparedOutputRow> all;
    for (OutputComparison& row : rows) all.push_back({std::move(row), rounded});
    rows_.setRows(std::move(all));
}

}  // namespace lapidary::views
