// SPDX-License-Identifier: Apache-2.0
// An engine with scripted measurements and real profiles.
#pragma once

#include <atomic>
#include <chrono>
#include <thread>

#include <lapidary/base/error.h>

#include "support/answering_engine.h"
#include "worker/jobs/compare_job.h"
#include "worker/jobs/measure_job.h"
#include "worker/jobs/profile_job.h"
#include "worker/jobs/sweep_job.h"

namespace lapidary::views {

class ScriptedEngine : public test::AnsweringEngine {
public:
    double base_ms = 10;            // time of the first candidate
    double factor = 0.8;            // time of the second candidate relative to the first
    int rounds = 40;                // samples of each candidate
    std::string measuring_fails;    // message of failing measurements; empty: they succeed
    std::atomic<bool> hold{false};  // measuring does not end until it is cancelled
    std::atomic<int> measured{0}, profiled{0};
    app::MeasureJob last_job;

    ScriptedEngine() {
        answer<app::ProfileJob>([this](const test::Asked<app::ProfileJob>& asked) {
            ++profiled;
            return real(asked);
        });
        answer<app::MeasureJob>(
            [this](const test::Asked<app::MeasureJob>& asked) { return measure(asked); });
        answer<app::SweepJob>([](const test::Asked<app::SweepJob>&) -> SweepResult {
            fail(ErrorCode::not_supported, "no sweep in this script");
        });
        answer<app::CompareJob>([](const test::Asked<app::CompareJob>&) {
            return std::vector<OutputComparison>{
                {"first", {true, "", 10, 0, 1e-6, 1e-7, 10, 120, 1}},
                {"second", {false, "element 3 is 0.5 instead of 1", 10, 1, 0.5, 0.5, 2, 12, 0.9}}};
        });
    }

private:
    std::vector<Measurement> measure(const test::Asked<app::MeasureJob>& asked) {
        last_job = asked.job;
        if (!measuring_fails.empty()) fail(ErrorCode::not_supported, measuring_fails);
        std::vector<Measurement> result(asked.job.candidates.size());
        for (int round = 0; round < rounds; ++round) {
            for (std::size_t i = 0; i < result.size(); ++i)
                result[i].samples_ms.push_back((base_ms + 0.05 * ((round * 7) % 5)) *
                                               (i == 0 ? 1 : factor));
            for (Measurement& side : result) {
                side.wall.median = {side.samples_ms.back(), side.samples_ms.back() - 0.2,
                                    side.samples_ms.back() + 0.2, side.samples_ms.size()};
                side.per_second = 1000 / side.wall.median.median;
                side.load_ms = 30;
                side.first_ms = 12;
                side.peak_mb = 80;
            }
            if (round % 10 == 0) asked.report(result);
        }
        while (hold) {
            asked.progress.cancel.throw_if_cancelled();
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
        }
        ++measured;
        return result;
    }
};

}  // namespace lapidary::views
