// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include <lapidary/base/error.h>
#include <lapidary/profile/label_table.h>

namespace lapidary {
namespace {

std::string name_of(int i) { return "/layer." + std::to_string(i) + "/MatMul"; }

LabelTable table_of(int labels) {
    LabelTable table;
    for (int i = 0; i < labels; ++i)
        table.add({.name = name_of(i), .op = "MatMul", .kernel = "product.packed"});
    return table;
}

LabelTable again(const LabelTable& table) {
    return {{table.words().begin(), table.words().end()}, table.labels()};
}

TEST(LabelTable, HasEachTextAndEachLabelOnce) {
    LabelTable table;
    const LabelId first = table.add({.name = "a", .op = "Conv"});
    EXPECT_EQ(table.add({.name = "a", .op = "Conv"}), first);
    const LabelId other = table.add({.name = "Conv", .op = "a"});
    EXPECT_NE(other, first);
    EXPECT_EQ(table.words().size(), 4u) << "nothing, CPU, a, Conv";
    EXPECT_EQ(table.labels().size(), 3u) << "the plain one and two";
    EXPECT_EQ(table.label(first).name, table.label(other).op) << "equal texts, equal numbers";
    EXPECT_EQ(table.op(other), "a");
    EXPECT_EQ(table.provider(other), "CPU");
    EXPECT_EQ(table.text(first), (SpanText{.name = "a", .op = "Conv"}));
}

TEST(LabelTable, BeginsWithThePlainLabel) {
    LabelTable table;
    EXPECT_EQ(table.text(LabelId{}), SpanText());
    EXPECT_EQ(table.add({}), LabelId{});
    EXPECT_TRUE(table.has(LabelId{}));
    EXPECT_FALSE(table.has(LabelId{1}));
}

TEST(LabelTable, TextsStayWhereTheyAreWhileItGrows) {
    LabelTable table;
    const LabelId first = table.add({.name = "a", .shapes = "f32[1]"});
    const SpanText before = table.text(first);
    for (int i = 0; i < 10'000; ++i) table.add({.name = name_of(i)});
    EXPECT_EQ(before.name, "a");
    EXPECT_EQ(before.name.data(), table.name(first).data());
    SpanText changed = before;
    changed.provider = "second";  // the other views are those of the table itself
    const LabelId moved = table.add(changed);
    EXPECT_EQ(table.text(moved), changed);
    EXPECT_EQ(table.shapes(moved), "f32[1]");
}

TEST(LabelTable, FindsLabelsAgainInCopiesAndInTablesOfItsLists) {
    const LabelTable table = table_of(1000);
    LabelTable copy = table, restored = again(table);
    for (int i = 0; i < 1000; ++i) {
        const std::string name = name_of(i);
        const SpanText text{.name = name, .op = "MatMul", .kernel = "product.packed"};
        const LabelId id = copy.add(text);
        EXPECT_EQ(restored.add(text), id);
        EXPECT_EQ(table.text(id), text);
    }
    EXPECT_EQ(copy.labels().size(), table.labels().size());
    EXPECT_EQ(restored.words().size(), table.words().size());
    EXPECT_FALSE(table.has(restored.add({.name = "new"})));
}

TEST(LabelTable, ListsThatAreNoTableAreRefused) {
    const LabelTable table = table_of(3);
    const std::vector<std::string> words(table.words().begin(), table.words().end());
    std::vector<LabelTable::Label> labels = table.labels();
    labels.back().shapes = static_cast<std::uint32_t>(words.size());
    EXPECT_THROW(LabelTable(words, labels), Error) << "no such text";
    EXPECT_THROW(LabelTable(words, {}), Error) << "no plain label";
    EXPECT_THROW(LabelTable({}, {}), Error);
    EXPECT_THROW(LabelTable(words, {table.labels().back()}), Error) << "another label is first";
    EXPECT_NO_THROW(again(table));
}

}  // namespace
}  // namespace lapidary
