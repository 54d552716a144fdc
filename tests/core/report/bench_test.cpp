// SPDX-License-Identifier: Apache-2.0
// The parts of a measurement: medians, the search for ONNX Runtime, communication with programs,
// comparison of outputs.
#include <atomic>
#include <cmath>
#include <fstream>
#include <functional>
#include <limits>
#include <random>
#include <thread>

#include <gtest/gtest.h>

#include <lapidary/bench/bench.h>
#include <lapidary/base/error.h>
#include <lapidary/internal/program_file.h>

#include "base/process/shared_library.h"
#include "bench/machine/canary.h"
#include "bench/process/child_process.h"
#include "bench/machine/handover.h"
#include "bench/statistics/median.h"
#include "bench/onnxruntime/onnxruntime_library.h"
#include "bench/process/process_load.h"
#include "support/test_data.h"

namespace lapidary {
namespace {

namespace fs = std::filesystem;

// ---- medians

TEST(BenchMedian, MiddleOfOddAndEvenCounts) {
    EXPECT_EQ(median_of({5, 1, 3}), 3);
    EXPECT_EQ(median_of({4, 1, 3, 2}), 2.5);
    EXPECT_EQ(median_of({7}), 7);
    EXPECT_TRUE(std::isnan(median_of({})));
}

// Ranks from the table of binomial confidence limits for a median, 95 %.
TEST(BenchMedian, IntervalRanksAreThoseOfTheTable) {
    const std::vector<std::pair<std::size_t, std::size_t>> table{
        {6, 1},  {8, 1},  {9, 2},   {11, 2},  {12, 3},  {15, 4},
        {20, 6}, {25, 8}, {30, 10}, {50, 18}, {100, 40}};
    for (const auto& [n, rank] : table) {
        std::vector<double> samples;
        for (std::size_t i = n; i > 0; --i) samples.push_back(static_cast<double>(i));
        const MedianEstimate estimate = estimate_median(samples);
        EXPECT_EQ(estimate.low, static_cast<double>(rank)) << n;
        EXPECT_EQ(estimate.high, static_cast<double>(n + 1 - rank)) << n;
        EXPECT_EQ(estimate.samples, n);
    }
}

TEST(BenchMedian, FewSamplesGiveTheirRangeAndNoPrecision) {
    const MedianEstimate estimate = estimate_median({3, 1, 2});
    EXPECT_EQ(estimate.low, 1);
    EXPECT_EQ(estimate.high, 3);
    EXPECT_TRUE(std::isinf(relative_half_width(estimate)));
    EXPECT_DOUBLE_EQ(relative_half_width(estimate_median({90, 95, 100, 100, 105, 110})), 0.1);
}

TEST(BenchMedian, IntervalHoldsTheTrueMedianInNineteenOfTwenty) {
    std::mt19937_64 random(7);
    std::lognormal_distribution<double> times(0, 0.4);  // median 1
    for (const std::size_t n : {7u, 20u, 101u, 1500u}) {
        int held = 0;
        constexpr int trials = 1000;
        for (int t = 0; t < trials; ++t) {
            std::vector<double> samples(n);
            for (double& s : samples) s = times(random);
            const MedianEstimate e = estimate_median(samples);
            held += e.low <= 1 && 1 <= e.high;
        }
        EXPECT_GE(held, 930) << n;
        EXPECT_LE(held, 995) << n;  // an interval that always holds it says nothing
    }
}

TEST(BenchMedian, GeometricMean) {
    EXPECT_DOUBLE_EQ(geometric_mean(std::vector<double>{2, 8}), 4);
    EXPECT_DOUBLE_EQ(geometric_mean(std::vector<double>{0.5, 2}), 1);
    EXPECT_DOUBLE_EQ(geometric_mean({}), 1);
}

// ---- the machine

TEST(BenchLoad, CountsTheCpuTimeOfThreadsThatRunNow) {
    std::atomic<bool> stop{false}, is_running{false};
    std::thread busy([&] {
        is_running = true;
        is_running.notify_one();
        while (!stop.load(std::memory_order_relaxed)) {}
    });
    is_running.wait(false);
    const ProcessLoad before = process_load();
    std::this_thread::sleep_for(std::chrono::milliseconds(3) + 2 * processor_time_tick);
    const double ran =
        process_load().cpu_ms + process_load().waited_ms - before.cpu_ms - before.waited_ms;
    stop = true;
    busy.join();
    EXPECT_GT(ran, 0.5);
}

TEST(BenchLoad, WaitsUntilOtherThreadsRest) {
    std::atomic<bool> done{false}, is_running{false};
    std::thread busy([&] {
        is_running = true;
        is_running.notify_one();
        const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(60) +
                         4 * processor_time_tick;
        while (std::chrono::steady_clock::now() < end) {}
        done = true;
        std::this_thread::sleep_for(std::chrono::milliseconds(300));
    });
    is_running.wait(false);
    wait_for_rest(std::chrono::milliseconds(5000));
    EXPECT_TRUE(done.load());
    busy.join();
}

TEST(BenchLoad, KnowsItsPeakMemory) { EXPECT_GT(peak_memory_mb(), 1); }

TEST(BenchCanary, IsAtFullSpeedSomeOfTheTime) {
    Canary canary(2);
    double best = 0;
    for (int i = 0; i < 200; ++i) {
        const double speed = canary.speed();
        EXPECT_GT(speed, 0);
        EXPECT_LE(speed, 1);
        best = std::max(best, speed);
    }
    EXPECT_GT(best, 0.5);
    EXPECT_GT(canary.best(), 0.01);
}

TEST(BenchHandover, TakesNanosecondsNotMore) {
    const double ns = core_handover_ns();
    EXPECT_GT(ns, 1);
    EXPECT_LE(ns, 1e9);  // the bound stands for a machine that gave no second core in time
}

// ---- programs

/// tests/bench_child, which lies beside this program.
std::vector<std::string> child(std::vector<std::string> words) {
    const fs::path program = program_file().parent_path() / program_file_name("bench_child");
    words.insert(words.begin(), program.string());
    return words;
}

TEST(BenchProgram, GivesOutputErrorsAndCode) {
    const FinishedProgram done =
        run_program(child({"say", "out\n", "err\n", "3"}), std::chrono::seconds(20));
    EXPECT_EQ(done.code, 3);
    EXPECT_EQ(done.out, "out\n");
    EXPECT_EQ(done.err, "err\n");
    EXPECT_EQ(run_program(child({"die"}), std::chrono::seconds(20)).code, 128 + 9);
}

TEST(BenchProgram, AnswersLineByLine) {
    ChildProgram echo(child({"echo"}));
    for (const char* line : {"one", "two"}) {
        echo.write_line(line);
        EXPECT_EQ(echo.read_line(std::chrono::seconds(20)), line);
    }
    EXPECT_EQ(echo.finish(std::chrono::seconds(20)).code, 0);
}

void expect_failure(const std::function<void()>& action, ErrorCode code, const std::string& words) {
    try {
        action();
        FAIL() << "no error with " << words;
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), code) << error.what();
        EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
    }
}

TEST(BenchProgram, SaysWhyItGotNoAnswer) {
    expect_failure([] { run_program({"/no/such/program"}, std::chrono::seconds(20)); },
                   ErrorCode::io_failure, "cannot be started");
    expect_failure(
        [] {
            ChildProgram(child({"say", "", "first\nthe cause\n", "0"}))
                .read_line(std::chrono::seconds(20));
        },
        ErrorCode::io_failure, "the cause");
    expect_failure(
        [] {
            ChildProgram(child({"say", "", "", "3"})).read_line(std::chrono::seconds(20));
        },
        ErrorCode::io_failure, "its exit code is 3");
    expect_failure([] { ChildProgram(child({"sleep"})).read_line(std::chrono::milliseconds(100)); },
                   ErrorCode::io_failure, "did not answer");
    expect_failure([] { run_program(child({"sleep"}), std::chrono::milliseconds(100)); },
                   ErrorCode::io_failure, "did not end");
    const CancelToken cancel;
    cancel.cancel();
    expect_failure([&] { run_program(child({"sleep"}), std::chrono::seconds(20), cancel); },
                   ErrorCode::cancelled, "");
}

// ---- where ONNX Runtime is looked for

fs::path touch(const fs::path& path) {
    fs::create_directories(path.parent_path());
    std::ofstream(path) << "not a library\n";
    return path;
}

/// "libonnxruntime.so" and behind it the version, where this system's names have one.
std::string library_name(const char* version = "") {
    return std::string(shared_library_beginning) + "onnxruntime" + shared_library_ending +
           (has_library_versions ? version : "");
}

TEST(BenchOnnxRuntime, LibrariesOfEveryKindOfFolder) {
    const TemporaryFolder folder;
    const fs::path site = folder / "venv/lib/python3.11/site-packages";
    const fs::path exact = touch(site / "onnxruntime/capi" / library_name(".1.31.1"));
    touch(site / "onnxruntime/capi" / library_name());
    touch(site / "onnxruntime/capi" /
          (std::string(shared_library_beginning) + "onnxruntime_providers_shared" +
           shared_library_ending));
    for (const fs::path& place :
         {exact, site / "onnxruntime/capi", site / "onnxruntime", site, folder / "venv"}) {
        const auto found = libraries_below(place);
        ASSERT_FALSE(found.empty()) << place;
        EXPECT_EQ(found.front(), exact) << place;
    }
    // Libraries of providers are not candidates.
    EXPECT_EQ(libraries_below(site / "onnxruntime/capi").size(), has_library_versions ? 2u : 1u);
    const fs::path release = touch(folder / "release/lib" / library_name(".1"));
    EXPECT_EQ(libraries_below(folder / "release"), std::vector<fs::path>{release});
    EXPECT_TRUE(libraries_below(folder / "nothing").empty());
    const fs::path windows =
        touch(folder / "windows/Lib/site-packages/onnxruntime/capi" / library_name());
    EXPECT_EQ(libraries_below(folder / "windows").size(), 1u) << windows;
}

TEST(BenchOnnxRuntime, GivenPlaceBeatsEnvironmentBeatsWhatIsFound) {
    const TemporaryFolder folder;
    const fs::path given = touch(folder / "given" / library_name());
    const fs::path environment = touch(folder / "environment" / library_name());
    const fs::path first =
        touch(folder / "first/lib/python3.9/site-packages/onnxruntime/capi" / library_name(".1.2"));
    const fs::path second = touch(folder / "second/lib" / library_name());
    OnnxRuntimeSearch search;
    search.roots = {folder / "missing", folder / "first", folder / "second"};
    const auto libraries = [&] { return find_onnxruntime(search).libraries; };
    std::vector<fs::path> found{first, second, library_name()};  // the system's own last
    if (has_library_versions) found.insert(found.end() - 1, library_name(".1"));
    EXPECT_EQ(libraries(), found);
    search.from_environment = environment.parent_path().string();
    EXPECT_EQ(libraries(), std::vector<fs::path>{environment});
    search.given = given;
    EXPECT_EQ(libraries(), std::vector<fs::path>{given});
    search.given = folder / "missing";
    expect_failure(libraries, ErrorCode::not_supported, "missing");
}

TEST(BenchOnnxRuntime, SaysWhatItTriedAndWhichVersionItNeeds) {
    const TemporaryFolder folder;
    const fs::path broken = touch(folder / library_name());
    const std::string other = has_library_versions ? "libm.so.6" : "kernel32.dll";
    expect_failure(
        [&] {
            OnnxRuntimeLibrary::load({{broken, other}, {}});
        },
        ErrorCode::not_supported, other + " exports no OrtGetApiBase");
    expect_failure(
        [&] {
            OnnxRuntimeLibrary::load({{broken}, {}});
        },
        ErrorCode::not_supported, "--onnxruntime");
    EXPECT_TRUE(is_at_least("1.17.0", 1, 17));
    EXPECT_TRUE(is_at_least("2.0", 1, 17));
    EXPECT_FALSE(is_at_least("1.9.2", 1, 17));
    EXPECT_FALSE(is_at_least("junk", 1, 17));
}

// ---- outputs

NamedValues one(Tensor tensor) {
    NamedValues values;
    values.emplace_back("y", std::move(tensor));
    return values;
}

TEST(BenchOutputs, FloatsMayDifferAsTheRuleForTheSameResultSays) {
    const BenchOptions options;
    const auto theirs = one(Tensor::of<float>({3}, {0, 90, 100}));
    const OutputDifference near =
        compare_engines(one(Tensor::of<float>({3}, {0.005f, 90, 100.05f})), theirs, options);
    EXPECT_TRUE(near.matches) << near.reason;
    EXPECT_NEAR(near.relative, 5e-4, 1e-6);
    EXPECT_NEAR(near.largest.at("y"), 0.05, 1e-4);
    const OutputDifference far =
        compare_engines(one(Tensor::of<float>({3}, {0.05f, 90, 100})), theirs, options);
    EXPECT_FALSE(far.matches);
    EXPECT_NE(far.reason.find("\"y\""), std::string::npos);
    constexpr float nan = std::numeric_limits<float>::quiet_NaN();
    EXPECT_FALSE(
        compare_engines(one(Tensor::of<float>({3}, {nan, 1, 100})), theirs, options).matches);
    EXPECT_TRUE(compare_engines(one(Tensor::of<float>({1}, {nan})),
                                one(Tensor::of<float>({1}, {nan})), options)
                    .matches);
    EXPECT_FALSE(
        compare_engines(one(Tensor::of<float>({1, 3}, {0, 1, 100})), theirs, options).matches);
}

TEST(BenchOutputs, IntegersMustBeEqualBytesWithinAStep) {
    const BenchOptions options;
    EXPECT_FALSE(compare_engines(one(Tensor::of<std::int64_t>({2}, {1, 2})),
                                 one(Tensor::of<std::int64_t>({2}, {1, 3})), options)
                     .matches);
    const auto levels = [](std::uint8_t second) {
        return one(Tensor::of<std::uint8_t>({3}, {1, second, 200}));
    };
    EXPECT_TRUE(compare_engines(levels(2), levels(3), options).matches);
    EXPECT_FALSE(compare_engines(levels(2), levels(4), options).matches);
    EXPECT_FALSE(compare_engines(one(Tensor::of<std::uint8_t>({2}, {0, 1})),
                                 one(Tensor::of<std::uint8_t>({2}, {1, 1})), options)
                     .matches);
}

TEST(BenchOutputs, InputsComeBackFromTheirFiles) {
    const TemporaryFolder folder;
    NamedValues inputs = one(Tensor::of<float>({2}, {1, 2}));
    inputs.emplace_back("text", Tensor::of<std::string>({1}, {"word"}));
    save_bench_inputs(inputs, folder.path());
    const NamedValues back = load_bench_inputs(folder.path());
    ASSERT_EQ(back.size(), 2u);
    for (std::size_t i = 0; i < 2; ++i) {
        EXPECT_EQ(back[i].first, inputs[i].first);
        EXPECT_TRUE(same_contents(back[i].second.tensor(), inputs[i].second.tensor()));
    }
}

// ---- measuring

/// An engine whose runs take a given time.
class TimedEngine final : public BenchEngine {
public:
    explicit TimedEngine(double ms) : ms_(ms) {}
    Times burst(int lead, int runs) override {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        bursts_ += 1;
        runs_ += lead + runs;
        return {ms_ * (1 + 0.01 * (bursts_ % 3)), ms_, bursts_ % 4 == 0 ? ms_ : 0};
    }
    NamedValues outputs() override { return {}; }
    double load_ms() const override { return 11; }
    double peak_mb() const override { return 22; }
    int bursts_ = 0, runs_ = 0;

private:
    double ms_;
};

TEST(BenchPair, RatioIsTheirTimeByOurs) {
    TimedEngine ours(2), theirs(5);
    BenchOptions options;
    options.seconds = 1;
    const BenchFigures figures = measure_pair({&ours, &theirs}, 1, options);
    EXPECT_NEAR(figures.ratio.median, 2.5, 0.06);
    EXPECT_LE(figures.ratio.low, 2.5);
    EXPECT_GE(figures.ratio.high, 2.5);
    EXPECT_NEAR(figures.ours.wall_ms.median, 2, 0.05);
    EXPECT_NEAR(figures.theirs->wall_ms.median, 5, 0.11);
    EXPECT_EQ(figures.ours.load_ms, 11);
    EXPECT_GE(figures.ours.dropped, 1u);  // every fourth burst waited for a core
    EXPECT_LT(ours.bursts_, 395) << "an exact ratio needs no more pairs";
}

TEST(BenchPair, AloneHasNoRatio) {
    TimedEngine ours(2);
    BenchOptions options;
    options.seconds = 0.2;
    const BenchFigures figures = measure_pair({&ours, nullptr}, 1, options);
    EXPECT_FALSE(figures.theirs);
    EXPECT_NEAR(figures.ours.wall_ms.median, 2, 0.05);
}

TEST(BenchPair, CanBeCancelled) {
    TimedEngine ours(2);
    Progress progress;
    progress.cancel.cancel();
    expect_failure(
        [&] {
            measure_pair({&ours, nullptr}, 1, {}, progress);
        },
        ErrorCode::cancelled, "");
}

}  // namespace
}  // namespace lapidary
