// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <lapidary/onnx_io/model_io.h>
#include <lapidary/inputs/samples.h>

#include "app/command_runner.h"
#include "support/test_data.h"

namespace lapidary {
namespace {

class MemoryCommand : public testing::Test {
protected:
    MemoryCommand() : model_((folder_ / "m.onnx").string()) {
        save_model(build_sample("bert-tiny"), model_);
    }
    TemporaryFolder folder_;
    std::string model_;
};

TEST_F(MemoryCommand, SaysWhereThePeakIs) {
    const CommandOutcome text = run({"memory", model_});
    ASSERT_EQ(text.code, 0) << text.err;
    for (const char* part :
         {"process ", "made of", "packed copies", "held by the arena", "as stored in the file",
          "Activations planned: ", "sequence 128: the default for text", "alive at step",
          "(the peak)", "planned memory off", "fused steps off"})
        EXPECT_NE(text.out.find(part), std::string::npos) << part;
    EXPECT_NE(run({"memory", model_, "--step", "0"}).out.find("alive at step 0"),
              std::string::npos);
    expect_error(run({"memory", model_, "--step", "100000"}), cli::exit_bad_input, {"100000"});
}

TEST_F(MemoryCommand, SwitchesAndSizesChangeIt) {
    const auto held = [&](std::vector<std::string> more) {
        // A long sequence, so that the peak is not the working memory of a kernel, which differs
        // from one instruction set to another.
        more.insert(more.begin(),
                    {"memory", model_, "--json", "--dim", "sequence=512", "--level", "disabled"});
        const Json json = run(more).json();
        EXPECT_EQ(json["steps"].size() == 0, json["tensors"].size() == 0);
        return json["held_bytes"].get<std::uint64_t>();
    };
    const std::uint64_t usual = held({});
    EXPECT_GT(held({"--no-in-place"}), usual);
    EXPECT_NE(held({"--session-passes", "on", "--no-fused-steps"}),
              held({"--session-passes", "on"}));
    // Regions of 1, 2, 4 MiB ..., besides what the arena prepares before the first request.
    EXPECT_GT(held({"--no-pattern"}), usual);
    EXPECT_LT(held({"--no-pattern"}), 4 * usual);
    EXPECT_GT(held({"--dim", "batch=4"}), 3 * usual);
}

}  // namespace
}  // namespace lapidary
