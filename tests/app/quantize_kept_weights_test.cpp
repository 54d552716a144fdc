// SPDX-License-Identifier: Apache-2.0
// What the quantize command keeps beside its file for a run that goes on, and whose files it
// leaves.
#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <lapidary/internal/text_file.h>

#include "app/quantize_command_fixture.h"

namespace lapidary {
namespace {

TEST_F(QuantizeCommand, LeavesFilesThatAreNamedAsItsFolderOfKeptWeights) {
    const std::vector<std::string> others = {file("q.onnx.partial"),
                                             file("q.onnx.lapidary-partial")};
    for (const std::string& other : others) save_text(other, "precious");
    for (const char* mode : {"dynamic", "weights4"}) {
        const CommandOutcome made = run({"quantize", model_file(), "-o", file("q.onnx"), "--mode",
                                         mode, "--compensate", "--as-asked"});
        EXPECT_TRUE(std::filesystem::exists(file("q.onnx"))) << made.err;
        EXPECT_EQ(made.out.find("no weights were kept") != std::string::npos,
                  std::string(mode) == "weights4")
            << made.out;
        for (const std::string& other : others) EXPECT_EQ(load_text(other, 100), "precious");
    }
}

}  // namespace
}  // namespace lapidary
