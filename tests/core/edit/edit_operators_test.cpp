// SPDX-License-Identifier: Apache-2.0
// Operators as forms show them.
#include <lapidary/edit/edit_operators.h>

#include <algorithm>

#include <gtest/gtest.h>

#include <lapidary/inputs/samples.h>

namespace lapidary {
namespace {

const AttributeForm& attribute_of(const OperatorForm& form, std::string_view name) {
    static const AttributeForm none;
    const auto found = std::ranges::find(form.attributes, name, &AttributeForm::name);
    if (found != form.attributes.end()) return *found;
    ADD_FAILURE() << form.name << " has no attribute " << name;
    return none;
}

TEST(EditOperators, AnOperatorSaysItsInputsAttributesAndVersions) {
    const auto cast = operator_form("", "Cast", 19);
    ASSERT_TRUE(cast);
    EXPECT_EQ(cast->word(), "Cast");
    EXPECT_EQ(cast->since_version, 19);
    EXPECT_TRUE(std::ranges::is_sorted(cast->versions));
    EXPECT_GT(cast->versions.size(), 3u);
    EXPECT_FALSE(cast->help.empty());
    ASSERT_EQ(cast->inputs.size(), 1u);
    EXPECT_NE(cast->inputs[0].types.find("f32"), std::string::npos);
    const AttributeForm& to = attribute_of(*cast, "to");
    EXPECT_TRUE(to.is_required);
    EXPECT_EQ(to.kind, "int");
    EXPECT_GT(std::ranges::count(to.choices, "float16"), 0);
    EXPECT_FALSE(to.help.empty());
}

TEST(EditOperators, DefaultsAndChoicesAreWrittenAsLinesHaveThem) {
    const auto conv = operator_form("", "Conv", 11);
    ASSERT_TRUE(conv);
    EXPECT_EQ(attribute_of(*conv, "auto_pad").default_text, "NOTSET");
    EXPECT_EQ(attribute_of(*conv, "auto_pad").choices.size(), 4u);
    EXPECT_EQ(attribute_of(*conv, "pads").kind, "ints");
    const auto lstm = operator_form("", "LSTM", 14);
    ASSERT_TRUE(lstm);
    EXPECT_EQ(attribute_of(*lstm, "direction").choices.front(), "forward");
    const auto branch = operator_form("", "If", 16);
    ASSERT_TRUE(branch);
    EXPECT_FALSE(attribute_of(*branch, "then_branch").is_writable);
    EXPECT_FALSE(operator_form("", "NoSuchOperator", 17));
}

TEST(EditOperators, AModelHasTheOperatorsOfItsOpset) {
    Model model = build_sample("mlp");
    const std::vector<OperatorForm> forms = operator_forms(model);
    EXPECT_GT(forms.size(), 200u);
    const auto has = [&](std::string_view word) {
        return std::ranges::any_of(forms, [&](const OperatorForm& f) { return f.word() == word; });
    };
    EXPECT_TRUE(has("Relu"));
    EXPECT_TRUE(has("com.microsoft::FusedConv"));
    EXPECT_FALSE(has("Gelu")) << "of opset 20";
    EXPECT_FALSE(has("Upsample")) << "dropped by opset 10";
    model.opset_imports[""] = 20;
    const std::vector<OperatorForm> newer = operator_forms(model);
    EXPECT_TRUE(
        std::ranges::any_of(newer, [](const OperatorForm& f) { return f.word() == "Gelu"; }));
}

TEST(EditOperators, ValuesAreWrittenAsWords) {
    EXPECT_EQ(attribute_word({"axis", std::int64_t{-1}}), "-1");
    EXPECT_EQ(attribute_word({"to", std::int64_t{10}}), "float16");
    EXPECT_EQ(attribute_word({"alpha", 0.5f}), "0.5");
    EXPECT_EQ(attribute_word({"mode", std::string("two words")}), "\"two words\"");
    EXPECT_EQ(attribute_word({"pads", std::vector<std::int64_t>{1, 2}}), "[1,2]");
    EXPECT_EQ(attribute_word({"names", std::vector<std::string>{"a", "b c"}}), "[a,\"b c\"]");
    EXPECT_EQ(attribute_word({"long", std::vector<std::int64_t>(100, 1)}), "");
}

}  // namespace
}  // namespace lapidary
