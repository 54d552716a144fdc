// SPDX-License-Identifier: Apache-2.0
#include <lapidary/calibrate.h>

#include <algorithm>
#include <set>
#include <utility>

#include <lapidary/error.h>
#include <lapidary/session.h>

#include "quantize/tensor_watch.h"
#include "quantize/told_failures.h"

namespace lapidary {
namespace {


/// Runs samples and hands the watched values out.
class WatchedRun {
public:
    WatchedRun(ModelPtr model, const SampleSource& samples, const std::vector<WatchedValue>& values, int threads,
               const Progress& progress)
        : samples_(samples), session_(compile(model, threads, progress)) {
        options_.cancel = progress.cancel;
        std::set<std::string> known;
        for (ValueId id : model->graph.outputs()) known.insert(model->graph.value(id).name);
        for (ValueId id : model->graph.inputs()) known.insert(model->graph.value(id).name);
        for (const WatchedValue& value : values)
            if (known.insert(value.name).second) options_.extra_outputs.push_back(value.name);
    }

    /// False when the sample could not be read or run; why is then a warning. Throws cancelled.
    template <typename Visit>
    bool visit(std::size_t sample, const std::vector<WatchedValue>& values, std::vector<std::string>& warnings,
               const Visit& visitor) {
        try {
            const NamedValues inputs = samples_.at(sample, options_.cancel);
            session_.run(inputs, options_, result_);
            for (std::size_t i = 0; i < values.size(); ++i) {
                const RuntimeValue* value = find(result_.outputs, values[i].name);
                if (!value) value = find(inputs, values[i].name);
                if (value && value->is_tensor()) visitor(i, value->tensor());
            }
            return true;
        } catch (const Error& error) {
            if (error.code() == ErrorCode::cancelled) throw;
            if (++failures_ <= told_failures)
                warnings.push_back(samples_.name(sample) + " was left out: " + error.what());
            return false;
        }
    }
    std::size_t failures() const { return failures_; }

private:
    static Session compile(ModelPtr model, int threads, const Progress& progress) {
        SessionOptions options;
        options.intra_threads = threads;
        options.session_passes.set = SessionPasses::Set::none;
        return Session::compile(std::move(model), options, {progress.cancel, {}});
    }

    const SampleSource& samples_;
    Session session_;
    RunOptions options_;
    RunResult result_;
    std::size_t failures_ = 0;
};

class Calibrator {
public:
    Calibrator(ModelPtr model, const SampleSource& samples, const std::vector<WatchedValue>& values,
               const CalibrationOptions& options, const Progress& progress)
        : values_(values),
          options_(options),
          progress_(progress),
          run_(std::move(model), samples, values, options.threads, progress) {
        for (const WatchedValue& value : values) watches_.emplace_back(value, options.moving_average);
        count_ = options.most_samples > 0 ? std::min(options.most_samples, samples.size()) : samples.size();
        out_.warnings = samples.warnings();
    }

    Calibration run() {
        first_round();
        if (options_.histograms) second_round();
        if (out_.samples == 0)
            fail_input(out_.warnings.empty() ? "there is no sample to run"
                                             : "no sample could be run: " + out_.warnings.back());
        if (run_.failures() > told_failures)
            out_.warnings.push_back(std::to_string(run_.failures()) + " samples were left out in all");
        finish();
        return std::move(out_);
    }

private:
    void first_round() {
        for (std::size_t i = 0; i < count_; ++i) {
            progress_.step("ranges", static_cast<double>(i) / static_cast<double>(count_));
            if (!run_.visit(i, values_, out_.warnings,
                            [&](std::size_t v, const Tensor& tensor) { watches_[v].see(tensor); }))
                continue;
            ++out_.samples;
            seen_.push_back(i);
            if (options_.settled_samples == 0 || out_.samples % options_.settled_samples != 0) continue;
            double change = 0;
            for (TensorWatch& watch : watches_) change = std::max(change, watch.take_change());
            if (change < options_.settled_change && out_.samples > options_.settled_samples) {
                out_.settled = i + 1 < count_;
                return;
            }
        }
    }

    void second_round() {
        std::vector<std::string> ignored;  // what failed did so in the first round
        for (std::size_t k = 0; k < seen_.size(); ++k) {
            progress_.step("histograms", static_cast<double>(k) / static_cast<double>(seen_.size()));
            run_.visit(seen_[k], values_, ignored,
                       [&](std::size_t v, const Tensor& tensor) { watches_[v].count(tensor); });
        }
    }

    void finish() {
        for (const TensorWatch& watch : watches_)
            if (watch.has_values()) out_.tensors.push_back(watch.finished());
    }

    const std::vector<WatchedValue>& values_;
    const CalibrationOptions& options_;
    const Progress& progress_;
    WatchedRun run_;
    std::vector<TensorWatch> watches_;
    std::vector<std::size_t> seen_;
    std::size_t count_ = 0;
    Calibration out_;
};

}  // namespace

const ObservedTensor* Calibration::find(std::string_view name) const {
    const auto at = std::ranges::find(tensors, name, &ObservedTensor::name);
    return at == tensors.end() ? nullptr : &*at;
}

Calibration calibrate(ModelPtr model, const SampleSource& samples, const std::vector<WatchedValue>& values,
                      const CalibrationOptions& options, const Progress& progress) {
    if (!(options.moving_average >= 0 && options.moving_average <= 1))
        fail_input("a moving average takes a share between 0 and 1 of each sample");
    return Calibrator(std::move(model), samples, values, options, progress).run();
}

}  // namespace lapidary
