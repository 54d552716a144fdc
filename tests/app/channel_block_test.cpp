// SPDX-License-Identifier: Apache-2.0
// --channel-block: every command that loads a model takes it; those that convert its layout or run
// it need it if the file does not state the block.
#include <gtest/gtest.h>

#include <lapidary/onnx_io/model_io.h>

#include "app/command_runner.h"
#include "support/test_data.h"
#include "support/unnamed_block.h"

namespace lapidary {
namespace {

class ChannelBlockCommands : public ::testing::Test {
protected:
    void SetUp() override { save_model(test::model_of_unnamed_block(), folder_ / "m.onnx"); }
    std::string file(const std::string& name) const { return (folder_ / name).string(); }
    TemporaryFolder folder_;
};

TEST_F(ChannelBlockCommands, AllTakeIt) {
    const std::vector<std::vector<std::string>> commands{
        {"info"},
        {"run"},
        {"profile", "--runs", "1"},
        {"memory"},
        {"optimize"},
        {"bisect"},
        {"bench", "--runs", "1", "--no-memory"},
        {"bench", "--vs", "self", "--runs", "3", "--no-memory"},
        {"sweep", "--intra", "1", "--seconds", "0.01"},
        {"compare", "--level", "disabled", "--level", "basic", "--runs", "1", "--seconds", "0.01"},
        {"report", "--no-measure", "--runs", "1", "-o", file("r.html")},
        {"snippet", "--language", "python"}};
    for (std::vector<std::string> command : commands) {
        command.insert(command.begin() + 1, file("m.onnx"));
        const CommandOutcome refused = run(command);
        const bool only_reads = command[0] == "info" || command[0] == "snippet";
        if (!only_reads)
            EXPECT_EQ(refused.code, cli::exit_not_supported)
                << command[0] << ": " << refused.out << refused.err;
        if (!only_reads)
            EXPECT_NE(refused.err.find("--channel-block 8 or --channel-block 16"),
                      std::string::npos)
                << command[0] << ": " << refused.err;
        for (const char* block : {"8", "16"}) {
            command.insert(command.end(), {"--channel-block", block});
            const CommandOutcome taken = run(command);
            EXPECT_EQ(taken.code, 0)
                << command[0] << " " << block << ": " << taken.out << taken.err;
            command.resize(command.size() - 2);
        }
    }
}

}  // namespace
}  // namespace lapidary
