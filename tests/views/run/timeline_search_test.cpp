// SPDX-License-Identifier: Apache-2.0
// The search of the timeline: which kernels a text names, how many, and the way through them.
#include <QToolButton>

#include <lapidary/base/error.h>

#include "run/timeline/timeline_search_bar.h"
#include "run/timeline/timeline_view.h"
#include "views/window_fixture.h"
#include "widgets/text/quantity.h"

namespace lapidary::views {
namespace {

Profile someKernels() {
    Profile profile;
    const auto add = [&](std::string_view name, std::string_view op) {
        Span& span = profile.kernels.emplace_back();
        span.label = profile.labels.add({.name = name, .op = op});
    };
    for (int run = 0; run < 2; ++run) {
        add("stem", "Conv");
        add("stem/activation", "Relu");
        add("head/Convolve", "MatMul");
    }
    return profile;
}

TEST(TimelineMatches, NamesAndOperatorsAreSearchedWithoutCase) {
    const Profile profile = someKernels();
    const TimelineMatches conv = findKernels(profile, QStringLiteral("cONV"));
    EXPECT_EQ(conv.kernels, (std::vector<std::uint32_t>{0, 2, 3, 5}));
    EXPECT_EQ(conv.names, 2u);
    EXPECT_TRUE(conv.has(profile.kernels[0].label));
    EXPECT_FALSE(conv.has(profile.kernels[1].label));
    const TimelineMatches slash = findKernels(profile, QStringLiteral("/"));
    EXPECT_EQ(slash.kernels, (std::vector<std::uint32_t>{1, 2, 4, 5}));
    EXPECT_TRUE(findKernels(profile, QStringLiteral("gelu")).kernels.empty());
    EXPECT_TRUE(findKernels(Profile(), QStringLiteral("gelu")).kernels.empty());
}

TEST(TimelineMatches, ACancelledSearchEnds) {
    const CancelToken cancel;
    cancel.cancel();
    EXPECT_THROW(findKernels(someKernels(), QStringLiteral("conv"), cancel), Error);
}

class TimelineSearchTest : public WindowTest {
protected:
    void SetUp() override {
        WindowTest::SetUp();
        openSample("squeezenet");
        window_->showPage(QStringLiteral("run"));
        runModel();
        timeline_ = find<TimelineView>("timelineView");
        bar_ = find<TimelineSearchBar>("timelineSearchBar");
    }
    void type(const char* text) {
        bar_->edit()->setText(QString::fromLatin1(text));
        ASSERT_TRUE(waitFor([&] { return !bar_->countText().isEmpty(); }));
    }
    TimelineView* timeline_ = nullptr;
    TimelineSearchBar* bar_ = nullptr;
};

TEST_F(TimelineSearchTest, CountsAndWalksThroughMatches) {
    EXPECT_FALSE(bar_->isVisible());
    command(QStringLiteral("Find in the timeline"))->trigger();
    ASSERT_TRUE(bar_->isVisible());
    type("conv");
    const TimelineMatches wanted = findKernels(*workbench_->run()->profile, QStringLiteral("conv"));
    const QString all = formatCount(qint64(wanted.kernels.size()));
    EXPECT_TRUE(bar_->countText().startsWith(QStringLiteral("Spans found: %1,").arg(all)))
        << bar_->countText().toStdString();
    QTest::keyClick(bar_->edit(), Qt::Key_Return);
    EXPECT_TRUE(bar_->countText().contains(QStringLiteral(" of %1,").arg(all)))
        << bar_->countText().toStdString();
    const QString first = timeline_->currentSentence();
    EXPECT_TRUE(first.contains(QStringLiteral("conv"), Qt::CaseInsensitive)) << first.toStdString();
    QTest::keyClick(bar_->edit(), Qt::Key_Return);
    EXPECT_NE(timeline_->currentSentence(), first);
    QTest::keyClick(bar_->edit(), Qt::Key_Return, Qt::ShiftModifier);
    EXPECT_EQ(timeline_->currentSentence(), first);

    EXPECT_TRUE(timeline_->showKernel(wanted.kernels.back()));
    timeline_->stepMatch(1);
    EXPECT_TRUE(bar_->countText().startsWith(QStringLiteral("1 of ")))
        << "the first follows the last: " << bar_->countText().toStdString();
    QTest::keyClick(bar_->edit(), Qt::Key_Escape);
    EXPECT_FALSE(bar_->isVisible());
    EXPECT_TRUE(bar_->edit()->text().isEmpty());
}

TEST_F(TimelineSearchTest, NothingFoundIsSaidAndLeadsNowhere) {
    command(QStringLiteral("Find in the timeline"))->trigger();
    type("no such node");
    EXPECT_EQ(bar_->countText(), QStringLiteral("Nothing found"));
    int buttons = 0;
    for (const QToolButton* button : bar_->findChildren<QToolButton*>()) {
        if (!button->accessibleName().endsWith(QStringLiteral("match"))) continue;
        ++buttons;
        EXPECT_FALSE(button->isEnabled());
    }
    EXPECT_EQ(buttons, 2);
    QTest::keyClick(bar_->edit(), Qt::Key_Return);
    EXPECT_TRUE(timeline_->currentSentence().isEmpty());
    command(QStringLiteral("Find in the timeline"))->trigger();
    EXPECT_FALSE(bar_->isVisible());
    EXPECT_TRUE(bar_->countText().isEmpty());
}

TEST_F(TimelineSearchTest, WhatDoesNotMatchIsPale) {
    const auto picture = [&] { return timeline_->viewport()->grab().toImage(); };
    const auto match = [&](const char* text) {
        timeline_->setMatches(std::make_shared<const TimelineMatches>(
            findKernels(*workbench_->run()->profile, QString::fromLatin1(text))));
    };
    const QImage before = picture();
    match("no such node");
    const QImage pale = picture();
    EXPECT_NE(pale, before);
    match("conv");
    EXPECT_NE(picture(), before);
    EXPECT_NE(picture(), pale);
    timeline_->setMatches(nullptr);
    EXPECT_EQ(picture(), before);
}

}  // namespace
}  // namespace lapidary::views
