// SPDX-License-Identifier: Apache-2.0
// An engine whose measurements are told beforehand; profiles are real.
#pragma once

#include <atomic>
#include <chrono>
#include <thread>

#include <lapidary/base/error.h>

#include "worker/jobs/engine.h"
#include "worker/inputs/input_look.h"
#include "worker/protocol/quantize_record.h"
#include "worker/inputs/sample_look.h"

namespace lapidary::views {

class ScriptedEngine : public app::Engine {
public:
    double base_ms = 10;            // time of the first candidate
    double factor = 0.8;            // time of the second candidate against the first
    std::string measuring_fails;    // with this message; empty: it works
    std::atomic<bool> hold{false};  // measuring goes on until cancelled
    std::atomic<int> measured{0}, profiled{0};
    app::MeasureJob last_job;

    void survive_reading(const app::ModelSource&, const Progress&) override {}
    app::RunRecord profile(const app::ModelSource& model, const app::RunSettings& settings,
                           const Progress& progress) override {
        ++profiled;
        return local_.profile(model, settings, progress);
    }
    std::vector<Measurement> measure(
        const app::MeasureJob& job, const Progress& progress,
        const std::function<void(const std::vector<Measurement>&)>& on_round) override {
        last_job = job;
        if (!measuring_fails.empty()) fail(ErrorCode::not_supported, measuring_fails);
        std::vector<Measurement> result(job.candidates.size());
        for (int round = 0; round < 40; ++round) {
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
            if (on_round && round % 10 == 0) on_round(result);
        }
        while (hold) {
            progress.cancel.throw_if_cancelled();
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
        }
        ++measured;
        return result;
    }
    SweepResult sweep(const app::SweepJob&, const Progress&, const SweepControl*,
                      const std::function<void(const SweepResult&)>&) override {
        fail(ErrorCode::not_supported, "no sweep in this script");
    }
    std::vector<OutputComparison> compare_outputs(const app::ModelSource&, const app::ModelSource&,
                                                  const app::RunSettings&,
                                                  const Progress&) override {
        return {{"first", {true, "", 10, 0, 1e-6, 1e-7, 10, 120, 1}},
                {"second", {false, "element 3 is 0.5 instead of 1", 10, 1, 0.5, 0.5, 2, 12, 0.9}}};
    }
    app::QuantizeRecord quantize(
        const app::QuantizeJob& job, const Progress& progress,
        const std::function<void(const app::QuantizeRecord&)>& on_change) override {
        return local_.quantize(job, progress, on_change);
    }
    app::SampleLook look_at_samples(const app::ModelSource& model, const app::SampleChoice& samples,
                                    const std::filesystem::path& labels,
                                    const Progress& progress) override {
        return local_.look_at_samples(model, samples, labels, progress);
    }
    app::InputLook look_at_inputs(const app::ModelSource& model, const app::RunSettings& settings,
                                  const std::vector<std::string>& dropped,
                                  const Progress& progress) override {
        return local_.look_at_inputs(model, settings, dropped, progress);
    }

private:
    app::LocalEngine local_;
};

}  // namespace lapidary::views
