// SPDX-License-Identifier: Apache-2.0
// Commands with --on, on this machine behind a script in place of ssh.
#include <sys/types.h>

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include <lapidary/inputs/samples.h>
#include <lapidary/onnx_io/model_io.h>
#include <lapidary/tensor/tensor_file.h>

#include "app/command_runner.h"
#include "support/fake_target.h"

namespace lapidary {
namespace {

namespace fs = std::filesystem;
using test::FakeTarget;

TEST(OnTarget, CommandsPrintThereWhatTheyPrintHere) {
    const FakeTarget target;
    const TemporaryFolder folder;
    const std::string model = (folder / "net.onnx").string();
    save_model(build_sample("mlp"), model);
    const std::string outputs = (folder / "outputs.npz").string();

    const CommandOutcome here = run({"run", model, "--json", "--seed", "3"});
    const CommandOutcome there =
        run({"run", model, "--on", "pi@board", "--json", "--seed", "3", "--outputs", outputs});
    ASSERT_EQ(there.code, 0) << there.err;
    Json found = there.json(), expected = here.json();
    EXPECT_EQ(found["on"]["target"], "pi@board");
    EXPECT_GT(found["on"]["cores"], 0);
    EXPECT_EQ(found["file"], model);
    for (const char* const member : {"inputs", "outputs", "level", "sizes"})
        EXPECT_EQ(found[member], expected[member]) << member;
    EXPECT_GT(fs::file_size(outputs), 100u);

    const CommandOutcome text = run(
        {"profile", model, "--on", "board", "-o", (folder / "trace.json").string(), "--runs", "2"});
    ASSERT_EQ(text.code, 0) << text.err;
    EXPECT_EQ(text.out.rfind("on          board: ", 0), 0u) << text.out;
    EXPECT_EQ(text.out.find(target.home().string()), std::string::npos) << text.out;
    std::ifstream trace(folder / "trace.json");
    EXPECT_TRUE(Json::accept(trace));

    const CommandOutcome bench = run({"bench", "sample:mlp", "--on", "board", "--runs", "3",
                                      "--no-memory", "--csv", (folder / "b.csv").string()});
    EXPECT_EQ(bench.code, 0) << bench.err;
    EXPECT_TRUE(fs::exists(folder / "b.csv"));
}

TEST(OnTarget, AccuracyHasItsSamplesAndLabelsThere) {
    const FakeTarget target;
    const TemporaryFolder folder;
    const std::string model = (folder / "net.onnx").string();
    const std::string data = (folder / "samples.npz").string();
    save_model(build_sample("lenet"), model);
    save_npz(data, {{"x", Tensor::of<float>({4, 1, 28, 28}, std::vector<float>(4 * 784, 0.5f))},
                    {"y", Tensor::of<std::int64_t>({4}, {0, 1, 2, 3})}});
    const std::vector<std::string> words{"accuracy", model,       "--data", data,
                                         "--labels", data + ":y", "--json"};
    const CommandOutcome here = run(words);
    ASSERT_EQ(here.code, 0) << here.err;
    std::vector<std::string> there_words = words;
    there_words.insert(there_words.end(), {"--on", "pi@board"});
    const CommandOutcome there = run(there_words);
    ASSERT_EQ(there.code, 0) << there.err;
    Json found = there.json();
    EXPECT_EQ(found["on"]["target"], "pi@board");
    found.erase("on");
    EXPECT_EQ(found, here.json());
}

TEST(OnTarget, ErrorsAreThoseOfTheCommand) {
    const FakeTarget target;
    const TemporaryFolder folder;
    expect_error(run({"run", "sample:mlp", "--on=-oProxyCommand=id"}), 2, {"--on"});
    expect_error(run({"run", "sample:mlp", "--on", "nowhere"}), 3,
                 {"nowhere cannot be reached", "refused"});
    expect_error(run({"run", (folder / "no.onnx").string(), "--on", "board"}), 3,
                 {"no such file", "no.onnx"});
    const std::string broken = (folder / "broken.onnx").string();
    std::ofstream(broken) << "this is no model";
    expect_error(run({"run", broken, "--on", "board"}), 3, {"broken.onnx"});
}

}  // namespace
}  // namespace lapidary
