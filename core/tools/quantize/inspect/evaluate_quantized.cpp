// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <lapidary/base/error.h>
#include <lapidary/passes/optimize.h>
#include <lapidary/quantize/quantize.h>
#include <lapidary/exec/session.h>

#include "quantize/samples/told_failures.h"

namespace lapidary {
namespace {

constexpr double most_db = 300;  // equal outputs must not hide the others

double decibels(double signal, double noise) {
    if (!(noise > 0)) return std::numeric_limits<double>::infinity();
    return signal > 0 ? 10 * std::log10(signal / noise) : -std::numeric_limits<double>::infinity();
}

/// Sums over all samples of one output.
struct OutputSums {
    double signal = 0, noise = 0, product = 0, quantized = 0, max_abs = 0;
    std::size_t rows = 0, flips = 0, shapes_differ = 0;
    std::uint64_t elements = 0, not_finite = 0;  // of the original
    std::uint64_t broken = 0;                    // not finite where the original's are
    std::vector<double> signals, noises;         // of each sample

    void add(const Tensor& x, const Tensor& y) {
        if (x.shape() != y.shape()) {
            ++shapes_differ;
            return;
        }
        const std::vector<double> a = to_doubles(x), b = to_doubles(y);
        const double signal_before = signal, noise_before = noise;
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
        signals.push_back(signal - signal_before);
        noises.push_back(noise - noise_before);
        count_flips(x.shape(), a, b);
    }

    void count_flips(const Shape& shape, const std::vector<double>& a,
                     const std::vector<double>& b) {
        const std::size_t axis = shape.size() == 3 ? 2 : 1;
        if (shape.size() < 2 || shape[axis] < 2 || a.empty()) return;
        const auto classes = static_cast<std::size_t>(shape[axis]);
        std::size_t inner = 1;
        for (std::size_t d = axis + 1; d < shape.size(); ++d)
            inner *= static_cast<std::size_t>(shape[d]);
        // What is no number is no answer: `classes`, which no other row has.
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

/// As it is run in earnest at the level: from level basic on pairs are fused into integer kernels.
Session compiled(const Model& model, Level level, int threads, const Progress& progress) {
    OptimizeOptions optimizing;
    optimizing.near_misses = false;
    optimizing.level = level;
    SessionOptions options;
    options.intra_threads = threads;
    options.session_passes = SessionPasses{session_passes_at(level), {}};
    return Session::compile(
        std::make_shared<const Model>(optimize(model, optimizing, {progress.cancel, {}}).model),
        options, {progress.cancel, {}});
}

/// The standard error of the mean over outputs, from how much each sample moves 10 log10(signal /
/// noise). Outputs that are equal, or missing for some sample, are skipped.
std::optional<double> standard_error(const std::vector<std::pair<std::string, OutputSums>>& outputs,
                                     std::size_t samples) {
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

}  // namespace

double QuantizedAccuracy::sqnr_db() const {
    double sum = 0;
    for (const OutputAccuracy& output : outputs) sum += std::min(output.sqnr_db, most_db);
    return outputs.empty() ? 0 : sum / static_cast<double>(outputs.size());
}

QuantizedAccuracy evaluate_quantized(ModelPtr original, ModelPtr quantized,
                                     const SampleSource& samples, int threads,
                                     const Progress& progress, Level level) {
    Session first = compiled(*original, level, threads, progress);
    Session second = compiled(*quantized, level, threads, progress);
    QuantizedAccuracy out;
    RunOptions running;
    running.cancel = progress.cancel;
    std::vector<std::pair<std::string, OutputSums>> sums;
    std::size_t failures = 0;
    for (std::size_t i = 0; i < samples.size(); ++i) {
        progress.step("evaluating", static_cast<double>(i) / static_cast<double>(samples.size()));
        try {
            const NamedValues inputs = samples.at(i, progress.cancel);
            const RunResult expected = first.run(inputs, running),
                            found = second.run(inputs, running);
            double sample_sum = 0, sample_outputs = 0;
            for (const auto& [name, value] : expected.outputs) {
                const RuntimeValue* other = find(found.outputs, name);
                if (!value.is_tensor() || !is_float(value.tensor().dtype()) || !other ||
                    !other->is_tensor())
                    continue;
                auto at = std::ranges::find(sums, name, &std::pair<std::string, OutputSums>::first);
                if (at == sums.end()) at = sums.insert(sums.end(), {name, {}});
                const double signal = at->second.signal, noise = at->second.noise;
                const std::uint64_t broken = at->second.broken;
                at->second.add(value.tensor(), other->tensor());
                sample_sum +=
                    at->second.broken > broken
                        ? -most_db
                        : std::clamp(decibels(at->second.signal - signal, at->second.noise - noise),
                                     -most_db, most_db);
                ++sample_outputs;
            }
            out.sample_db.push_back(sample_outputs > 0 ? sample_sum / sample_outputs : 0);
            ++out.samples;
        } catch (const Error& error) {
            if (error.code() == ErrorCode::cancelled) throw;
            if (++failures <= reported_failures)
                out.warnings.push_back(samples.name(i) + " was left out: " + error.what());
        }
    }
    if (out.samples == 0)
        fail_input(out.warnings.empty() ? "there is no sample to evaluate on"
                                        : "no sample could be run: " + out.warnings.back());
    out.error_db = standard_error(sums, out.samples);
    for (const auto& [name, sum] : sums) {
        out.outputs.push_back(sum.figures(name));
        if (sum.not_finite > 0)
            out.warnings.push_back("output " + quote(name) + " of the original was not finite in " +
                                   std::to_string(sum.not_finite) + " of " +
                                   std::to_string(sum.elements) +
                                   " elements, which were not compared");
        if (sum.broken > 0)
            out.warnings.push_back(
                "output " + quote(name) + " of the quantized model is not finite in " +
                std::to_string(sum.broken) + " of " + std::to_string(sum.elements) +
                " elements where the original's are");
    }
    return out;
}

}  // namespace lapidary
