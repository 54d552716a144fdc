// SPDX-License-Identifier: Apache-2.0
// --rules: rules of the user in the commands that optimize.
#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "app/optimize_command_fixture.h"

namespace lapidary {
namespace {

class RulesOption : public OptimizeCommand {
protected:
    std::string rules(const std::string& text) {
        const std::string path = file("my.rules");
        std::ofstream(path) << text;
        return path;
    }
    /// Moves the outputs by 1, so that checks of results find it.
    std::string wrong() {
        return rules(
            "rule wrong \"adds one\"\nmatch\n  y = Abs(x)\nreplace\n"
            "  y = Add(x, 1)\n");
    }
    std::string swish() {
        return rules(
            "rule swish\nmatch\n  s = Sigmoid(x)\n  y = Mul(x, s)\nwhere\n"
            "  single_use(s)\nreplace\n  y = Mul(s, x)\n"
            "rule absolute\nmatch\n  y = Abs(x)\nreplace\n  y = Sqrt(Mul(x, x))\n");
    }
};

TEST_F(RulesOption, OptimizeAppliesAndExplainsThem) {
    const std::string model = small();
    const std::string text = rules(
        "rule absolute \"a root\"\nmatch\n  y = Abs(x)\nreplace\n"
        "  y = Sqrt(Mul(x, x))\n");
    const CommandOutcome done = run({"optimize", model, "--rules", text, "--level", "disabled",
                                     "--guard", "--explain", "-o", file("out.onnx")});
    ASSERT_EQ(done.code, 0) << done.err << done.out;
    EXPECT_NE(done.out.find("user:absolute"), std::string::npos) << done.out;
    EXPECT_EQ(operators(file("out.onnx")),
              (std::vector<std::string>{"Mul", "Mul", "Neg", "Sigmoid", "Sqrt"}));
    const CommandOutcome off = run({"optimize", model, "--rules", text, "--level", "disabled",
                                    "--disable-pass", "user:absolute", "-o", file("off.onnx")});
    ASSERT_EQ(off.code, 0) << off.err;
    EXPECT_EQ(operators(file("off.onnx")),
              (std::vector<std::string>{"Abs", "Mul", "Neg", "Sigmoid"}));
}

TEST_F(RulesOption, GuardAndBisectFindAWrongRule) {
    const std::string model = small(), text = wrong();
    EXPECT_EQ(run({"optimize", model, "--rules", text, "--guard"}).code, cli::exit_check_failed);
    const CommandOutcome found = run({"bisect", model, "--rules", text, "--dim", "n=2", "--json"});
    EXPECT_EQ(found.json()["found"], true) << found.out << found.err;
    EXPECT_NE(found.out.find("user:wrong"), std::string::npos) << found.out;
}

TEST_F(RulesOption, PassesListsThemFirst) {
    const CommandOutcome listed = run({"passes", "--rules", wrong(), "--json"});
    ASSERT_EQ(listed.code, 0) << listed.err;
    EXPECT_EQ(listed.json()["passes"][0]["name"], "user:wrong");
    EXPECT_EQ(listed.json()["passes"][0]["level"], "user");
}

TEST_F(RulesOption, OperatorsThatNobodyKnowsAreNamed) {
    const std::string text = rules(
        "rule wrong\nmatch\n  y = Sigmoid|com.microsoft::Gelu(x)\nreplace\n  y = Sigmod(x)\n");
    for (const CommandOutcome& done :
         {run({"passes", "--rules", text}), run({"optimize", small(), "--rules", text})}) {
        EXPECT_EQ(done.code, 0) << done.err;
        EXPECT_NE(done.err.find(text + ":5:7: no version of ONNX has an operator \"Sigmod\""),
                  std::string::npos)
            << done.err;
        EXPECT_NE(done.err.find("did you mean \"Sigmoid\"?"), std::string::npos) << done.err;
        EXPECT_EQ(done.err.find("Gelu"), std::string::npos) << done.err;
    }
}

TEST_F(RulesOption, CommandsThatRunAModelTakeThem) {
    const std::string model = small();
    const CommandOutcome ran =
        run({"run", model, "--dim", "n=2", "--rules", wrong(), "--level", "disabled", "--json"});
    ASSERT_EQ(ran.code, 0) << ran.err;
    EXPECT_EQ(ran.json()["optimization"]["rewrites"], 1) << ran.out;
}

TEST_F(RulesOption, RecipesHaveTheirText) {
    const std::string model = small();
    std::ofstream(file("recipe.json"))
        << R"({"level": "disabled", "rules": [{"file": "gone.rules", "text": "rule wrong\nmatch\n)"
        << R"(  y = Abs(x)\nreplace\n  y = Add(x, 1)\n"}]})";
    const CommandOutcome ran =
        run({"run", model, "--dim", "n=2", "--recipe", file("recipe.json"), "--json"});
    ASSERT_EQ(ran.code, 0) << ran.err;
    EXPECT_EQ(ran.json()["optimization"]["rewrites"], 1) << ran.out;
}

TEST_F(RulesOption, CompareHoldsAModelAgainstItselfWithRules) {
    const std::string model = small();
    const std::vector<std::string> quick{"--dim",   "n=2",   "--runs",    "1",    "--warmup", "0",
                                         "--rules", wrong(), "--seconds", "0.01", "--json"};
    std::vector<std::string> words{"compare", model};
    words.insert(words.end(), quick.begin(), quick.end());
    const CommandOutcome one = run(words);
    EXPECT_EQ(one.code, cli::exit_check_failed) << one.err << one.out;
    EXPECT_EQ(one.json()["b"]["name"], "all with rules");
    words.insert(words.end(), {"--level", "disabled", "--level", "all"});
    const CommandOutcome both = run(words);
    EXPECT_EQ(both.code, 0) << both.err << both.out;
    expect_error(run({"compare", model, "--by", "node", "--level", "basic", "--level", "all",
                      "--rules", wrong()}),
                 cli::exit_usage, {"--rules"});
}

TEST_F(RulesOption, DivergeNamesTheNodeThatARuleMade) {
    const std::string model = small();
    const CommandOutcome found =
        run({"diverge", model, "--rules", wrong(), "--dim", "n=2", "--json"});
    EXPECT_EQ(found.code, cli::exit_check_failed) << found.err << found.out;
    EXPECT_EQ(run({"diverge", model, "--level", "disabled", "--level", "all", "--rules", wrong(),
                   "--dim", "n=2"})
                  .code,
              0);
}

TEST_F(RulesOption, DivergeSaysThatNoRuleApplies) {
    const std::string other = rules("rule other\nmatch\n  y = Tanh(x)\nreplace\n  y = Neg(x)\n");
    const CommandOutcome same = run({"diverge", small(), "--rules", other, "--dim", "n=2"});
    EXPECT_EQ(same.code, 0) << same.err;
    EXPECT_NE(same.err.find("no rule of --rules applies to "), std::string::npos) << same.err;
}

TEST_F(RulesOption, SweepAndBenchMeasureWithThem) {
    const std::string model = small();
    const std::string fine =
        rules("rule absolute\nmatch\n  y = Abs(x)\nreplace\n  y = Max(x, Neg(x))\n");
    const CommandOutcome one = run({"sweep", model, "--rules", fine, "--dim", "n=2", "--intra", "1",
                                    "--level", "disabled", "--seconds", "0.01", "--json"});
    EXPECT_EQ(one.code, 0) << one.err;
    const CommandOutcome beside =
        run({"bench", model, "--vs", "self", "--rules", fine, "--dim", "n=2", "--intra", "1",
             "--runs", "2", "--no-memory", "--json"});
    EXPECT_EQ(beside.code, 0) << beside.err << beside.out;
    expect_error(run({"sweep", model, "--rules", fine, "--engine", "onnxruntime", "--dim", "n=2"}),
                 cli::exit_usage, {"--rules"});
}

TEST_F(RulesOption, MistakesAreNamedWithLineAndColumn) {
    const std::string model = small();
    expect_error(run({"optimize", model, "--rules", rules("rule a\nmatch\n  y = Relu(x)\n")}),
                 cli::exit_bad_input, {"my.rules:4:1", "expected \"replace\""});
    EXPECT_NE(run({"optimize", model, "--rules", file("none.rules")}).code, 0);
    expect_error(run({"optimize", model, "--rules", swish(), "--only-pass", "user:swosh"}),
                 cli::exit_bad_input, {"user:swosh", "user:swish"});
    expect_error(run({"optimize", model, "--only-pass", "user:swish"}), cli::exit_bad_input,
                 {"no rules are given"});
    expect_error(run({"optimize", model, "--rules", swish(), "--level", "disabled"}),
                 cli::exit_bad_input, {"user:swish", "does not come to an end"});
}

}  // namespace
}  // namespace lapidary
