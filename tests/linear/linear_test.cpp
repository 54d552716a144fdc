// SPDX-License-Identifier: Apache-2.0
// All operations on a model take CPU time in proportion to its size.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <lapidary/export/export_model.h>
#include <lapidary/inputs/generate_inputs.h>
#include <lapidary/cost/memory_report.h>
#include <lapidary/onnx_io/model_io.h>
#include <lapidary/report/model_summary.h>
#include <lapidary/passes/optimize.h>
#include <lapidary/exec/session.h>

#include "linear/long_graphs.h"
#include "support/cpu_clock.h"
#include "support/test_data.h"
#include "support/time_budget.h"

namespace lapidary {
namespace {

using test::long_graphs;
using test::LongGraph;

/// Processor seconds of each part of a model's life, in order.
using Seconds = std::vector<std::pair<std::string, double>>;

class Stopwatch {
public:
    void lap(const std::string& phase) {
        const double now = test::cpu_seconds(CLOCK_PROCESS_CPUTIME_ID);
        seconds.emplace_back(phase, now - last_);
        last_ = test::cpu_seconds(CLOCK_PROCESS_CPUTIME_ID);
    }
    Seconds seconds;

private:
    double last_ = test::cpu_seconds(CLOCK_PROCESS_CPUTIME_ID);
};

/// From file to results, at every level.
Seconds life_of(const LongGraph& graph, std::int64_t size) {
    const TemporaryFolder folder;
    const auto path = folder / "long.onnx";
    const Model made = graph.make(size);
    Stopwatch watch;
    save_model(made, path);
    watch.lap("save");
    const auto model = std::make_shared<const Model>(load_model(path));
    watch.lap("read and infer");
    summarize(*model);
    watch.lap("summarize");
    memory_report(model);
    watch.lap("memory report");
    SessionOptions options;
    options.resources.threads = 1;
    Session session = Session::compile(model, options);
    watch.lap("compile");
    const NamedValues inputs = generate_inputs(*model);
    session.run(inputs);
    watch.lap("first run");
    session.run(inputs);
    watch.lap("second run");
    session.plan();
    watch.lap("plan");
    for (const Level level : {Level::basic, Level::extended, Level::all}) {
        OptimizeOptions how;
        how.level = level;
        optimize(*model, how);
        watch.lap("optimize " + std::string(name_of(level)));
    }
    ExportOptions plain;
    plain.target = ExportTarget::plain;
    save_model(export_model(*model, plain).model, folder / "plain.onnx");
    watch.lap("export plain");
    return std::move(watch.seconds);
}

class LinearTime : public testing::TestWithParam<LongGraph> {};

// Four times the size: linear time is 4, what looks at all pairs 16. Between them lie sorting and
// trees, and memory: what 15,000 nodes take lies in a second-level cache, what 60,000 take does
// not, so that each visit costs up to twice as much.
TEST_P(LinearTime, FourTimesTheSizeTakesFourTimesTheTime) {
    constexpr std::int64_t size = 15'000;
    constexpr double shortest = 0.1, most = 8;  // seconds; times
    const Seconds once = life_of(GetParam(), size), again = life_of(GetParam(), size),
                  large = life_of(GetParam(), 4 * size);
    for (std::size_t i = 0; i < once.size(); ++i) {
        const double quarter = std::min(once[i].second, again[i].second);
        std::fputs(
            fmt::format("{:26} {:18} {:8.3f} {:8.3f} {:5.1f}\n", GetParam().name, once[i].first,
                        quarter, large[i].second, large[i].second / std::max(quarter, 1e-4))
                .c_str(),
            stdout);
        if (large[i].second > shortest)
            EXPECT_LT(large[i].second, most * quarter)
                << once[i].first << " of " << GetParam().name;
    }
}

class LongGraphs : public testing::TestWithParam<LongGraph> {};

// Takes some seconds if everything is linear, and minutes if one part is quadratic.
TEST_P(LongGraphs, LiveWithinSeconds) {
    double total = 0;
    for (const auto& [phase, seconds] : life_of(GetParam(), 10'000)) total += seconds;
    EXPECT_LT(total, 12 * wall_factor);
}

std::vector<LongGraph> once_quadratic() {
    std::vector<LongGraph> graphs;
    for (const LongGraph& graph : long_graphs())
        for (const std::string_view name :
             {"mul_chain", "slice_chain", "shared_constant", "convolution_chain", "sigmoid_chain",
              "wide_concat", "many_functions"})
            if (graph.name == name) graphs.push_back(graph);
    return graphs;
}

const auto name_of_graph = [](const testing::TestParamInfo<LongGraph>& info) {
    return std::string(info.param.name);
};
INSTANTIATE_TEST_SUITE_P(All, LinearTime,
                         testing::ValuesIn(long_graphs().begin(), long_graphs().end()),
                         name_of_graph);
INSTANTIATE_TEST_SUITE_P(OnceQuadratic, LongGraphs, testing::ValuesIn(once_quadratic()),
                         name_of_graph);

}  // namespace
}  // namespace lapidary
