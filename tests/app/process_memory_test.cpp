// SPDX-License-Identifier: Apache-2.0
// What `memory` says that a process takes, against what the system counts of such a process: models
// and switches.
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "bench/process/child_process.h"
#include "support/test_data.h"

namespace lapidary {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

struct Totals {
    double reported = 0, counted = 0;  // bytes
};

class ProcessMemoryTest : public testing::Test {
protected:
    void SetUp() override {
#if !defined(__linux__) || defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
        GTEST_SKIP()
            << "only Linux counts the memory of one process alone, and sanitizers take memory too";
#endif
    }

    /// Of one process for each model and arguments: a figure that several comparisons begin with is
    /// taken once.
    static Totals totals_of(const std::string& model, const Words& arguments) {
        static std::map<std::pair<std::string, Words>, Totals> known;
        const auto [at, is_new] = known.try_emplace({model, arguments});
        if (is_new) at->second = measured_totals(model, arguments);
        return at->second;
    }
    static Totals measured_totals(const std::string& model, const Words& arguments) {
        Words command{cli_program(), "memory", model, "--measure", "--json"};
        command.insert(command.end(), arguments.begin(), arguments.end());
        const FinishedProgram done = run_program(command, std::chrono::minutes(2));
        if (done.code != 0) {
            ADD_FAILURE() << model << ": " << done.err;
            return {};
        }
        const auto json = nlohmann::json::parse(done.out);
        return {json["process"]["total_bytes"].get<double>(),
                json["measured"]["running_bytes"].get<double>()};
    }
    static double allowed(const Totals& totals) { return std::max(2e6, 0.05 * totals.counted); }
    static std::string megabytes(double bytes) { return std::to_string(bytes / 1e6) + " MB"; }

    static void expect_as_counted(const std::string& model, const Words& arguments) {
        const Totals totals = totals_of(model, arguments);
        EXPECT_NEAR(totals.reported, totals.counted, allowed(totals)) << model;
    }

    /// What turning a switch changes.
    static void expect_change_as_counted(const std::string& model, const Words& usual,
                                         const Words& turned) {
        Words both = usual;
        both.insert(both.end(), turned.begin(), turned.end());
        const Totals before = totals_of(model, usual), after = totals_of(model, both);
        EXPECT_NEAR(after.reported - before.reported, after.counted - before.counted,
                    allowed(after))
            << model << " with " << testing::PrintToString(turned) << ": reported "
            << megabytes(before.reported) << " and " << megabytes(after.reported) << ", counted "
            << megabytes(before.counted) << " and " << megabytes(after.counted);
    }

    static fs::path recorded(const std::string& name) {
        return test_data() / "models" / "real" / (name + ".onnx");
    }
    static bool has_recorded() { return fs::exists(test_data() / "models" / "ref"); }
};

const Words at_all{"--level", "all", "--intra", "1"};

TEST_F(ProcessMemoryTest, SamplesTakeWhatIsReported) {
    const TemporaryFolder folder;
    for (const char* sample : {"mlp", "bert-tiny", "squeezenet"}) {
        const std::string file = (folder / (std::string(sample) + ".onnx")).string();
        ASSERT_EQ(
            run_program({cli_program(), "sample", sample, "-o", file}, std::chrono::minutes(1))
                .code,
            0);
        expect_as_counted(file, at_all);
    }
}

TEST_F(ProcessMemoryTest, RecordedModelsTakeWhatIsReported) {
    if (!has_recorded()) GTEST_SKIP() << "there are no recorded models beside the sources";
    for (const char* name : {"dnsmos-model-v8", "fns-candy", "maui-mobilenet", "silero-vad",
                             "tfbert-qa-toy", "ultraface-rfb-320", "squeezenet-winml-tensor"})
        expect_as_counted(recorded(name).string(), at_all);
}

// By hand, with --gtest_also_run_disabled_tests: all of them take half a minute.
TEST_F(ProcessMemoryTest, DISABLED_AllRecordedModelsTakeWhatIsReported) {
    if (!has_recorded()) GTEST_SKIP() << "there are no recorded models beside the sources";
    for (const auto& entry : fs::directory_iterator(test_data() / "models" / "ref"))
        expect_as_counted(recorded(entry.path().filename().string()).string(), at_all);
}

TEST_F(ProcessMemoryTest, SwitchesChangeWhatIsReported) {
    if (!has_recorded()) GTEST_SKIP() << "there are no recorded models beside the sources";
    for (const char* name : {"fns-candy", "ultraface-rfb-320"}) {
        const std::string model = recorded(name).string();
        for (const Words& turned : {Words{"--no-pattern"}, Words{"--no-arena"},
                                    Words{"--no-pattern", "--no-arena"}, Words{"--no-fused-steps"}})
            expect_change_as_counted(model, at_all, turned);
        expect_change_as_counted(model, {"--level", "all", "--intra", "1"},
                                 {"--session-passes", "off"});
    }
}

TEST_F(ProcessMemoryTest, ThreadsAndLevelsChangeWhatIsReported) {
    if (!has_recorded()) GTEST_SKIP() << "there are no recorded models beside the sources";
    const std::string model = recorded("dnsmos-sig-bak-ovr").string();
    const Totals one = totals_of(model, {"--level", "all", "--intra", "1"}),
                 two = totals_of(model, {"--level", "all", "--intra", "2"}),
                 disabled = totals_of(model, {"--level", "disabled", "--intra", "1"});
    EXPECT_NEAR(two.reported - one.reported, two.counted - one.counted, allowed(two));
    EXPECT_NEAR(disabled.reported - one.reported, disabled.counted - one.counted,
                allowed(disabled));
    EXPECT_GT(disabled.counted - one.counted, 10e6) << "this model takes more without optimizing";
}

}  // namespace
}  // namespace lapidary
