// SPDX-License-Identifier: Apache-2.0
// Rules whose matches have several last nodes, and calls inside of calls in a match.
#include <algorithm>

#include <gtest/gtest.h>

#include <lapidary/base/error.h>
#include <lapidary/passes/user_rules.h>

#include "support/pass_harness.h"

namespace lapidary {
namespace {

OptimizeResult result_of_rules(const std::string& rules, const Model& model) {
    OptimizeOptions options;
    options.level = Level::disabled;
    options.verify = true;
    options.rules = {{"my.rules", rules}};
    for (const UserPass& pass : user_passes(options.rules))
        options.only_passes.push_back(pass.name);
    return optimize(model, options);
}

/// Operators in alphabetical order behind the rules; results must be the same.
std::string operators_behind(const std::string& rules, const std::string& graph) {
    const Model model = test::model_of(graph);
    const Model result = result_of_rules(rules, model).model;
    EXPECT_EQ(test::compare_runs(model, result, {}), "") << graph;
    std::vector<std::string> operators;
    for (const NodeId id : result.graph.nodes()) operators.push_back(result.graph.node(id).op_type);
    std::ranges::sort(operators);
    std::string text;
    for (const std::string& name : operators) text += (text.empty() ? "" : " ") + name;
    return text;
}

std::string near_miss_of(const std::string& rules, const std::string& graph) {
    const OptimizeResult result = result_of_rules(rules, test::model_of(graph));
    EXPECT_TRUE(result.report.rewrites.empty()) << graph;
    return result.report.near_misses.empty() ? "none" : result.report.near_misses.front().reason;
}

std::string mistake_of(const std::string& rules) {
    const std::vector<RuleText> files{{"my.rules", rules}};
    try {
        user_passes(files);
    } catch (const Error& error) { return error.what(); }
    return "none";
}

const std::string shared_input = R"(rule shared_input "two products of one input"
match
  a = MatMul(x, const p)
  y = MatMul(x, const q)
where
  rank(p) == 2
  rank(q) == 2
replace
  both = MatMul(x, const Concat(p, q, axis=1))
  a, y = Split(both, [dim(p, 1), dim(q, 1)], axis=-1)
)";

TEST(RulesOfSeveralResults, SiblingsBecomeOneNode) {
    EXPECT_EQ(operators_behind(shared_input,
                               "(x: f32[2,3]) -> (y, z)\n a = MatMul(x, p: f32[3,4])\n"
                               " y = MatMul(x, q: f32[3,5])\n z = Relu(a)\n"),
              "MatMul Relu Split");
    EXPECT_EQ(operators_behind(shared_input,
                               "(x: f32[2,3]) -> (a, b, c)\n a = MatMul(x, p: f32[3,4])\n"
                               " b = MatMul(x, q: f32[3,5])\n c = MatMul(x, r: f32[3,2])\n"),
              "MatMul Split Split");
}

TEST(RulesOfSeveralResults, NearMissesNameWhatIsNotThere) {
    EXPECT_EQ(near_miss_of(shared_input,
                           "(x: f32[2,3], t: f32[2,3]) -> (y, z)\n"
                           " y = MatMul(x, q: f32[3,5])\n z = MatMul(t, q)\n"),
              "none");  // one operator alone is no near miss
    const std::string reason = near_miss_of(
        shared_input,
        "(x: f32[2,3], t: f32[3,4]) -> (y, z)\n y = MatMul(x, q: f32[3,5])\n z = MatMul(x, t)\n");
    EXPECT_NE(reason.find("expected a constant (p)"), std::string::npos) << reason;
    EXPECT_EQ(near_miss_of(shared_input,
                           "(x: f32[3]) -> (y, z)\n y = MatMul(x, q: f32[3])\n"
                           " z = MatMul(x, p: f32[3])\n"),
              "matched but for: rank(p) must be 2 (found 1)");
}

TEST(RulesOfSeveralResults, AValueInsideIsReadByBoth) {
    const std::string rule = R"(rule both
match
  r = Relu(x)
  z = Neg(r)
  y = Exp(r)
replace
  m = Max(x, 0)
  z = Neg(m)
  y = Exp(m)
)";
    EXPECT_EQ(
        operators_behind(rule, "(x: f32[4]) -> (y, z)\n r = Relu(x)\n z = Neg(r)\n y = Exp(r)\n"),
        "Exp Max Neg");
    EXPECT_NE(near_miss_of(rule, "(x: f32[4]) -> (y, z)\n r = Relu(x)\n z = Abs(r)\n y = Exp(r)\n")
                  .find("nothing else that reads a matched value is Neg"),
              std::string::npos);
}

TEST(RulesOfSeveralResults, AResultThatFeedsWhatTheOtherReadsIsRefused) {
    const std::string rule = R"(rule chain
match
  a = Add(x, c)
  y = Mul(x, d)
replace
  a, y = Split(Concat(Add(x, c), Mul(x, d), axis=0), axis=0)
)";
    const std::string reason =
        near_miss_of(rule, "(x: f32[4], d: f32[4]) -> (a, y)\n y = Mul(x, d)\n a = Add(x, y)\n");
    EXPECT_NE(reason.find("reads what is computed from it"), std::string::npos) << reason;
}

TEST(RulesOfSeveralResults, CallsStandInsideOfCalls) {
    const std::string rule = R"(rule swish
match
  y = Mul(x, Sigmoid(x))
replace
  y = HardSwish(x)
)";
    for (const char* product : {"Mul(x, s)", "Mul(s, x)"}) {
        const Model model = test::model_of(
            "(x: f32[2,3]) -> (y)\n s = Sigmoid(x)\n y = " + std::string(product) + "\n");
        EXPECT_EQ(result_of_rules(rule, model).model.graph.node_count(), 1U) << product;
    }
    EXPECT_EQ(operators_behind("rule deep\nmatch\n  y = Neg(Neg(Transpose(Transpose(x, perm=p), "
                               "perm=q)))\nreplace\n  y = Transpose(x, perm=permute(p, q))\n",
                               "(x: f32[2,3,4]) -> (y)\n a = Transpose(x) {perm: [2, 0, 1]}\n"
                               " b = Transpose(a) {perm: [0, 2, 1]}\n c = Neg(b)\n y = Neg(c)\n"),
              "Transpose");
}

TEST(RulesOfSeveralResults, LinesThatBelongToNothingAreMistakes) {
    EXPECT_NE(mistake_of("rule a\nmatch\n  b = Neg(x)\n  y = Relu(x)\nreplace\n  y = x\n")
                  .find("my.rules:3:3: nothing reads \"b\""),
              std::string::npos);
    EXPECT_NE(mistake_of("rule a\nmatch\n  b = Neg(z)\n  y = Relu(x)\nreplace\n  b = Abs(z)\n"
                         "  y = x\n")
                  .find("my.rules:3:3: \"b\" reads nothing that the other lines"),
              std::string::npos);
}

}  // namespace
}  // namespace lapidary
