// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <lapidary/onnx_io/model_io.h>
#include <lapidary/quantize/quantize_verdict.h>

namespace lapidary {
namespace {

constexpr double levels_differ_db = 1, reported_difference_db = 3, nobody_sees_db = 40;
constexpr std::uint64_t small_model_bytes = 4'000'000;  // of constants
constexpr std::size_t few_judging_samples = 16;

/// The first samples of a source.
class FirstSamples final : public SampleSource {
public:
    FirstSamples(const SampleSource& source, std::size_t most)
        : source_(source), size_(std::min(most, source.size())) {}
    std::size_t size() const override { return size_; }
    NamedValues at(std::size_t index, const CancelToken& cancel) const override {
        return source_.at(index, cancel);
    }
    std::string name(std::size_t index) const override { return source_.name(index); }

private:
    const SampleSource& source_;
    std::size_t size_;
};

double mean_db(const QuantizedAccuracy& accuracy, std::size_t samples) {
    double sum = 0;
    for (std::size_t i = 0; i < samples; ++i) sum += accuracy.sample_db[i];
    return samples > 0 ? sum / static_cast<double>(samples) : 0;
}

}  // namespace

double WrittenAccuracy::lost_db() const {
    const std::size_t both = std::min(all.sample_db.size(), disabled.sample_db.size());
    return mean_db(all, both) - mean_db(disabled, both);
}

Level WrittenAccuracy::worse_level() const {
    return disabled.samples > 0 && lost_db() >= levels_differ_db &&
                   disabled.sqnr_db() < all.sqnr_db()
               ? Level::disabled
               : Level::all;
}

std::optional<std::string> WrittenAccuracy::difference() const {
    if (all.samples == 0 || disabled.samples == 0) return std::nullopt;
    if (std::abs(lost_db()) < reported_difference_db ||
        std::min(all.sqnr_db(), disabled.sqnr_db()) >= nobody_sees_db)
        return std::nullopt;
    return fmt::format(
        "what the file says and what its optimized form gives differ: SQNR {} at level disabled, "
        "{} at "
        "level all; other runtimes may give either",
        text_of(estimate_of(disabled)), text_of(estimate_of(all)));
}

WrittenAccuracy judge_at_both_levels(const ModelPtr& original, const ModelPtr& quantized,
                                     const SampleSource& samples, int threads,
                                     const Progress& progress) {
    WrittenAccuracy found;
    found.model = quantized;
    found.all = evaluate_quantized(original, quantized, samples, threads, progress, Level::all);
    // Reference kernels are slow, and for large models some of the samples are enough.
    const bool is_small = constant_bytes(*original) <= small_model_bytes;
    const FirstSamples first(samples, is_small ? samples.size() : few_judging_samples);
    found.disabled =
        evaluate_quantized(original, quantized, first, threads, progress, Level::disabled);
    return found;
}

WrittenAccuracy judge_written(const ModelPtr& original, const std::filesystem::path& file,
                              const SampleSource& samples, int threads, const Progress& progress) {
    const auto written = std::make_shared<const Model>(load_model(file, {}, {progress.cancel, {}}));
    return judge_at_both_levels(original, written, samples, threads, progress);
}

}  // namespace lapidary
