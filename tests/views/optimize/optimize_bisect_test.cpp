// SPDX-License-Identifier: Apache-2.0
// The Guard tab finds the rewrite that moves an output, and goes there.
#include <QDoubleSpinBox>
#include <QSignalSpy>

#include "optimize/guard_panel.h"
#include "optimize_fixture.h"

namespace lapidary::views {
namespace {

class OptimizeBisectTest : public OptimizeTest {
protected:
    void open(const char* sample) {
        openAndOptimize(sample);
        guard_ = find<GuardPanel>("guardPanel");
        bar_ = guard_->bisectBar();
    }
    /// Sums in another order already are a difference then.
    void wantEqualBits() {
        for (auto* spin : guard_->findChildren<QDoubleSpinBox*>()) spin->setValue(0);
    }
    GuardPanel* guard_ = nullptr;
    BisectBar* bar_ = nullptr;
};

TEST_F(OptimizeBisectTest, FindsTheRewriteThatTheEngineFindsAndGoesThere) {
    open("bert-tiny");
    wantEqualBits();
    bar_->button()->click();
    EXPECT_TRUE(bar_->isRunning());
    ASSERT_TRUE(waitFor([&] { return !bar_->isRunning(); }));
    BisectOptions options;
    options.optimize = page()->variant()->recipe.options();
    options.optimize.session_passes = page()->variant()->recipe.sessionPasses().set;
    options.guard.tolerance = {0, 0};
    options.guard.threads = workbench_->runSettings().resources.threads;
    const BisectResult expected = bisect(*workbench_->opened()->model, options);
    ASSERT_TRUE(bar_->finding()) << bar_->verdict().toStdString();
    EXPECT_EQ(bar_->finding()->number, expected.number);
    EXPECT_GT(page()->variant()->sessionRewrites, 0u);
    EXPECT_EQ(bar_->finding()->rewrites, page()->variant()->report.rewrites.size());
    ASSERT_GT(expected.number, 0u) << "no rewrite changes a bit: another sample is needed";
    EXPECT_EQ(bar_->finding()->pass, expected.rewrite.rewrite.pass);
    EXPECT_TRUE(bar_->verdict().contains(QString::fromStdString(expected.rewrite.rewrite.pass)))
        << bar_->verdict().toStdString();
    page()->stepBar()->slider()->setValue(0);
    ASSERT_TRUE(settled());
    bar_->stepButton()->click();
    ASSERT_TRUE(settled());
    EXPECT_EQ(page()->shownStep(), int(expected.number));
}

TEST_F(OptimizeBisectTest, SaysThatNoRewriteMovesAnOutput) {
    open("bert-tiny");
    bar_->button()->click();
    ASSERT_TRUE(waitFor([&] { return !bar_->isRunning(); }));
    ASSERT_TRUE(bar_->finding()) << bar_->verdict().toStdString();
    EXPECT_EQ(bar_->finding()->number, 0u);
    EXPECT_FALSE(bar_->finding()->differs);
    EXPECT_FALSE(bar_->stepButton()->isVisibleTo(bar_));
    EXPECT_TRUE(bar_->verdict().startsWith(QStringLiteral("✓"))) << bar_->verdict().toStdString();
}

TEST_F(OptimizeBisectTest, CanBeCancelledAndForgetsWithTheVariant) {
    open("squeezenet");
    wantEqualBits();
    bar_->button()->click();
    ASSERT_TRUE(bar_->isRunning());
    bar_->button()->click();
    ASSERT_TRUE(waitFor([&] { return !bar_->isRunning(); }));
    EXPECT_FALSE(bar_->finding());
    EXPECT_EQ(bar_->verdict(), QStringLiteral("The search was cancelled."));
    QTest::mouseClick(cards()->card(std::nullopt), Qt::LeftButton);
    ASSERT_TRUE(settled());
    EXPECT_FALSE(bar_->button()->isEnabled());
    EXPECT_TRUE(bar_->verdict().isEmpty());
}

}  // namespace
}  // namespace lapidary::views
