// SPDX-License-Identifier: Apache-2.0
#include <lapidary/quantize/calibrate.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include <lapidary/base/error.h>

#include "inputs/sample_runs.h"
#include "quantize/calibration/tensor_watch.h"
#include "quantize/calibration/watched_runs.h"

namespace lapidary {
namespace {

std::vector<std::string> names_of(const std::vector<WatchedValue>& values) {
    std::vector<std::string> names;
    for (const WatchedValue& value : values) names.push_back(value.name);
    return names;
}

class Calibrator {
public:
    Calibrator(ModelPtr model, const SampleSource& samples, const std::vector<WatchedValue>& values,
               const CalibrationOptions& options, const Progress& progress)
        : samples_(samples), values_(values), options_(options),
          count_(options.most_samples > 0 ? std::min(options.most_samples, samples.size())
                                          : samples.size()),
          runs_(std::move(model), samples, count_, names_of(values), options.threads, progress) {
        for (const WatchedValue& value : values)
            watches_.emplace_back(value, options.moving_average);
        out_.warnings = samples.warnings();
    }

    Calibration run() {
        first_round();
        if (options_.histograms) second_round();
        if (out_.samples == 0)
            fail_input(out_.warnings.empty() ? "there is no sample to run"
                                             : "no sample could be run: " + out_.warnings.back());
        if (failures_ > reported_failures)
            out_.warnings.push_back(std::to_string(failures_) + " samples were left out in all");
        finish();
        return std::move(out_);
    }

private:
    /// Each value has a separate watch that gets the samples in order, so that the number of
    /// threads does not change the result.
    template <typename Look>
    void look_at(const SeenValues& sample, const Look& look) {
        runs_.spread(watches_.size(), [&](std::size_t v) {
            if (const Tensor* const tensor = sample.find(values_[v].name))
                look(watches_[v], *tensor);
        });
    }

    void first_round() {
        std::vector<std::size_t> all(count_);
        std::iota(all.begin(), all.end(), std::size_t{0});
        const auto see = [&](std::size_t index, const SeenValues& sample) {
            add(index, sample);
            return !out_.settled;
        };
        const auto leave_out = [&](std::size_t index, const Error& why) {
            if (++failures_ <= reported_failures)
                out_.warnings.push_back(samples_.name(index) + " was left out: " + why.what());
        };
        runs_.run(all, "ranges", {see, leave_out});
        out_.settled = out_.settled && seen_.back() + 1 < count_;
    }

    /// Sets out_.settled when ranges do not move any more.
    void add(std::size_t index, const SeenValues& sample) {
        look_at(sample, [](TensorWatch& watch, const Tensor& tensor) { watch.see(tensor); });
        ++out_.samples;
        seen_.push_back(index);
        if (options_.settled_samples == 0 || out_.samples % options_.settled_samples != 0) return;
        double change = 0;
        for (TensorWatch& watch : watches_) change = std::max(change, watch.take_range_growth());
        out_.settled = change < options_.settled_change && out_.samples > options_.settled_samples;
    }

    void second_round() {
        const auto see = [&](std::size_t, const SeenValues& sample) {
            look_at(sample, [](TensorWatch& watch, const Tensor& tensor) { watch.count(tensor); });
            return true;
        };
        runs_.run(seen_, "histograms", {see, {}});
    }

    void finish() {
        for (const TensorWatch& watch : watches_)
            if (watch.has_values()) out_.tensors.push_back(watch.finished());
    }

    const SampleSource& samples_;
    const std::vector<WatchedValue>& values_;
    const CalibrationOptions& options_;
    std::size_t count_;  // samples to look at
    WatchedRuns runs_;
    std::vector<TensorWatch> watches_;
    std::vector<std::size_t> seen_;  // samples that could be run
    std::size_t failures_ = 0;
    Calibration out_;
};

}  // namespace

const ObservedTensor* Calibration::find(std::string_view name) const {
    const auto at = std::ranges::find(tensors, name, &ObservedTensor::name);
    return at == tensors.end() ? nullptr : &*at;
}

Calibration calibrate(ModelPtr model, const SampleSource& samples,
                      const std::vector<WatchedValue>& values, const CalibrationOptions& options,
                      const Progress& progress) {
    if (!(options.moving_average >= 0 && options.moving_average <= 1))
        fail_input("a moving average takes a share between 0 and 1 of each sample");
    return Calibrator(std::move(model), samples, values, options, progress).run();
}

}  // namespace lapidary
