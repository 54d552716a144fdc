// SPDX-License-Identifier: Apache-2.0
// An engine with fast sweeps of known figures: `base_ms` times the batch, divided by the threads.
#pragma once

#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>

#include <lapidary/base/error.h>

#include "support/answering_engine.h"
#include "worker/jobs/sweep_job.h"

namespace lapidary::app {

class FakeSweepEngine : public test::AnsweringEngine {
public:
    std::atomic<double> base_ms{16};
    std::atomic<int> cell_ms{0};  // time to measure a cell
    std::atomic<int> hold_after{
        -1};  // after this number of cells the job waits until it is cancelled; negative: never
    std::atomic<std::int64_t> fail_batch{0};
    std::atomic<bool> was_paused{false};

    std::vector<SweepJob> jobs() const {
        const std::lock_guard lock(mutex_);
        return jobs_;
    }

    FakeSweepEngine() {
        answer<SweepJob>([this](const test::Asked<SweepJob>& asked) { return sweep(asked); });
    }

private:
    SweepResult sweep(const test::Asked<SweepJob>& asked) {
        const SweepJob& job = asked.job;
        {
            const std::lock_guard lock(mutex_);
            jobs_.push_back(job);
        }
        SweepResult result = job.verify.empty() ? SweepResult{} : job.found;
        result.machine.cpu = "a test";
        result.machine.cores = 4;
        std::vector<std::size_t> todo = job.verify;
        if (todo.empty())
            for (const RunConfiguration& configuration : configurations(job.space)) {
                todo.push_back(result.cells.size());
                SweepCell cell;
                cell.configuration = configuration;
                result.cells.push_back(cell);
            }
        int done = 0;
        for (const std::size_t i : todo) {
            SweepCell& cell = result.cells[i];
            if (fail_batch > 0 && cell.configuration.batch == fail_batch)
                throw Error(ErrorCode::not_supported, "no such batch here");
            while (asked.control && asked.control->paused) {
                was_paused = true;
                wait(asked.progress);
            }
            while (hold_after >= 0 && done >= hold_after) wait(asked.progress);
            for (int waited = 0; waited < cell_ms; waited += 5) wait(asked.progress);
            cell.state = CellState::done;
            cell.measurement = measured(cell.configuration);
            ++done;
            asked.progress.step("measure", double(done) / double(todo.size()));
            asked.report(result);
        }
        if (job.verify.empty()) {
            OperatorScaling scaling;
            scaling.op = "Gemm batch " + std::to_string(job.space.batches.front());
            for (const SweepCell& cell : result.cells)
                scaling.ms.emplace_back(cell.configuration.resources.threads,
                                        cell.measurement.wall.median.median * 0.8);
            scaling.efficiency = 0.9;
            scaling.stops_at = job.space.batches.front() == 1 ? 2 : 0;
            result.scaling = {scaling};
        }
        result.recommendation =
            recommend(result.cells, job.options.goal, job.options.latency_cap_ms);
        result.complete = true;
        return result;
    }
    static void wait(const Progress& progress) {
        progress.cancel.throw_if_cancelled();
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    Measurement measured(const RunConfiguration& configuration) const {
        const double batch = double(std::max<std::int64_t>(1, configuration.batch));
        const double ms = base_ms * batch / configuration.resources.threads;
        std::vector<double> samples;
        for (int i = 0; i < 40; ++i) samples.push_back(ms * (1 + 0.001 * ((i * 7) % 5 - 2)));
        Measurement m;
        m.configuration = configuration;
        m.wall = summarize_samples(samples);
        m.cpu_ms = m.wall.median;
        m.per_second = batch * 1e3 / ms;
        m.samples_ms = samples;
        return m;
    }
    mutable std::mutex mutex_;
    std::vector<SweepJob> jobs_;
};

}  // namespace lapidary::app
