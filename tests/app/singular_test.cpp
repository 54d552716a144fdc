// SPDX-License-Identifier: Apache-2.0
// What the commands say of a model that has one of everything: "1 weight", not "1 weights".
#include <gtest/gtest.h>

#include <regex>
#include <set>

#include <lapidary/graph/graph_text.h>
#include <lapidary/onnx_io/model_io.h>

#include "app/command_runner.h"
#include "support/test_data.h"

namespace lapidary {
namespace {

/// Words that end with an s and are no plurals of things counted.
const std::set<std::string> no_plurals{"ms",  "ns",   "s",    "is",   "has", "was",
                                       "its", "this", "less", "pass", "as"};

std::string plural_after_one(const std::string& text) {
    static const std::regex one(R"((?:^|[^0-9.,])1 ([a-z]+s)\b[^\n]*)");
    for (std::sregex_iterator at(text.begin(), text.end(), one), end; at != end; ++at)
        if (!no_plurals.contains((*at)[1])) return at->str();
    return {};
}

TEST(Singular, APluralAfterOneIsFound) {
    EXPECT_EQ(plural_after_one("1 weights hold"), "1 weights hold");
    EXPECT_EQ(plural_after_one("21 weights, 1 weight, took 1 ms, 0.1 weights"), "");
}

TEST(Singular, CommandsSayOneOfOneThing) {
    const TemporaryFolder folder;
    const std::string one = (folder / "one.onnx").string(), out = (folder / "out.onnx").string();
    Model model;
    model.opset_imports[""] = 17;
    model.graph = parse_graph("(x: f32[1,16]) -> (y)\ny = MatMul(x, w: f32[16,8])");
    save_model(model, one);
    const std::vector<std::vector<std::string>> commands{
        {"info", one},
        {"memory", one},
        {"run", one},
        {"profile", one, "--runs", "1", "--warmup", "0", "--level", "all"},
        {"optimize", one, "-o", out, "--level", "all", "--explain", "--guard"},
        {"optimize", one, "-o", out, "--target", "portable", "--overwrite"},
        {"quantize", one, "-o", out, "--mode", "fp16", "--samples", "1", "--overwrite",
         "--explain"},
        {"quantize", one, "-o", out, "--mode", "static", "--samples", "1", "--overwrite",
         "--explain"},
        {"bench", one, "--runs", "1", "--no-memory"},
        {"extract", one, "-o", (folder / "part.onnx").string(), "--node", "MatMul_0"},
        {"compare", one, one, "--runs", "1", "--seconds", "0.05"}};
    for (const auto& command : commands) {
        const CommandOutcome outcome = run(command);
        EXPECT_NE(outcome.code, 2) << command[0] << ": " << outcome.err;
        EXPECT_EQ(plural_after_one(outcome.out + outcome.err), "") << command[0];
    }
}

}  // namespace
}  // namespace lapidary
