// SPDX-License-Identifier: Apache-2.0
#include "workbench/jobs/latest_job.h"

#include <gtest/gtest.h>

#include <QTest>

#include <optional>
#include <semaphore>

namespace lapidary::app {
namespace {

constexpr int patience_ms = 60'000;

TEST(LatestJob, OnlyTheNewestReports) {
    JobRunner runner;
    LatestJob latest;
    std::binary_semaphore go{0};
    QList<int> heard;
    const auto take = [&](int value) { heard << value; };
    const auto fail = [](const Error& error) { FAIL() << error.what(); };
    latest.start<int>(
        runner, QStringLiteral("old"),
        [&](const Progress&) {
            go.acquire();  // does not look at its cancel token
            return 1;
        },
        take, fail);
    EXPECT_TRUE(latest.isRunning());
    Job* job = latest.start<int>(
        runner, QStringLiteral("new"), [](const Progress&) { return 2; }, take, fail);
    EXPECT_EQ(latest.job(), job);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !latest.isRunning(); }, patience_ms));
    go.release();
    ASSERT_TRUE(QTest::qWaitFor([&] { return runner.jobs().isEmpty(); }, patience_ms));
    EXPECT_EQ(heard, QList<int>{2});
    EXPECT_EQ(latest.job(), nullptr);
}

TEST(LatestJob, TheSlotIsFreeWhenTheOutcomeIsReported) {
    JobRunner runner;
    LatestJob latest;
    int rounds = 0;
    std::function<void()> again = [&] {
        latest.start<int>(
            runner, QStringLiteral("round"), [](const Progress&) { return 0; },
            [&](int) {
                EXPECT_FALSE(latest.isRunning());
                if (++rounds < 3) again();
            },
            [](const Error& error) { FAIL() << error.what(); });
    };
    again();
    EXPECT_TRUE(QTest::qWaitFor([&] { return rounds == 3; }, patience_ms));
}

TEST(LatestJob, CancelIsReportedAndDropIsNot) {
    JobRunner runner;
    LatestJob latest;
    std::optional<ErrorCode> reported;
    const auto wait = [](const Progress& progress) -> int {
        for (;;) progress.cancel.throw_if_cancelled();
    };
    const auto start = [&] {
        latest.start<int>(
            runner, QStringLiteral("wait"), wait, [](int) { FAIL(); },
            [&](const Error& error) { reported = error.code(); });
    };
    start();
    latest.cancel();
    ASSERT_TRUE(QTest::qWaitFor([&] { return reported.has_value(); }, patience_ms));
    EXPECT_EQ(*reported, ErrorCode::cancelled);
    reported.reset();
    start();
    latest.drop();
    EXPECT_FALSE(latest.isRunning());
    ASSERT_TRUE(QTest::qWaitFor([&] { return runner.jobs().isEmpty(); }, patience_ms));
    EXPECT_FALSE(reported.has_value());
}

TEST(LatestJob, PartialResultsKnowWhetherTheyStillCount) {
    JobRunner runner;
    std::optional<LatestJob::Ticket> first;
    std::binary_semaphore given{0};
    auto latest = std::make_unique<LatestJob>();
    const auto wait = [&](const Progress& progress, const LatestJob::Ticket& ticket) -> int {
        first = ticket;
        given.release();
        for (;;) progress.cancel.throw_if_cancelled();
    };
    latest->start<int>(
        runner, QStringLiteral("wait"), wait, [](int) { FAIL(); }, [](const Error&) { FAIL(); });
    given.acquire();
    EXPECT_TRUE(first->isCurrent());
    latest.reset();  // its owner goes
    EXPECT_FALSE(first->isCurrent());
    EXPECT_TRUE(QTest::qWaitFor([&] { return runner.jobs().isEmpty(); }, patience_ms));
}

}  // namespace
}  // namespace lapidary::app
