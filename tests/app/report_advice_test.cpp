// SPDX-License-Identifier: Apache-2.0
// The times that checklist and report give to the adviser.
#include <algorithm>
#include <numeric>

#include <gtest/gtest.h>

#include <lapidary/graph/graph_text.h>

#include "cli/compare/report_advice.h"

namespace lapidary {
namespace {

ReportSide side(const std::string& name, const ModelPtr& model, const std::vector<double>& ms) {
    Measurement measurement;
    measurement.samples_ms = ms;
    measurement.rounds.resize(ms.size());
    std::iota(measurement.rounds.begin(), measurement.rounds.end(), 0);
    measurement.wall = summarize_samples(ms);
    ReportSide made;
    made.name = name;
    made.model = model;
    made.measurement = measurement;
    return made;
}

/// What the adviser gets for two levels that took so long.
std::vector<AdvisedTime> times_of(const std::vector<double>& disabled,
                                  const std::vector<double>& all) {
    Model model;
    model.opset_imports[""] = 17;
    model.graph = parse_graph("(x: f32[2,3]) -> (y)\ny = Relu(x)");
    const auto shared = std::make_shared<const Model>(std::move(model));
    ReportContent content;
    content.sides = {side("disabled", shared, disabled), side("all", shared, all)};
    content.difference =
        difference_between(*content.sides[0].measurement, *content.sides[1].measurement, true);
    const std::vector<cli::SideRequest> requests{{"disabled", shared, Level::disabled, {}, ""},
                                                 {"all", shared, Level::all, {}, ""}};
    return cli::advice_input(content, requests, {}, {}, {}).times;
}

TEST(ReportAdvice, TooFewSamplesTellNoLevelsApart) {
    const std::vector<AdvisedTime> few = times_of({13, 13.5, 14}, {60, 63, 65});
    ASSERT_EQ(few.size(), 2u);
    EXPECT_GE(few[0].high_ms, few[1].low_ms);
    EXPECT_GE(few[1].high_ms, few[0].low_ms);
    EXPECT_EQ(few[0].median_ms, 13.5);
    EXPECT_EQ(few[1].median_ms, 63);
}

TEST(ReportAdvice, ADifferenceBeyondNoiseStays) {
    std::vector<double> fast, slow;
    for (int i = 0; i < 40; ++i) {
        fast.push_back(13 + 0.1 * (i % 3));
        slow.push_back(60 + 0.1 * (i % 5));
    }
    const std::vector<AdvisedTime> times = times_of(fast, slow);
    ASSERT_EQ(times.size(), 2u);
    EXPECT_LT(times[0].high_ms, times[1].low_ms);
}

}  // namespace
}  // namespace lapidary
