// SPDX-License-Identifier: Apache-2.0
// compare --by node: this program against itself, and wrong command lines.
#include <gtest/gtest.h>

#include "app/command_runner.h"

namespace lapidary {
namespace {

TEST(CompareNodes, TwoLevelsOfOneModel) {
    const CommandOutcome outcome = run({"compare", "sample:lenet", "--by", "node", "--level",
                                        "disabled", "--level", "all", "--pairs", "6", "--json"});
    ASSERT_EQ(outcome.code, cli::exit_fine) << outcome.err;
    const Json json = outcome.json();
    EXPECT_EQ(json["pairs"], 6);
    EXPECT_EQ(json["a"]["engine"], "Lapidary");
    EXPECT_EQ(json["a"]["level"], "disabled");
    EXPECT_EQ(json["b"]["level"], "all");
    ASSERT_FALSE(json["sentences"].empty());
    bool has_fused = false;
    for (const Json& group : json["groups"]) {
        EXPECT_LE(group["ci_ms"][0], group["difference_ms"]);
        EXPECT_GE(group["ci_ms"][1], group["difference_ms"]);
        has_fused |=
            group["nodes"].size() > 1 && group["a_ms"].is_number() && group["b_ms"].is_number();
    }
    EXPECT_TRUE(has_fused) << "Conv and Relu are one kernel at level all\n" << outcome.out;
}

TEST(CompareNodes, TheTableNamesNodes) {
    const CommandOutcome outcome = run({"compare", "sample:mlp", "--by", "node", "--engine",
                                        "lapidary", "--intra", "1", "--pairs", "6"});
    ASSERT_EQ(outcome.code, cli::exit_fine) << outcome.err;
    for (const char* part :
         {"A  Lapidary", "B  Lapidary", "whole run", "6 pairs", "node or group", "Gemm"})
        EXPECT_NE(outcome.out.find(part), std::string::npos) << part << " in " << outcome.out;
}

TEST(CompareNodes, WrongCommandLines) {
    expect_error(run({"compare", "sample:mlp", "--engine", "lapidary"}), cli::exit_usage,
                 {"--by node"});
    expect_error(run({"compare", "sample:mlp", "--by", "node"}), cli::exit_usage,
                 {"nothing to compare", "--engine"});
    expect_error(
        run({"compare", "sample:mlp", "sample:lenet", "--by", "node", "--engine", "lapidary"}),
        cli::exit_usage, {"one model"});
    expect_error(run({"compare", "sample:mlp", "--by", "node", "--engine", "lapidary",
                      "--max-regress", "3"}),
                 cli::exit_usage, {"--max-regress"});
    expect_error(
        run({"compare", "sample:mlp", "--by", "node", "--engine", "lapidary", "-o", "x.html"}),
        cli::exit_usage, {"--json"});
    expect_error(run({"compare", "sample:mlp", "--by", "node", "--engine", "lapidary", "--engine",
                      "lapidary", "--engine", "lapidary"}),
                 cli::exit_usage, {"at most two", "3"});
    expect_error(run({"compare", "sample:mlp", "--by", "node", "--engine", "/nowhere/at/all"}),
                 cli::exit_not_supported, {"/nowhere/at/all", "expected the library"});
    expect_error(run({"compare", "sample:mlp", "--by", "node", "--engine", "no_such_engine"}),
                 cli::exit_usage, {"--engine", "there is no engine \"no_such_engine\""});
    expect_error(run({"compare", "sample:mlp", "--by", "node", "--engine", "onnxruntime:x=1"}),
                 cli::exit_usage, {"onnxruntime takes no options"});
    expect_error(
        run({"compare", "sample:mlp", "--by", "node", "--engine", "lapidary", "--pairs", "100000"}),
        cli::exit_usage, {"--pairs", "at most 17391 pairs"});
}

}  // namespace
}  // namespace lapidary
