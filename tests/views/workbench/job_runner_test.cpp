// SPDX-License-Identifier: Apache-2.0
#include "workbench/jobs/job_runner.h"

#include <gtest/gtest.h>

#include <QElapsedTimer>
#include <QTest>
#include <QThread>

#include <atomic>
#include <new>

namespace lapidary::app {
namespace {

constexpr int patience_ms = 60'000;

TEST(JobRunner, DeliversTheResultOnTheStartingThread) {
    JobRunner runner;
    int result = 0;
    QThread *worked = nullptr, *delivered = nullptr;
    Job* job = runner.start<int>(
        QStringLiteral("add"),
        [&](const Progress&) {
            worked = QThread::currentThread();
            return 42;
        },
        [&](int value) {
            delivered = QThread::currentThread();
            result = value;
        },
        [](const Error& error) { FAIL() << error.what(); });
    EXPECT_EQ(runner.jobs(), QList<Job*>{job});
    ASSERT_TRUE(QTest::qWaitFor([&] { return result != 0; }, patience_ms));
    EXPECT_EQ(result, 42);
    EXPECT_EQ(delivered, QThread::currentThread());
    EXPECT_NE(worked, QThread::currentThread());
    EXPECT_TRUE(runner.jobs().isEmpty());
}

ErrorCode failureOf(std::function<int(const Progress&)> work) {
    JobRunner runner;
    std::optional<ErrorCode> code;
    QString failure;
    Job* job = runner.start<int>(
        QStringLiteral("fail"), std::move(work), [](int) { FAIL() << "no result expected"; },
        [&](const Error& error) { code = error.code(); });
    QObject::connect(job, &Job::finished, job, [&] { failure = job->failure(); });
    EXPECT_TRUE(
        QTest::qWaitFor([&] { return code.has_value() && !failure.isEmpty(); }, patience_ms));
    return code.value_or(ErrorCode::check_failed);
}

TEST(JobRunner, TurnsEveryExceptionIntoAnError) {
    EXPECT_EQ(failureOf([](const Progress&) -> int { fail_input("bad input"); }),
              ErrorCode::invalid_input);
    EXPECT_EQ(failureOf([](const Progress&) -> int { throw std::bad_alloc(); }),
              ErrorCode::limit_exceeded);
    EXPECT_EQ(failureOf([](const Progress&) -> int { throw std::runtime_error("odd"); }),
              ErrorCode::internal);
    EXPECT_EQ(failureOf([](const Progress&) -> int { throw 7; }), ErrorCode::internal);
}

TEST(JobRunner, CancelEndsTheJobAndDropsItsResult) {
    JobRunner runner;
    bool failed = false, cancelled = false;
    Job* job = runner.start<int>(
        QStringLiteral("endless"),
        [](const Progress& progress) {
            for (;;) {
                progress.step("turn");
                QThread::msleep(1);
            }
            return 0;
        },
        [](int) { FAIL() << "no result expected"; },
        [&](const Error& error) { failed = error.code() == ErrorCode::cancelled; });
    QObject::connect(job, &Job::finished, job, [&] { cancelled = job->wasCancelled(); });
    QTest::qWait(30);
    job->cancel();
    ASSERT_TRUE(QTest::qWaitFor([&] { return cancelled; }, patience_ms));
    EXPECT_TRUE(failed);
}

TEST(JobRunner, DropsAResultThatWasCancelledTooLate) {
    JobRunner runner;
    std::atomic<bool> worked = false;
    bool failed = false;
    Job* job = runner.start<int>(
        QStringLiteral("deaf"),
        [&](const Progress&) {
            worked = true;
            return 1;
        },
        [](int) { FAIL() << "no result expected"; },
        [&](const Error& error) { failed = error.code() == ErrorCode::cancelled; });
    while (!worked) QThread::msleep(1);
    job->cancel();  // its work is over, its result is still queued
    ASSERT_TRUE(QTest::qWaitFor([&] { return failed; }, patience_ms));
}

TEST(JobRunner, ReportsProgressSeldomAndTheNewestOfIt) {
    JobRunner runner;
    int reports = 0;
    QString stage;
    bool done = false;
    QElapsedTimer clock;
    clock.start();
    Job* job = runner.start<int>(
        QStringLiteral("chatty"),
        [](const Progress& progress) {
            QElapsedTimer busy;
            busy.start();
            for (int i = 0; busy.elapsed() < 500; ++i)
                progress.step("step " + std::to_string(i), 0.5);
            progress.step("last", 1.0);
            QThread::msleep(200);
            return 0;
        },
        [&](int) { done = true; }, [](const Error& error) { FAIL() << error.what(); });
    EXPECT_FALSE(job->stage().isEmpty()) << "its stage is reported from the beginning on";
    QObject::connect(job, &Job::progressed, job, [&] {
        ++reports;
        stage = job->stage();
    });
    ASSERT_TRUE(QTest::qWaitFor([&] { return done; }, patience_ms));
    EXPECT_GE(reports, 2);
    EXPECT_LE(reports, clock.elapsed() * 30 / 1000 + 2);
    EXPECT_EQ(stage, QStringLiteral("last"));
}

TEST(JobRunner, DestructorCancelsAndWaits) {
    std::atomic<bool> running = false, ended = false;
    {
        JobRunner runner;
        runner.start<int>(
            QStringLiteral("endless"),
            [&](const Progress& progress) {
                running = true;
                try {
                    for (;;) {
                        progress.step("turn");
                        QThread::msleep(1);
                    }
                } catch (...) {
                    ended = true;
                    throw;
                }
                return 0;
            },
            [](int) { FAIL() << "no result expected"; },
            [](const Error&) { FAIL() << "the receiver is gone"; });
        while (!running) QThread::msleep(1);
    }
    EXPECT_TRUE(ended);
    QTest::qWait(10);
}

TEST(JobRunner, FreesLargeResultsOnAWorker) {
    JobRunner runner;
    std::atomic<QThread*> freed = nullptr;
    runner.releaseLater(std::shared_ptr<int>(new int(1), [&](int* value) {
        delete value;
        freed = QThread::currentThread();
    }));
    ASSERT_TRUE(QTest::qWaitFor([&] { return freed.load() != nullptr; }, patience_ms));
    EXPECT_NE(freed.load(), QThread::currentThread());
}

}  // namespace
}  // namespace lapidary::app
