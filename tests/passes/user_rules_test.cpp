// SPDX-License-Identifier: Apache-2.0
// Rewriting rules in text files: what they match, what they refuse and why, mistakes in files.
#include <algorithm>
#include <iostream>
#include <map>

#include <gtest/gtest.h>

#include <lapidary/base/error.h>
#include <lapidary/passes/user_rules.h>

#include "support/pass_harness.h"
#include "support/test_data.h"

namespace lapidary {
namespace {

OptimizeOptions with_rules(std::string text) {
    OptimizeOptions options;
    options.level = Level::disabled;
    options.verify = true;
    options.rules = {{"my.rules", std::move(text)}};
    return options;
}

RuleText common_rules() { return load_rules(source_folder() / "resources/rules/common.rules"); }

std::string operators_of(const Model& model) {
    std::vector<std::string> operators;
    for (NodeId id : model.graph.nodes()) operators.push_back(model.graph.node(id).op_type);
    std::ranges::sort(operators);
    std::string text;
    for (const std::string& name : operators) text += (text.empty() ? "" : " ") + name;
    return text;
}

/// Operators in alphabetical order after the rules alone, which must not change the results.
std::string rewritten(const std::string& rules, const std::string& graph) {
    const Model model = test::model_of(graph);
    const OptimizeResult result = optimize(model, with_rules(rules));
    EXPECT_EQ(test::compare_runs(model, result.model, {}), "") << graph;
    return operators_of(result.model);
}

/// Why the rule left the graph alone.
std::string missed(const std::string& rules, const std::string& graph) {
    const OptimizeResult result = optimize(test::model_of(graph), with_rules(rules));
    EXPECT_TRUE(result.report.rewrites.empty());
    for (const NearMiss& miss : result.report.near_misses)
        if (miss.pass.starts_with(user_pass_prefix)) return miss.reason;
    return {};
}

std::string mistake_in(const std::string& rules) {
    try {
        user_passes(with_rules(rules).rules);
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::invalid_input);
        return error.what();
    }
    return "none";
}

const std::string sigmoid_product = R"(rule swish
match
  s = Sigmoid(x)
  y = Mul(x, s)
where
  single_use(s)
replace
  y = HardSwish(x)
)";

const std::string casts = R"(rule cast_cast "one cast is enough"
match
  a = Cast(x, to=first)
  y = Cast(a, to=second)
where single_use(a), lossless(dtype(x), first)
replace
  y = Cast(x, to=second)
)";

TEST(UserRules, CommutativeOperandsMatchBothWays) {
    for (const char* product : {"Mul(x, s)", "Mul(s, x)"}) {
        const Model model = test::model_of(
            "(x: f32[2,3]) -> (y)\ns = Sigmoid(x)\ny = " + std::string(product) + "\n");
        const OptimizeResult result = optimize(model, with_rules(sigmoid_product));
        EXPECT_EQ(operators_of(result.model), "HardSwish");
        ASSERT_EQ(result.report.rewrites.size(), 1u);
        EXPECT_EQ(result.report.rewrites[0].rewrite.pass, "user:swish");
        EXPECT_EQ(result.report.rewrites[0].level, Level::user);
        EXPECT_EQ(result.report.rewrites[0].rewrite.origins.size(), 2u);
    }
}

TEST(UserRules, TwoCastsBecomeOne) {
    EXPECT_EQ(rewritten(casts, "(x: f32[2]) -> (y)\na = Cast(x) {to: 11}\ny = Cast(a) {to: 1}\n"),
              "Cast");
}

TEST(UserRules, NearMissesSayWhichConditionFailed) {
    EXPECT_EQ(missed(casts, "(x: f32[2]) -> (y)\na = Cast(x) {to: 10}\ny = Cast(a) {to: 1}\n"),
              "matched but for: lossless(dtype(x), first) must hold");
    EXPECT_EQ(
        missed(casts, "(x: f32[2]) -> (y, a)\na = Cast(x) {to: 11}\ny = Cast(a) {to: 1}\n"),
        "matched but for: a must be read once and be no output (\"a\" is read 1 times and is an "
        "output)");
    const std::string softmax =
        "rule r\nmatch\n  y = Softmax(x, axis=-1)\nwhere\n  rank(x) >= 3\nreplace\n"
        "  y = LogSoftmax(x, axis=-1)\n";
    const std::string wrong_axis =
        missed(softmax, "(x: f32[2,3,4]) -> (y)\ny = Softmax(x) {axis: 1}\n");
    EXPECT_NE(wrong_axis.find("matched but for: axis of node"), std::string::npos) << wrong_axis;
    EXPECT_NE(wrong_axis.find("must be -1 (found 1)"), std::string::npos) << wrong_axis;
    EXPECT_EQ(missed(softmax, "(x: f32[2,3]) -> (y)\ny = Softmax(x)\n"),
              "matched but for: rank(x) must be at least 3 (found 2)");
    EXPECT_EQ(missed("rule r\nmatch\n  y = Relu(x)\nwhere\n  rank(x) == 4 else \"no image\"\n"
                     "replace\n  y = Neg(x)\n",
                     "(x: f32[2,3]) -> (y)\ny = Relu(x)\n"),
              "matched but for: no image");
}

TEST(UserRules, AttributesTheRuleDoesNotMentionKeepItAway) {
    const std::string rule =
        "rule r\nmatch\n  y = Reshape(x, const s)\nreplace\n  y = Reshape(x, [6])\n";
    const std::string reason =
        missed(rule, "(x: f32[2,3]) -> (y)\ny = Reshape(x, s: i64[1]{6}) {allowzero: 1}\n");
    EXPECT_NE(reason.find("says nothing of the attribute allowzero"), std::string::npos) << reason;
}

TEST(UserRules, ValuesThatAreStillReadStay) {
    const std::string rule =
        "rule r\nmatch\n  a = Neg(x)\n  y = Neg(a)\nreplace\n  y = Identity(x)\n";
    EXPECT_EQ(rewritten(rule, "(x: f32[2]) -> (y, z)\na = Neg(x)\ny = Neg(a)\nz = Relu(a)\n"),
              "Identity Neg Relu");
    EXPECT_EQ(rewritten(rule, "(x: f32[2]) -> (y, a)\na = Neg(x)\ny = Neg(a)\n"), "Identity Neg");
    EXPECT_EQ(rewritten(rule, "(x: f32[2]) -> (y)\na = Neg(x)\ny = Neg(a)\n"), "Identity");
}

TEST(UserRules, AResultOfAnotherTypeIsRefused) {
    const std::string reason =
        missed("rule r\nmatch\n  y = Relu(x)\nreplace\n  y = Cast(x, to=float16)\n",
               "(x: f32[2]) -> (y)\ny = Relu(x)\n");
    EXPECT_NE(reason.find("matched, but the replacement gives f16[2] as \"y\", which is f32[2]"),
              std::string::npos)
        << reason;
}

std::string relu_to(const std::string& call) {
    return "rule r\nmatch\n  y = Relu(x)\nreplace\n  y = " + call + "\n";
}

TEST(UserRules, AnUnknownOperatorIsRefused) {
    const char* graph = "(x: f32[2]) -> (y)\ny = Relu(x)\n";
    const auto expect_reason = [&](const char* call, const char* reason) {
        const std::string found = missed(relu_to(call), graph);
        EXPECT_NE(found.find(reason), std::string::npos) << found;
    };
    expect_reason("com.nobody::Foo(x)",
                  "there is no operator com.nobody::Foo that is known, and the model does not "
                  "import \"com.nobody\"");
    expect_reason("com.microsoft::Gelo(x)", "there is no operator com.microsoft::Gelo");
    expect_reason("Foo(x)", "there is no operator Foo in opset");
}

TEST(UserRules, AnOperatorOfAnImportedDomainMayBeMade) {
    Model model = test::model_of("(x: f32[2]) -> (y)\ny = Relu(x)\n");
    const auto made_by = [&](const std::string& call) {
        OptimizeOptions options = with_rules(relu_to(call));
        options.only_passes = {"user:r"};
        return optimize(model, options).model;
    };
    const Model known = made_by("com.microsoft::Gelu(x)");
    EXPECT_EQ(operators_of(known), "Gelu");
    EXPECT_EQ(known.opset("com.microsoft"), 1);
    model.opset_imports["com.nobody"] = 3;
    const Model custom = made_by("com.nobody::Foo(x)");
    EXPECT_EQ(operators_of(custom), "Foo");
    EXPECT_EQ(custom.opset("com.nobody"), 3);
}

TEST(UserRules, FilesMayBeginWithAByteOrderMark) {
    EXPECT_EQ(mistake_in("\xef\xbb\xbf" + sigmoid_product), "none");
    EXPECT_NE(mistake_in("\xef\xbb\xbf"
                         "rule a $\n")
                  .find("my.rules:1:8: expected"),
              std::string::npos);
}

TEST(UserRules, AFileWithoutRulesIsAMistake) {
    for (const char* empty : {"", "# nothing yet\n", "\xef\xbb\xbf"})
        EXPECT_NE(mistake_in(empty).find("expected a rule, found the end of the file"),
                  std::string::npos)
            << empty;
}

TEST(UserRules, AlternativesWildcardsAndSeveralLines) {
    const std::string rule =
        "rule r\nmatch\n  a = Relu|Clip(x, ...)\n  y = *(a)\nwhere\n"
        "  dtype(x) == float and single_use(a)\nreplace\n  y = Abs(x)\n";
    const Model model =
        test::model_of("(x: f32[2]) -> (y)\na = Clip(x, l: f32[]{0})\ny = Exp(a)\n");
    EXPECT_EQ(operators_of(optimize(model, with_rules(rule)).model), "Abs");
}

TEST(UserRules, CanBeSwitchedOffAndRunAlone) {
    const Model model = test::model_of("(x: f32[2]) -> (y)\ns = Sigmoid(x)\ny = Mul(x, s)\n");
    OptimizeOptions options = with_rules(sigmoid_product);
    options.disabled_passes = {"user:swish"};
    OptimizeResult result = optimize(model, options);
    EXPECT_TRUE(result.report.rewrites.empty());
    const auto run = std::ranges::find(result.report.passes, "user:swish", &PassRun::pass);
    ASSERT_NE(run, result.report.passes.end());
    EXPECT_EQ(run->skipped, "switched off");
    options.disabled_passes.clear();
    options.only_passes = {"user:swish"};
    options.level = Level::all;
    EXPECT_EQ(operators_of(optimize(model, options).model), "HardSwish");
    options.only_passes = {"user:swosh"};
    EXPECT_THROW(optimize(model, options), Error);
    options.rules.clear();
    options.only_passes = {"user:swish"};
    EXPECT_THROW(optimize(model, options), Error);
}

TEST(UserRules, ARuleThatDoesNotEndIsNamed) {
    const Model model = test::model_of("(x: f32[2]) -> (y)\ny = Add(x, c: f32[2])\n");
    for (const char* endless :
         {"rule again\nmatch\n  y = Add(x, c)\nreplace\n  y = Add(c, x)\n",
          "rule again\nmatch\n  y = Add(x, c)\nreplace\n  z = Add(x, c)\n  y = Add(z, 0)\n"}) {
        try {
            optimize(model, with_rules(endless));
            FAIL();
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), ErrorCode::invalid_input);
            EXPECT_NE(error.message().find("does not come to an end"), std::string::npos)
                << error.message();
        }
    }
    try {
        optimize(model, with_rules("rule to\nmatch\n  y = Add(x, c)\nreplace\n"
                                   "  n = Neg(c)\n  y = Sub(x, n)\n"
                                   "rule back\nmatch\n  n = Neg(c)\n  y = Sub(x, n)\nreplace\n"
                                   "  y = Add(x, c)\n"));
        FAIL();
    } catch (const Error& error) {
        EXPECT_NE(error.message().find("\"user:to\", \"user:back\""), std::string::npos)
            << error.message();
    }
}

TEST(UserRules, MistakesNameLineColumnAndWhatWasExpected) {
    EXPECT_EQ(mistake_in("rule a\nmatch\n  y = Relu(x\nreplace\n  y = x\n").substr(0, 13),
              "my.rules:3:11");
    EXPECT_NE(mistake_in("rule\n").find("my.rules:1:5: expected the name of the rule"),
              std::string::npos);
    EXPECT_NE(mistake_in("rule a\nmatch\n  y = Relu(x)\nreplace\n  y = z\n")
                  .find("my.rules:5:7: nothing is named \"z\""),
              std::string::npos);
    EXPECT_NE(mistake_in("rule a\nmatch\n  y = Relu(x)\nwhere\n  rnk(x) == 2\nreplace\n  y = x\n")
                  .find("my.rules:5:3: there is no function \"rnk\"; did you mean \"rank\"?"),
              std::string::npos);
    EXPECT_NE(mistake_in("rule a\nmatch\n  y = Relu(x)\nwhere\n  rank(x, 1) == 2\nreplace\n"
                         "  y = x\n")
                  .find("expected 1 argument of rank, found 2"),
              std::string::npos);
    EXPECT_NE(mistake_in("rule a\nmatch\n  b = Neg(x)\n  y = Relu(x)\nreplace\n  y = x\n")
                  .find("nothing reads \"b\""),
              std::string::npos);
    EXPECT_NE(mistake_in("rule a\nmatch\n  y = Relu(x)\nreplace\n  y = Neg(y)\n")
                  .find("\"y\" is replaced by this rule"),
              std::string::npos);
    EXPECT_NE(mistake_in("rule a\nmatch\n  y = Relu(x)\nreplace\n  b = Neg(x)\n  y = x\n")
                  .find("my.rules:5:3: nothing reads \"b\""),
              std::string::npos);
    EXPECT_NE(mistake_in("rule a\nmatch\n  y = Relu(x)\nreplace\n  z = Neg(x)\n")
                  .find("expected a line that writes \"y\""),
              std::string::npos);
    EXPECT_NE(mistake_in("rule a\nmatch\n  y = Relu(x)\nreplace\n  y = x\n"
                         "rule a\nmatch\n  y = Relu(x)\nreplace\n  y = x\n")
                  .find("my.rules:6:1: there is a rule \"a\" already"),
              std::string::npos);
    EXPECT_NE(mistake_in("rule a $\n").find("my.rules:1:8: expected"), std::string::npos);
    EXPECT_NE(mistake_in(std::string("rule a\nmatch\n  y = Relu(x)\nwhere\n  ") +
                         std::string(200, '(') + "1" + std::string(200, ')') + " == 1\n")
                  .find("nested too deeply"),
              std::string::npos);
}

struct CommonCase {
    const char *rule, *graph, *after;
};

const CommonCase common_cases[] = {
    {"cast_to_same", "(x: f32[2]) -> (y)\na = Cast(x) {to: 1}\ny = Neg(a)\n", "Neg"},
    {"add_zero", "(x: f32[2,3]) -> (y)\na = Add(z: f32[3]{0, 0, 0}, x)\ny = Neg(a)\n", "Neg"},
    {"add_zero", "(x: f32[3]) -> (y)\na = Add(z: f32[2,3]{0, 0, 0, 0, 0, 0}, x)\ny = Neg(a)\n",
     "Add Neg"},
    {"sub_zero", "(x: f32[2]) -> (y)\na = Sub(x, z: f32[]{0})\ny = Neg(a)\n", "Neg"},
    {"mul_one", "(x: f32[2]) -> (y)\na = Mul(x, o: f32[]{1})\ny = Neg(a)\n", "Neg"},
    {"div_one", "(x: f32[2]) -> (y)\na = Div(x, o: f32[1]{1})\ny = Neg(a)\n", "Neg"},
    {"transpose_transpose",
     "(x: f32[2,3,4]) -> (y)\na = Transpose(x) {perm: [2, 0, 1]}\n"
     "y = Transpose(a) {perm: [0, 2, 1]}\n",
     "Transpose"},
    {"transpose_identity", "(x: f32[2,3]) -> (y)\na = Transpose(x) {perm: [0, 1]}\ny = Neg(a)\n",
     "Neg"},
    {"reshape_reshape",
     "(x: f32[2,3]) -> (y)\na = Reshape(x, p: i64[1]{6})\ny = Reshape(a, q: i64[2]{3, -1})\n",
     "Reshape"},
    {"squeeze_reshape",
     "(x: f32[2,1,3]) -> (y)\na = Squeeze(x, p: i64[1]{1})\ny = Reshape(a, q: i64[1]{-1})\n",
     "Reshape"},
    {"slice_everything",
     "(x: f32[2,3]) -> (y)\na = Slice(x, b: i64[1]{0}, e: i64[1]{9}, c: i64[1]{1}, d: i64[1]{1})\n"
     "y = Neg(a)\n",
     "Neg"},
    {"collapse_slices",
     "(x: f32[4,5]) -> (y)\na = Slice(x, b: i64[1]{1}, e: i64[1]{3}, c: i64[1]{0})\n"
     "y = Slice(a, f: i64[1]{1}, g: i64[1]{4}, h: i64[1]{-1})\n",
     "Slice"},
    {"expand_to_same", "(x: f32[2,3]) -> (y)\na = Expand(x, s: i64[2]{2, 3})\ny = Neg(a)\n", "Neg"},
    {"matmul_add_to_gemm",
     "(x: f32[2,3]) -> (y)\na = MatMul(x, w: f32[3,4])\ny = Add(b: f32[4], a)\n", "Gemm"},
    {"unsqueeze_unsqueeze",
     "(x: f32[2,3]) -> (y)\na = Unsqueeze(x, p: i64[1]{1})\ny = Unsqueeze(a, q: i64[1]{0})\n",
     "Unsqueeze"},
    {"unsqueeze_unsqueeze",
     "(x: f32[2,3]) -> (y)\na = Unsqueeze(x, p: i64[1]{0})\ny = Unsqueeze(a, q: i64[1]{-1})\n",
     "Unsqueeze"},
    {"flatten_to_reshape", "(x: f32[n,3,4]) -> (y)\ny = Flatten(x)\n", "Reshape"},
    {"batch_norm_into_conv_without_bias",
     "(x: f32[1,2,5,5]) -> (y)\nc = Conv(x, w: f32[3,2,3,3]) {kernel_shape: [3, 3]}\n"
     "y = BatchNormalization(c, s: f32[3]{1, 2, 3}, t: f32[3]{1, 0, 2}, m: f32[3]{0, 1, 2}, "
     "v: f32[3]{1, 2, 3})\n",
     "Conv"},
    {"batch_norm_into_conv",
     "(x: f32[1,2,5,5]) -> (y)\nc = Conv(x, w: f32[3,2,3,3], b: f32[3]) {pads: [1, 1, 1, 1]}\n"
     "y = BatchNormalization(c, s: f32[3]{1, 2, 3}, t: f32[3]{1, 0, 2}, m: f32[3]{0, 1, 2}, "
     "v: f32[3]{1, 2, 3})\n",
     "Conv"},
    {"batch_norm_into_gemm",
     "(x: f32[4,2]) -> (y)\nc = Gemm(x, w: f32[3,2], b: f32[3]) {transB: 1}\n"
     "y = BatchNormalization(c, s: f32[3]{1, 2, 3}, t: f32[3]{1, 0, 2}, m: f32[3]{0, 1, 2}, "
     "v: f32[3]{1, 2, 3})\n",
     "Gemm"},
    {"pad_into_conv",
     "(x: f32[1,2,5,5]) -> (y)\np = Pad(x, q: i64[8]{0, 0, 1, 2, 0, 0, 0, 1})\n"
     "y = Conv(p, w: f32[3,2,3,3]) {kernel_shape: [3, 3]}\n",
     "Conv"},
    {"pad_into_padded_conv",
     "(x: f32[1,2,5,5]) -> (y)\np = Pad(x, q: i64[8]{0, 0, 1, 2, 0, 0, 0, 1})\n"
     "y = Conv(p, w: f32[3,2,3,3]) {pads: [1, 1, 1, 1]}\n",
     "Conv"},
};

TEST(UserRules, CommonRulesKeepWhatModelsCompute) {
    for (const CommonCase& c : common_cases) {
        const Model model = test::model_of(c.graph);
        OptimizeOptions options = with_rules("");
        options.rules = {common_rules()};
        options.only_passes = {std::string(user_pass_prefix) + c.rule};
        const OptimizeResult result = optimize(model, options);
        std::map<std::string, std::int64_t> sizes;
        if (std::string_view(c.graph).find("[n") != std::string_view::npos) sizes["n"] = 2;
        std::string reason =
            result.report.near_misses.empty() ? "" : result.report.near_misses.front().reason;
        EXPECT_EQ(operators_of(result.model), c.after) << c.rule << ": " << reason;
        EXPECT_EQ(test::compare_runs(model, result.model, same_result_within(1e-4, 1e-5), 1, sizes),
                  "")
            << c.rule;
    }
}

/// The graphs that passes are tested on, with the common rules alone.
TEST(UserRules, CommonRulesKeepWhatOtherGraphsCompute) {
    const std::vector<test::PassCase> cases = test::read_pass_cases(fixtures_folder() / "passes");
    std::size_t applied = 0;
    for (std::size_t i = 0; i < cases.size(); i += 2) {
        const test::PassCase& c = cases[i];
        if (!c.runs || c.before.find("BatchNormalization") != std::string::npos) continue;
        const Model model = test::model_of(c.before, c.opset);
        OptimizeOptions options = with_rules("");
        options.rules = {common_rules()};
        const OptimizeResult result = optimize(model, options);
        const bool changed = std::ranges::any_of(
            result.report.rewrites, [](const AppliedRewrite& r) { return r.level == Level::user; });
        if (!changed) continue;
        ++applied;
        EXPECT_EQ(test::compare_runs(model, result.model, same_result_within(5e-3, 1e-3), 1,
                                     c.dimensions),
                  "")
            << c.file.filename() << ":" << c.line << " " << c.name;
    }
    std::cout << applied << " graphs changed\n";
    EXPECT_GE(applied, 5u);
}

}  // namespace
}  // namespace lapidary
