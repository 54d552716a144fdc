// SPDX-License-Identifier: Apache-2.0
// The whole way with large models: no step of it holds the GUI thread for long.
#include <algorithm>

#include "journey.h"
#include "support/time_budget.h"

namespace lapidary::views {
namespace {

const double longest_hold_ms = 50 * wall_factor;
// neighbours on the machine slow single turns of the event loop; what holds it does so each time
constexpr int most_attempts = 3;

class LargeWalkThroughTest : public JourneyTest, public testing::WithParamInterface<const char*> {};

TEST_P(LargeWalkThroughTest, NoStepHoldsTheWindow) {
    std::map<std::string, double> held;
    const auto isFast = [&] {
        return std::ranges::all_of(held,
                                   [](const auto& step) { return step.second < longest_hold_ms; });
    };
    for (int attempt = 0; attempt < most_attempts && (held.empty() || !isFast()); ++attempt) {
        if (attempt > 0) {
            TearDown();
            SetUp();
        }
        thisTime_.clear();
        journey([this] { workbench_->openSample(QString::fromLatin1(GetParam())); });
        if (HasFailure()) return;
        for (const auto& [what, ms] : thisTime_) {
            const auto [at, added] = held.try_emplace(what, ms);
            if (!added) at->second = std::min(at->second, ms);
        }
    }
    EXPECT_GT(held.size(), 60u);
    using Step = std::pair<const std::string, double>;
    for (const auto& [what, ms] : held)
        EXPECT_LT(ms, longest_hold_ms) << what << " held the GUI thread";
    const auto worst = std::ranges::max_element(held, {}, &Step::second);
    RecordProperty("longest_hold_ms", std::to_string(worst->second));
    std::printf("%zu steps, the longest hold %.1f ms, of %s\n", held.size(), worst->second,
                worst->first.c_str());
}

INSTANTIATE_TEST_SUITE_P(Samples, LargeWalkThroughTest, testing::Values("bert-base", "mobilenetv2"),
                         [](const auto& info) {
                             return std::string(info.param) == "bert-base" ? "bert" : "mobilenet";
                         });

}  // namespace
}  // namespace lapidary::views
