// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "run/memory_curve.h"

namespace lapidary::views {
namespace {

PlanInfo plan_of_three_steps() {
    PlanInfo plan;
    plan.steps.resize(3);
    plan.steps[1].name = "middle";
    plan.blocks = {{"a", 0, 1, 0, 1000}, {"b", 1, 2, 1024, 500}};
    plan.arena_bytes = 1536;
    plan.weight_bytes = 2'000'000;
    return plan;
}

TEST(MemoryCurve, CountsWhatIsAliveAtEachStep) {
    EXPECT_EQ(aliveBytes(plan_of_three_steps()), (QVector<double>{1000, 1500, 500}));
}

TEST(MemoryCurve, SaysWhereThePeakIs) {
    MemoryCurve curve;
    const PlanInfo plan = plan_of_three_steps();
    curve.setPlan(&plan);
    EXPECT_TRUE(curve.sentence().contains(QStringLiteral("(middle)")))
        << curve.sentence().toStdString();
    curve.setPlan(nullptr);
    EXPECT_TRUE(curve.sentence().startsWith(QStringLiteral("No memory plan")));
}

}  // namespace
}  // namespace lapidary::views
