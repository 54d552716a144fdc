// SPDX-License-Identifier: Apache-2.0
// Large traces of ONNX Runtime: 200 MB in under 5 s of processor time and 600 MB of memory. By
// default a fifth of that; LAPIDARY_TRACE_MB=200 takes it whole.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include <fmt/format.h>

#include <lapidary/profile/profile.h>

#include "support/cpu_clock.h"
#include "support/test_data.h"
#include "support/time_budget.h"

namespace lapidary {
namespace {

const double slowdown = 4 * wall_factor;  // a neighbour on the same core, a slower machine

/// "VmHWM" and the like of this process, in bytes.
double memory_figure(const std::string& name) {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);)
        if (line.starts_with(name + ":")) return std::stod(line.substr(name.size() + 1)) * 1024;
    return 0;
}

struct Written {
    std::size_t kernels = 0, runs = 0;
};

/// As ONNX Runtime 1.17 writes it, fences aside.
Written write_onnxruntime_profile(const std::filesystem::path& path, std::size_t bytes) {
    std::ofstream out(path, std::ios::binary);
    Written written;
    std::size_t size = 0;
    std::int64_t us = 1000;
    const auto put = [&](const std::string& text) {
        out << text;
        size += text.size();
    };
    put("[\n");
    while (size < bytes) {
        const std::int64_t begin = us;
        for (int node = 0; node < 200; ++node, us += 40) {
            put(fmt::format(
                R"({{"cat" : "Node","pid" :4711,"tid" :4711,"dur" :{},"ts" :{},"ph" : "X","name" )"
                R"(:"/encoder/layer.{}/attention/self/query/MatMul_{}_kernel_time","args" : {{)"
                R"("op_name" : "MatMul","node_index" : "{}","provider" : )"
                R"("CPUExecutionProvider","input_type_shape" : [{{"float":[1,128,768]}},{{"float":[768,768]}}],)"
                R"("output_type_shape" : [{{"float":[1,128,768]}}],"output_size" : "393216","parameter_size" : )"
                R"("2359296","activation_size" : "393216",)"
                R"("thread_scheduling_stats" : {{"main_thread": {{"thread_pool_name": "session-1-intra-op", )"
                R"("thread_id": "4711", "block_size": [], "core": 0, "Distribution": 0, "DistributionEnqueue": 0, )"
                R"("Run": 0, "Wait": 0, "WaitRevoke": 0}}, "sub_threads": {{}}}}}}}},)"
                "\n",
                30 + node % 7, us, node % 12, node, node));
            ++written.kernels;
        }
        put(fmt::format(
            R"({{"cat" : "Session","pid" :4711,"tid" :4711,"dur" :{},"ts" :{},"ph" : "X","name" )"
            R"(:"model_run","args" : {{}}}},)"
            "\n",
            us - begin, begin));
        ++written.runs;
    }
    put(R"({"cat" : "Session","pid" :4711,"tid" :4711,"dur" :1,"ts" :1,"ph" : "X","name" )"
        R"(:"session_initialization","args" : {}}])");
    return written;
}

TEST(ProfileTraceSize, LargeTracesTakeLittleTimeAndMemory) {
    const char* wanted = std::getenv("LAPIDARY_TRACE_MB");
    const double megabytes = wanted ? std::atof(wanted) : 40;
    ASSERT_GT(megabytes, 0);
    const TemporaryFolder folder;
    const auto path = folder.path() / "profile.json";
    const Written written =
        write_onnxruntime_profile(path, static_cast<std::size_t>(megabytes * 1e6));

    std::ofstream("/proc/self/clear_refs") << "5";  // the highest so far begins anew
    const double before = memory_figure("VmHWM"),
                 start = test::cpu_seconds(CLOCK_PROCESS_CPUTIME_ID);
    const Profile profile = load_chrome_trace(path);
    const double seconds = test::cpu_seconds(CLOCK_PROCESS_CPUTIME_ID) - start,
                 memory = memory_figure("VmHWM") - before;
    EXPECT_EQ(profile.kernels.size(), written.kernels);
    EXPECT_EQ(profile.run_spans.size(), written.runs);
    EXPECT_EQ(profile.op(profile.kernels[5]), "MatMul");
    EXPECT_EQ(profile.kernels.back().run, static_cast<int>(written.runs) - 1);
    EXPECT_LT(seconds, slowdown * 5 * megabytes / 200) << megabytes << " MB";
    if (!under_sanitizer && before > 0) {
        EXPECT_LT(memory / 1e6, 600 * megabytes / 200 + 10)
            << megabytes << " MB in " << seconds << " s";
    }
    RecordProperty("seconds", std::to_string(seconds));
    RecordProperty("memory_mb", std::to_string(memory / 1e6));
    if (wanted)
        std::printf("%.0f MB, %zu kernels: %.2f s of processor time, %.0f MB of memory\n",
                    megabytes, written.kernels, seconds, memory / 1e6);

    const double again = test::cpu_seconds(CLOCK_PROCESS_CPUTIME_ID);
    const ProfileSummary summary = summarize(profile);
    EXPECT_EQ(summary.nodes.size(), 200u);
    EXPECT_LT(test::cpu_seconds(CLOCK_PROCESS_CPUTIME_ID) - again, slowdown * 1 * megabytes / 200);
}

}  // namespace
}  // namespace lapidary
