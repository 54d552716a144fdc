// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

#include <lapidary/base/error.h>
#include <lapidary/passes/optimize.h>
#include <lapidary/quantize/quantize.h>
#include <lapidary/exec/session.h>

#include "inputs/sample_runs.h"

namespace lapidary {
namespace {

constexpr double most_db = 300;  // equal outputs must not hide the others

double decibels(double signal, double noise) {
    if (!(noise > 0)) return std::numeric_limits<double>::infinity();
    return signal > 0 ? 10 * std::log10(signal / noise) : -std::numeric_limits<double>::infinity();
}

/// Sums over the elements of one output, of one sample or of several.
struct OutputSums {
    double signal = 0, noise = 0, product = 0, quantized = 0, max_abs = 0;
    std::size_t rows = 0, flips = 0, shapes_differ = 0;
    std::uint64_t elements = 0, not_finite = 0;  // of the original
    std::uint64_t broken = 0;                    // not finite where the original's are
    std::vector<double> signals, noises;         // of each sample

    /// Adds the outputs of both models for a sample.
    void compare(const Tensor& x, const Tensor& y) {
        if (x.shape() != y.shape()) {
            ++shapes_differ;
            return;
        }
        const std::vector<double> a = to_doubles(x), b = to_doubles(y);
        elements += a.size();
        for (std::size_t i = 0; i < a.size(); ++i) {
            if (!std::isfinite(a[i])) {
                ++not_finite;
                continue;
            }
            broken += !std::isfinite(b[i]);
            const double found = std::isfinite(b[i]) ? b[i] : 0, off = a[i] - found;
            signal += a[i] * a[i];
            noise += off * off;
            product += a[i] * found;
            quantized += found * found;
            max_abs = std::max(max_abs, std::abs(off));
        }
        signals.push_back(signal);
        noises.push_back(noise);
        count_flips(x.shape(), a, b);
    }
    /// Adds the sums of the next sample.
    void add(const OutputSums& other) {
        signal += other.signal;
        noise += other.noise;
        product += other.product;
        quantized += other.quantized;
        max_abs = std::max(max_abs, other.max_abs);
        rows += other.rows;
        flips += other.flips;
        shapes_differ += other.shapes_differ;
        elements += other.elements;
        not_finite += other.not_finite;
        broken += other.broken;
        signals.insert(signals.end(), other.signals.begin(), other.signals.end());
        noises.insert(noises.end(), other.noises.begin(), other.noises.end());
    }

    void count_flips(const Shape& shape, const std::vector<double>& a,
                     const std::vector<double>& b) {
        const std::size_t axis = shape.size() == 3 ? 2 : 1;
        if (shape.size() < 2 || shape[axis] < 2 || a.empty()) return;
        const auto classes = static_cast<std::size_t>(shape[axis]);
        std::size_t inner = 1;
        for (std::size_t d = axis + 1; d < shape.size(); ++d)
            inner *= static_cast<std::size_t>(shape[d]);
        // A row with NaN has no answer: `classes` is the index of none.
        const auto largest = [&](const std::vector<double>& v, std::size_t first) {
            std::size_t best = 0;
            for (std::size_t c = 0; c < classes; ++c)
                if (std::isnan(v[first + c * inner])) return classes;
                else if (v[first + c * inner] > v[first + best * inner]) best = c;
            return best;
        };
        for (std::size_t outer = 0; outer < a.size() / (classes * inner); ++outer)
            for (std::size_t i = 0; i < inner; ++i, ++rows)
                flips += largest(a, outer * classes * inner + i) !=
                         largest(b, outer * classes * inner + i);
    }

    OutputAccuracy figures(std::string name) const {
        OutputAccuracy out{std::move(name), decibels(signal, noise), 1, max_abs, rows, flips};
        if (shapes_differ > 0 || broken > 0) out.sqnr_db = -std::numeric_limits<double>::infinity();
        if (signal > 0 && quantized > 0) out.cosine = product / std::sqrt(signal * quantized);
        else if (signal > 0 || quantized > 0) out.cosine = 0;
        return out;
    }
};

using NamedSums = std::vector<std::pair<std::string, OutputSums>>;

ModelPtr optimized(const Model& model, Level level, const Progress& progress) {
    OptimizeOptions optimizing;
    optimizing.near_misses = false;
    optimizing.level = level;
    return std::make_shared<const Model>(optimize(model, optimizing, {progress.cancel, {}}).model);
}

/// The standard error of the mean over outputs, from the influence of each sample on 10
/// log10(signal / noise). Outputs that are equal, or missing for some sample, are skipped.
std::optional<double> standard_error(const NamedSums& outputs, std::size_t samples) {
    if (samples < 2) return std::nullopt;
    const double decibels_of_one = 10 / std::log(10.0),
                 of_all = static_cast<double>(outputs.size());
    std::vector<double> moved(samples, 0);
    for (const auto& [name, sums] : outputs) {
        if (sums.signals.size() != samples || !(sums.signal > 0) || !(sums.noise > 0)) continue;
        for (std::size_t i = 0; i < samples; ++i)
            moved[i] += decibels_of_one *
                        (sums.signals[i] / sums.signal - sums.noises[i] / sums.noise) / of_all;
    }
    double squares = 0;
    for (const double part : moved) squares += part * part;
    const auto count = static_cast<double>(samples);
    return std::sqrt(squares * count / (count - 1));
}

/// Runs both models on samples as at the level in use: from level basic on pairs are fused into
/// integer kernels.
class Evaluation final : private SampleWork {
public:
    Evaluation(const Model& original, const Model& quantized, const SampleSource& samples,
               int threads, const Progress& progress, Level level)
        : samples_(samples), progress_(progress), level_(level),
          original_(optimized(original, level, progress)),
          quantized_(optimized(quantized, level, progress)), runs_(*this, threads, samples.size()),
          places_(runs_.places()) {
        running_.cancel = progress.cancel;
    }

    QuantizedAccuracy result() {
        std::vector<std::size_t> all(samples_.size());
        std::iota(all.begin(), all.end(), std::size_t{0});
        runs_.run(all, "evaluating", progress_);
        if (out_.samples == 0)
            fail_input(out_.warnings.empty() ? "there is no sample to evaluate on"
                                             : "no sample could be run: " + out_.warnings.back());
        out_.error_db = standard_error(sums_, out_.samples);
        for (const auto& [name, sum] : sums_) add_output(name, sum);
        return std::move(out_);
    }

private:
    /// The outputs of both models for a sample, and the sums over them.
    struct Pair {
        RunResult expected, found;
        NamedSums sums;
    };

    void prepare(int threads) override {
        SessionOptions options;
        options.resources.threads = threads;
        options.session_passes = SessionPasses{session_passes_at(level_), {}};
        first_.emplace(Session::compile(original_, options, {progress_.cancel, {}}));
        second_.emplace(Session::compile(quantized_, options, {progress_.cancel, {}}));
    }

    void run(std::size_t sample, std::size_t place) override {
        Pair& pair = places_[place];
        const NamedValues inputs = samples_.at(sample, running_.cancel);
        first_->run(inputs, running_, pair.expected);
        second_->run(inputs, running_, pair.found);
        pair.sums.clear();
        for (const auto& [name, value] : pair.expected.outputs) {
            const RuntimeValue* other = find(pair.found.outputs, name);
            if (!value.is_tensor() || !is_float(value.tensor().dtype()) || !other ||
                !other->is_tensor())
                continue;
            pair.sums.emplace_back(name, OutputSums())
                .second.compare(value.tensor(), other->tensor());
        }
    }

    std::uint64_t held_bytes(std::size_t place) const override {
        std::uint64_t sum = 0;
        for (const RunResult* result : {&places_[place].expected, &places_[place].found})
            for (const auto& [name, value] : result->outputs)
                if (value.is_tensor())
                    sum += storage_bytes(value.tensor().dtype(), value.tensor().size());
        return sum;
    }
    std::uint64_t working_bytes() const override {
        return first_->plan().arena_bytes + second_->plan().arena_bytes;
    }

    bool take(std::size_t, std::size_t place) override {
        double of_sample = 0;
        const NamedSums& found = places_[place].sums;
        for (const auto& [name, sums] : found) {
            auto at = std::ranges::find(sums_, name, &NamedSums::value_type::first);
            if (at == sums_.end()) at = sums_.insert(sums_.end(), {name, {}});
            at->second.add(sums);
            const bool is_lost = sums.broken > 0 || sums.shapes_differ > 0;
            of_sample += is_lost ? -most_db
                                 : std::clamp(decibels(sums.signal, sums.noise), -most_db, most_db);
        }
        out_.sample_db.push_back(found.empty() ? 0 : of_sample / static_cast<double>(found.size()));
        ++out_.samples;
        return true;
    }
    void leave_out(std::size_t sample, std::size_t, const Error& why) override {
        if (++failures_ <= reported_failures)
            out_.warnings.push_back(samples_.name(sample) + " was left out: " + why.what());
    }

    void add_output(const std::string& name, const OutputSums& sum) {
        out_.outputs.push_back(sum.figures(name));
        if (sum.not_finite > 0)
            out_.warnings.push_back(
                "output " + quote(name) + " of the original was not finite in " +
                std::to_string(sum.not_finite) + " of " + std::to_string(sum.elements) +
                " elements, which were not compared");
        if (sum.broken > 0)
            out_.warnings.push_back(
                "output " + quote(name) + " of the quantized model is not finite in " +
                std::to_string(sum.broken) + " of " + std::to_string(sum.elements) +
                " elements where the original's are");
    }

    const SampleSource& samples_;
    const Progress& progress_;
    Level level_;
    ModelPtr original_, quantized_;
    RunOptions running_;
    std::optional<Session> first_, second_;
    SampleRuns runs_;
    std::vector<Pair> places_;
    NamedSums sums_;
    std::size_t failures_ = 0;
    QuantizedAccuracy out_;
};

}  // namespace

double QuantizedAccuracy::sqnr_db() const {
    double sum = 0;
    for (const OutputAccuracy& output : outputs) sum += std::min(output.sqnr_db, most_db);
    return outputs.empty() ? 0 : sum / static_cast<double>(outputs.size());
}

QuantizedAccuracy evaluate_quantized(ModelPtr original, ModelPtr quantized,
                                     const SampleSource& samples, int threads,
                                     const Progress& progress, Level level) {
    return Evaluation(*original, *quantized, samples, threads, progress, level).result();
}

}  // namespace lapidary
