// SPDX-License-Identifier: Apache-2.0
#include <lapidary/quantize/calibrate.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <set>
#include <span>
#include <utility>

#include <lapidary/base/error.h>
#include <lapidary/exec/session.h>

#include "base/threads/task_threads.h"
#include "quantize/calibration/tensor_watch.h"
#include "quantize/samples/told_failures.h"

namespace lapidary {
namespace {

// bytes of values of samples that run at the same time
constexpr std::uint64_t most_held = std::uint64_t{512} << 20;

/// Inputs and watched values of one sample; `failure`: why it could not be read or run, else empty.
struct WatchedSample {
    NamedValues inputs;
    RunResult result;
    std::string failure;

    const Tensor* find(const std::string& name) const {
        const RuntimeValue* value = lapidary::find(result.outputs, name);
        if (!value) value = lapidary::find(inputs, name);
        return value && value->is_tensor() ? &value->tensor() : nullptr;
    }
    std::uint64_t bytes() const {
        std::uint64_t sum = 0;
        for (const auto& [name, value] : result.outputs)
            if (value.is_tensor())
                sum += storage_bytes(value.tensor().dtype(), value.tensor().size());
        return sum;
    }
};

/// Runs samples: several at a time on a thread each where what they give fits in memory, else one
/// after the other with all threads inside of its kernels.
class WatchedRuns {
public:
    WatchedRuns(ModelPtr model, const SampleSource& samples, std::size_t count,
                const std::vector<WatchedValue>& values, int threads, const Progress& progress)
        : model_(std::move(model)), samples_(samples), progress_(progress), team_(threads),
          session_(compile(count > 1 ? 1 : team_.threads())),
          held_(count > 1 ? std::min(count, static_cast<std::size_t>(team_.threads())) : 1) {
        options_.cancel = progress.cancel;
        std::set<std::string> known;
        for (ValueId id : model_->graph.outputs()) known.insert(model_->graph.value(id).name);
        for (ValueId id : model_->graph.inputs()) known.insert(model_->graph.value(id).name);
        for (const WatchedValue& value : values)
            if (known.insert(value.name).second) options_.extra_outputs.push_back(value.name);
    }

    /// Runs those of `which` from `first` on, as many as go at a time; they hold until the next
    /// call. Throws cancelled.
    std::span<const WatchedSample> run_from(std::size_t first, std::span<const std::size_t> which) {
        // The first alone: it shows how large they are.
        const std::size_t count = first == 0 ? 1 : std::min(held_.size(), which.size() - first);
        if (count == 1) run(which[first], held_[0]);
        else spread(count, [&](std::size_t i) { run(which[first + i], held_[i]); });
        if (first == 0 && held_.size() > 1 && held_[0].bytes() > most_held / held_.size()) {
            held_.resize(1);
            session_ = compile(team_.threads());
        }
        return {held_.data(), count};
    }
    /// Calls body(i) for i in [0, count), on all threads.
    void spread(std::size_t count, const std::function<void(std::size_t)>& body) {
        team_.execute([&] {
            team_.parallel_tasks(static_cast<std::int64_t>(count),
                                 [&](std::int64_t i, int) { body(static_cast<std::size_t>(i)); });
        });
    }

private:
    Session compile(int threads) const {
        SessionOptions options;
        options.intra_threads = threads;
        options.session_passes.set = SessionPasses::Set::none;
        return Session::compile(model_, options, {progress_.cancel, {}});
    }
    void run(std::size_t index, WatchedSample& sample) {
        sample.failure.clear();
        try {
            sample.inputs = samples_.at(index, options_.cancel);
            session_.run(sample.inputs, options_, sample.result);
        } catch (const Error& error) {
            if (error.code() == ErrorCode::cancelled) throw;
            sample.failure = error.what();
        }
    }

    ModelPtr model_;
    const SampleSource& samples_;
    const Progress& progress_;
    TaskThreads team_;
    Session session_;
    RunOptions options_;
    std::vector<WatchedSample> held_;
};

class Calibrator {
public:
    Calibrator(ModelPtr model, const SampleSource& samples, const std::vector<WatchedValue>& values,
               const CalibrationOptions& options, const Progress& progress)
        : samples_(samples), values_(values), options_(options), progress_(progress),
          count_(options.most_samples > 0 ? std::min(options.most_samples, samples.size())
                                          : samples.size()),
          runs_(std::move(model), samples, count_, values, options.threads, progress) {
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
    /// Each value has its own watch, which sees the samples in their order: how many threads there
    /// are changes nothing.
    template <typename Look>
    void look_at(const WatchedSample& sample, const Look& look) {
        runs_.spread(watches_.size(), [&](std::size_t v) {
            if (const Tensor* const tensor = sample.find(values_[v].name))
                look(watches_[v], *tensor);
        });
    }

    void first_round() {
        std::vector<std::size_t> all(count_);
        std::iota(all.begin(), all.end(), std::size_t{0});
        for (std::size_t i = 0; i < count_;) {
            progress_.step("ranges", static_cast<double>(i) / static_cast<double>(count_));
            for (const WatchedSample& sample : runs_.run_from(i, all)) {
                add(i++, sample);
                if (!out_.settled) continue;
                out_.settled = i < count_;
                return;
            }
        }
    }

    /// Sets out_.settled when ranges do not move any more.
    void add(std::size_t index, const WatchedSample& sample) {
        if (!sample.failure.empty()) {
            if (++failures_ <= reported_failures)
                out_.warnings.push_back(samples_.name(index) + " was left out: " + sample.failure);
            return;
        }
        look_at(sample, [](TensorWatch& watch, const Tensor& tensor) { watch.see(tensor); });
        ++out_.samples;
        seen_.push_back(index);
        if (options_.settled_samples == 0 || out_.samples % options_.settled_samples != 0) return;
        double change = 0;
        for (TensorWatch& watch : watches_) change = std::max(change, watch.take_change());
        out_.settled = change < options_.settled_change && out_.samples > options_.settled_samples;
    }

    void second_round() {
        for (std::size_t k = 0; k < seen_.size();) {
            progress_.step("histograms",
                           static_cast<double>(k) / static_cast<double>(seen_.size()));
            for (const WatchedSample& sample : runs_.run_from(k, seen_)) {
                ++k;
                if (sample.failure.empty())
                    look_at(sample,
                            [](TensorWatch& watch, const Tensor& tensor) { watch.count(tensor); });
            }
        }
    }

    void finish() {
        for (const TensorWatch& watch : watches_)
            if (watch.has_values()) out_.tensors.push_back(watch.finished());
    }

    const SampleSource& samples_;
    const std::vector<WatchedValue>& values_;
    const CalibrationOptions& options_;
    const Progress& progress_;
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
