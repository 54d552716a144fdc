// SPDX-License-Identifier: Apache-2.0
// Weights beside models. Those that this program wrote for one model are removed with it; others
// stay and are reported. What killed saves leave behind is removed by the next save.
#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>

#ifndef _WIN32
#include <sys/wait.h>
#include <unistd.h>
#endif

#include <lapidary/graph/graph_diff.h>
#include <lapidary/onnx_io/model_io.h>

#include "onnx_io/weights/weights_files.h"
#include "onnx_io/weights/weights_journal.h"
#include "support/onnx_bytes.h"
#include "support/test_data.h"

namespace lapidary::onnx_io {
namespace {

using namespace test::onnx_bytes;
namespace fs = std::filesystem;

using Names = std::vector<std::string>;

Model weights_model(float first) {
    GraphParts graph;
    graph.initializers = {tensor("w", {100}, 1, raw(std::vector<float>(100, first)))};
    graph.nodes = {node("Identity", {"w"}, {"y"})};
    graph.outputs = {value_info("y", 1, {100})};
    const std::string text = model(graph);
    return load_model_from_memory(std::as_bytes(std::span(text.data(), text.size())));
}

class WeightsFiles : public testing::Test {
protected:
    Names save(const std::string& name, float first, bool beside = true) {
        SaveOptions options;
        if (beside) options.external_data_min_bytes = 1;
        return save_model(weights_model(first), folder_ / name, options);
    }
    /// No hidden file is left out: a journal that stays is found.
    Names listing() const {
        Names names;
        for (const auto& entry : fs::directory_iterator(folder_.path()))
            names.push_back(entry.path().filename().string());
        std::ranges::sort(names);
        return names;
    }
    void expect_weights(const std::string& name, float first) {
        EXPECT_EQ(differences(weights_model(first), load_model(folder_ / name)), Names{}) << name;
    }
    TemporaryFolder folder_;
};

bool holds(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

TEST_F(WeightsFiles, OnlyOwnWeightsAreRemovedWithTheirModel) {
    save("a.onnx", 1);
    EXPECT_EQ(save("a.onnx", 2, false), Names{});
    EXPECT_EQ(listing(), Names{"a.onnx"});
}

TEST_F(WeightsFiles, ThoseThatAnotherModelNamesStayAndAreReported) {
    save("a.onnx", 1);
    fs::copy_file(folder_ / "a.onnx", folder_ / "a.onnx.bak");
    for (const bool beside : {false, true}) {
        const Names reported = save("a.onnx", 2, beside);
        EXPECT_EQ(listing(), beside
                                 ? (Names{"a.onnx", "a.onnx.1.data", "a.onnx.bak", "a.onnx.data"})
                                 : (Names{"a.onnx", "a.onnx.bak", "a.onnx.data"}));
        expect_weights("a.onnx.bak", 1);
        if (beside) continue;
        ASSERT_EQ(reported.size(), 1u);
        EXPECT_EQ(reported[0], "\"a.onnx.data\" stays: \"a.onnx.bak\" keeps weights in it, too");
    }
    fs::remove(folder_ / "a.onnx");
    fs::rename(folder_ / "a.onnx.bak", folder_ / "a.onnx");
    EXPECT_EQ(save("a.onnx", 3, false), Names{}) << "no other model names them now";
    EXPECT_EQ(listing(), (Names{"a.onnx", "a.onnx.1.data"}))
        << "of a model that was removed by hand";
}

TEST_F(WeightsFiles, ThoseOfOtherProgramsStayAndAreReported) {
    save("a.onnx", 1);
    const fs::path data = folder_ / "a.onnx.data";
    fs::resize_file(data, fs::file_size(data) - weights_mark.size());
    const Names reported = save("a.onnx", 2, false);
    ASSERT_EQ(reported.size(), 1u);
    EXPECT_TRUE(holds(reported[0], "\"a.onnx.data\" stays: ") &&
                holds(reported[0], "was not written by this program"));
    EXPECT_TRUE(fs::exists(data));
    fs::create_directory(folder_ / "sub");
    EXPECT_FALSE(
        remove_unused_weights(folder_.path(), {"sub/../a.onnx.data", "gone.data"}).empty());
}

TEST_F(WeightsFiles, AModelThatIsNoneIsNoUser) {
    save("a.onnx", 1);
    std::ofstream(folder_ / "notes.txt") << "a.onnx.data belongs to a.onnx\n";
    fs::create_directory(folder_ / "folder.onnx");
#ifndef _WIN32
    fs::create_symlink("loop", folder_ / "loop");
#endif
    EXPECT_EQ(save("a.onnx", 2, false), Names{});
    EXPECT_FALSE(fs::exists(folder_ / "a.onnx.data"));
}

/// A TensorProto whose data lie in `location`.
std::string external_tensor(const std::string& location) {
    const auto entry = [](const std::string& key, const std::string& value) {
        return bytes(13, bytes(1, key) + bytes(2, value));
    };
    return number(1, 1) + number(2, 1) + bytes(8, "t") + entry("offset", "0") +
           entry("location", location) + number(14, 1);
}

TEST(ExternalLocations, AreFoundWhereverTensorsAre) {
    const std::string sparse =
        bytes(1, external_tensor("values")) + bytes(2, external_tensor("places"));
    const std::string branch = bytes(5, external_tensor("branch"));
    const std::string attributes =
        bytes(5, bytes(1, "a") + bytes(5, external_tensor("one"))) +
        bytes(5, bytes(1, "b") + bytes(10, external_tensor("list"))) +
        bytes(5, bytes(1, "c") + bytes(6, branch)) +
        bytes(5, bytes(1, "d") +
                     bytes(11, bytes(1, bytes(5, bytes(6, bytes(5, external_tensor("deep")))))));
    const std::string graph =
        bytes(1, attributes) + bytes(5, external_tensor("./initializer")) + bytes(15, sparse);
    const std::string function = bytes(7, bytes(5, bytes(5, external_tensor("function"))));
    const std::string file = number(1, 8) + bytes(7, graph) +
                             bytes(20, bytes(1, bytes(5, external_tensor("training")))) +
                             bytes(25, function);
    const auto found = external_locations(std::as_bytes(std::span(file.data(), file.size())));
    Names names;
    for (const fs::path& one : found) names.push_back(one.string());
    EXPECT_EQ(names, (Names{"branch", "deep", "function", "initializer", "list", "one", "places",
                            "training", "values"}));
}

#ifndef _WIN32  // which has no fork()

class KilledSaves : public WeightsFiles {
protected:
    /// Runs `work` in a process that kills itself there; whether it came to its end.
    template <typename Work>
    static bool ended(const Work& work) {
        const pid_t child = ::fork();
        if (child == 0) {
            work();
            ::_exit(0);
        }
        int status = 0;
        ::waitpid(child, &status, 0);
        return WIFEXITED(status);
    }
};

TEST_F(KilledSaves, LeaveNothingBehindForLong) {
    save("x.onnx", 1);
    bool is_done = false;
    int kills = 0;
    for (int step = 1; !is_done; ++step) {
        is_done = ended([&] {
            Progress progress;
            int steps = 0;
            progress.report = [&](std::string_view, double) {
                if (++steps == step) ::raise(SIGKILL);
            };
            SaveOptions options;
            options.external_data_min_bytes = 1;
            save_model(weights_model(2), folder_ / "x.onnx", options, progress);
        });
        kills += !is_done;
        expect_weights("x.onnx", is_done ? 2 : 1);
        save("other.onnx", 3, false);  // any save in the folder sweeps it
        EXPECT_EQ(listing().size(), 3u)
            << "after step " << step << ": " << ::testing::PrintToString(listing());
        save("x.onnx", 1);
    }
    EXPECT_GE(kills, 3) << "before, between and within the two files";
}

TEST_F(KilledSaves, OldWeightsThatWereToBeRemovedAreRemoved) {
    save("x.onnx", 1);
    fs::copy_file(folder_ / "x.onnx.data", folder_ / "x.onnx.7.data");
    fs::copy_file(folder_ / "x.onnx.data", folder_ / "x.onnx.8.data");
    std::ofstream(folder_ / "precious.data") << "no mark";
    EXPECT_FALSE(ended([&] {
        const WeightsJournal journal(
            folder_ / "x.onnx", {"x.onnx.data", "x.onnx.7.data", "x.onnx.8.data", "precious.data"});
        ::raise(SIGKILL);
    }));
    {
        const WeightsJournal living(folder_ / "x.onnx", {"x.onnx.8.data"});
        remove_left_weights(folder_.path());
        EXPECT_TRUE(fs::exists(folder_ / "x.onnx.8.data")) << "a save is at it";
    }
    EXPECT_EQ(listing(), (Names{"precious.data", "x.onnx", "x.onnx.8.data", "x.onnx.data"}));
}

#endif

}  // namespace
}  // namespace lapidary::onnx_io
