// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QSortFilterProxyModel>

#include "models/rows_model.h"

namespace lapidary::views {
namespace {

struct Stone {
    QString name;
    int weight = 0;
};

const Column<Stone> stone_columns[] = {
    {"Name", [](const Stone& s) -> QVariant { return s.name; }},
    {"Weight", [](const Stone& s) -> QVariant { return s.weight; },
     [](const Stone& s) { return QStringLiteral("%1 ct").arg(s.weight); },
     [](const Stone& s) { return QStringLiteral("<b>%1</b>").arg(s.name); },
     [](const Stone& s) { return s.weight / 10.0; }},
};

std::vector<Stone> stones() { return {{"Ruby", 7}, {"Agate", 12}, {"Opal", 3}, {"Amber", 7}}; }

QStringList names(const QAbstractItemModel& model) {
    QStringList list;
    for (int i = 0; i < model.rowCount(); ++i) list << model.index(i, 0).data().toString();
    return list;
}

TEST(RowsModel, keeps_the_promises_of_item_models) {
    RowsModel<Stone> model(stone_columns);
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    QSortFilterProxyModel proxy;
    proxy.setSourceModel(&model);
    proxy.setSortRole(SortRole);
    QAbstractItemModelTester proxy_tester(&proxy,
                                          QAbstractItemModelTester::FailureReportingMode::Fatal);
    EXPECT_EQ(model.rowCount(), 0);
    model.setRows(stones());
    proxy.sort(1, Qt::DescendingOrder);
    model.sort(0);
    model.setFilter("a");
    model.setFilter("");
    EXPECT_EQ(names(proxy).first(), "Agate");
    model.setRows(nullptr);
    EXPECT_EQ(proxy.rowCount(), 0);
}

TEST(RowsModel, sorts_by_value_and_keeps_ties_in_list_order) {
    RowsModel<Stone> model(stone_columns);
    model.setRows(stones());
    EXPECT_EQ(names(model), (QStringList{"Ruby", "Agate", "Opal", "Amber"}));
    model.sort(1);
    EXPECT_EQ(names(model), (QStringList{"Opal", "Ruby", "Amber", "Agate"}));
    model.sort(1, Qt::DescendingOrder);
    EXPECT_EQ(names(model), (QStringList{"Agate", "Ruby", "Amber", "Opal"}));
    model.sort(-1);
    EXPECT_EQ(names(model), (QStringList{"Ruby", "Agate", "Opal", "Amber"}));
}

TEST(RowsModel, rows_that_are_equal_keep_the_order_of_the_sort_before) {
    RowsModel<Stone> model(stone_columns);
    model.sort(0, Qt::DescendingOrder);
    model.sort(1);  // without rows it replaces the sort before it
    model.setRows(stones());
    EXPECT_EQ(names(model), (QStringList{"Opal", "Ruby", "Amber", "Agate"}));
    model.sort(0);
    model.sort(1, Qt::DescendingOrder);
    EXPECT_EQ(names(model), (QStringList{"Agate", "Amber", "Ruby", "Opal"}));
    model.sort(0, Qt::DescendingOrder);
    model.sort(1);
    EXPECT_EQ(names(model), (QStringList{"Opal", "Ruby", "Amber", "Agate"}));
    std::vector<Stone> more = stones();
    more.push_back({"Topaz", 7});
    model.setRows(more);
    EXPECT_EQ(names(model), (QStringList{"Opal", "Topaz", "Ruby", "Amber", "Agate"}))
        << "new rows come in the same order";
    model.sort(-1);
    model.sort(1);
    EXPECT_EQ(names(model), (QStringList{"Opal", "Ruby", "Amber", "Topaz", "Agate"}));
}

TEST(RowsModel, persistent_indexes_follow_their_row) {
    RowsModel<Stone> model(stone_columns);
    model.setRows(stones());
    const QPersistentModelIndex opal = model.index(2, 1);
    model.sort(0);
    EXPECT_EQ(opal.sibling(opal.row(), 0).data().toString(), "Opal");
    EXPECT_EQ(opal.row(), 2);
    model.sort(1);
    EXPECT_EQ(opal.sibling(opal.row(), 0).data().toString(), "Opal");
    EXPECT_EQ(opal.row(), 0);
}

TEST(RowsModel, filters_by_every_word_over_all_columns) {
    RowsModel<Stone> model(stone_columns);
    model.setRows(stones());
    model.setFilter("A 7");
    EXPECT_EQ(names(model), QStringList{"Amber"});
    EXPECT_EQ(model.lineOf(3), 0);
    EXPECT_EQ(model.lineOf(0), -1);
    EXPECT_EQ(model.row(0).weight, 7);
    model.setFilter("none of them");
    EXPECT_EQ(model.rowCount(), 0);
}

TEST(RowsModel, answers_roles_and_escapes_tooltips) {
    RowsModel<Stone> model(stone_columns);
    model.setRows(stones());
    const QModelIndex weight = model.index(1, 1);
    EXPECT_EQ(weight.data().toString(), "12 ct");
    EXPECT_EQ(weight.data(SortRole).toInt(), 12);
    EXPECT_DOUBLE_EQ(weight.data(HeatRole).toDouble(), 1.0);
    EXPECT_FALSE(weight.siblingAtColumn(0).data(HeatRole).isValid());
    EXPECT_EQ(weight.data(Qt::ToolTipRole).toString(), "<qt>&lt;b&gt;Agate&lt;/b&gt;</qt>");
    EXPECT_TRUE(weight.data(Qt::TextAlignmentRole).value<Qt::Alignment>().testFlag(Qt::AlignRight));
    EXPECT_EQ(model.headerData(1, Qt::Horizontal).toString(), "Weight");
}

TEST(RowsModel, rows_may_point_into_a_larger_result) {
    struct Report {
        std::vector<Stone> stones;
    };
    auto report = std::make_shared<const Report>(Report{stones()});
    RowsModel<Stone> model(stone_columns);
    model.setRows({report, &report->stones});
    std::weak_ptr<const Report> watched = report;
    report.reset();
    EXPECT_EQ(model.rowCount(), 4);
    model.setRows(nullptr);
    EXPECT_TRUE(watched.expired());
}

}  // namespace
}  // namespace lapidary::views
