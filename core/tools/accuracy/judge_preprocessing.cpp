// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <lapidary/base/error.h>
#include <lapidary/export/extract.h>
#include <lapidary/proof/judge_labelled.h>
#include <lapidary/inputs/preprocessing.h>

#include "accuracy/first_normalization.h"

namespace lapidary {
namespace {

using Clock = std::chrono::steady_clock;

// numbers of samples
constexpr std::size_t looked_at = 8, first_counted = 16, most_counted = 256, watched = 16;
constexpr double seconds_each = 4;  // of the runs of a candidate
// limit on PreprocessingCandidate::distance for the preprocessing that a model was trained with
constexpr double near_distance = 0.7;
constexpr double clearly_farther = 2;  // times, of the others
// limit on results of the first product of a trained model
constexpr double usual_deviation = 12;

/// Extremes of some samples as the files hold them.
struct SeenValues {
    double low = 0, high = 0;
    std::int64_t channels = 0;  // of pictures of 3 channels; else 0
    bool any = false;
};

double median_of(std::vector<double> values) {
    const auto middle = values.begin() + std::ssize(values) / 2;
    std::ranges::nth_element(values, middle);
    return *middle;
}

std::string percent(const ShareEstimate& share) {
    return fmt::format("{:.1f} %", 100 * share.share);
}

class Judge {
public:
    Judge(const ModelPtr& model, const SampleSourcePtr& samples, const ImageOptions& images,
          const Labels* labels, int threads, const Progress& progress)
        : model_(model), samples_(samples), images_(images), labels_(labels), threads_(threads),
          progress_(progress) {}

    PreprocessingJudgement run() {
        if (labels_) labels_per_sample(*labels_, samples_->size());
        const SamplePixels pixels = samples_->pixels(progress_.cancel);
        if (pixels.kind == PixelKind::none) return {};
        seen_ = seen(pixels.input);
        if (!seen_.any || (pixels.kind == PixelKind::floats && !find_highest())) return {};
        out_.kind = pixels.kind;
        out_.is_chosen = has_chosen_scale(images_);
        add_candidates();
        if (labels_ && labels_->is_classes() && by_labels()) return std::move(out_);
        if (out_.is_chosen) return PreprocessingJudgement();
        first_ = first_normalization(model_->graph, pixels.input);
        if (!by_batch() && !by_affine()) undecided();
        return std::move(out_);
    }

private:
    Progress quiet() const { return {progress_.cancel, {}}; }

    SampleSourcePtr fed(const ImageOptions& images) const { return samples_->with_pixels(images); }

    SeenValues seen(const std::string& input) const {
        SeenValues found;
        ImageOptions raw = images_;
        raw.mean = ImageOptions().mean;
        raw.stddev = ImageOptions().stddev;
        raw.bgr = false;
        const SampleSourcePtr source = fed(raw);
        const std::size_t period = std::max<std::size_t>(1, source->size() / looked_at);
        for (std::size_t i = 0; i < source->size(); i += period) try {
                const NamedValues values = source->at(i, progress_.cancel);
                const RuntimeValue* value = find(values, input);
                if (!value || !value->is_tensor()) continue;
                const Shape& shape = value->tensor().shape();
                if (shape.size() == 4 && (shape[1] == 3 || shape[3] == 3)) found.channels = 3;
                for (const double element : to_doubles(value->tensor())) {
                    found.low = found.any ? std::min(found.low, element) : element;
                    found.high = found.any ? std::max(found.high, element) : element;
                    found.any = true;
                }
            } catch (const Error& error) {
                if (error.code() == ErrorCode::cancelled) throw;
            }
        return found;
    }

    /// True if the range of floats is that of pixels.
    bool find_highest() {
        constexpr double least_of_bytes = 16, most_of_bytes = 255.5, least_of_shares = 0.5;
        if (!(seen_.low >= 0)) return false;
        if (seen_.high > least_of_bytes && seen_.high <= most_of_bytes) return true;
        highest_ = 1;
        return seen_.high > least_of_shares && seen_.high <= 1;
    }

    static bool is_same(const ImageOptions& a, const ImageOptions& b) {
        return a.mean == b.mean && a.stddev == b.stddev && a.bgr == b.bgr;
    }

    void add_candidates() {
        for (const PixelScale scale : usual_pixel_scales) {
            PreprocessingCandidate one{
                std::string(name_of(scale)), scaled(images_, scale, highest_), {}, {}};
            if (is_same(one.images, images_)) out_.asked = one.name;
            out_.candidates.push_back(std::move(one));
        }
        if (!out_.asked.empty()) return;
        out_.asked = "the mean and deviation chosen";
        out_.candidates.push_back({out_.asked, images_, {}, {}});
    }

    PreprocessingCandidate& asked() {
        return *std::ranges::find(out_.candidates, out_.asked, &PreprocessingCandidate::name);
    }

    /// The requested one first, the others in their order.
    void asked_first() {
        std::ranges::stable_partition(out_.candidates, [this](const auto& candidate) {
            return candidate.name == out_.asked;
        });
    }

    std::optional<AccuracyCounts> counted(const ImageOptions& images, std::size_t samples) const {
        AccuracyOptions options;
        options.threads = threads_;
        options.shards = std::max<std::size_t>(1, (samples_->size() + samples - 1) / samples);
        try {
            AccuracyCounts counts =
                measure_accuracy(model_, *fed(images), *labels_, options, quiet());
            return counts.rows > 0 ? std::optional(std::move(counts)) : std::nullopt;
        } catch (const Error& error) {
            if (error.code() == ErrorCode::cancelled) throw;
            return std::nullopt;  // which is reported where the labels are counted
        }
    }

    /// As many samples as time allows.
    std::size_t affordable() const {
        const auto begin = Clock::now();
        counted(images_, first_counted);
        const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
        const double many = static_cast<double>(first_counted) *
                            std::max(1.0, seconds_each / std::max(seconds, 1e-3));
        return static_cast<std::size_t>(std::min(many, static_cast<double>(most_counted)));
    }

    /// False: no label could be compared.
    bool by_labels() {
        progress_.step("trying what pixels may become");
        const std::size_t samples = affordable();
        const std::optional<AccuracyCounts> now = counted(images_, samples);
        if (!now) return false;
        out_.labels = now->rows;
        asked().top1 = now->top1_share();
        if (out_.is_chosen && !float_model_fault(*now)) {
            out_.candidates.clear();
            return true;
        }
        for (PreprocessingCandidate& candidate : out_.candidates)
            if (!candidate.top1) candidate.top1 = share(candidate.images, samples);
        sort_by_answers();
        try_other_order(samples);
        conclude(*now);
        return true;
    }

    std::optional<ShareEstimate> share(const ImageOptions& images, std::size_t samples) const {
        const auto counts = counted(images, samples);
        return counts ? std::optional(counts->top1_share()) : std::nullopt;
    }

    void sort_by_answers() {
        asked_first();
        std::ranges::stable_sort(out_.candidates, std::ranges::greater(),
                                 [](const PreprocessingCandidate& candidate) {
                                     return candidate.top1 ? candidate.top1->share : -1;
                                 });
    }

    /// The best one with red and blue exchanged.
    void try_other_order(std::size_t samples) {
        if (seen_.channels != 3) return;
        PreprocessingCandidate other = out_.candidates.front();
        other.images.bgr = !other.images.bgr;
        std::ranges::reverse(other.images.mean);
        std::ranges::reverse(other.images.stddev);
        other.name += other.images.bgr ? ", blue first" : ", red first";
        other.top1 = share(other.images, samples);
        out_.candidates.push_back(std::move(other));
        sort_by_answers();
    }

    void conclude(const AccuracyCounts& now) {
        const ShareEstimate fed = asked().top1.value(),
                            best = out_.candidates.front().top1.value_or(ShareEstimate());
        const bool is_other = out_.candidates.front().name != out_.asked;
        out_.reason = fmt::format("as {} the float model is right on {} of {} labels", out_.asked,
                                  percent(fed), out_.labels);
        if (is_other)
            out_.reason +=
                fmt::format(", as {} on {}", out_.candidates.front().name, percent(best));
        const bool is_better = is_other && best.low > fed.high;
        out_.is_guessed = is_better && !out_.is_chosen && best.high >= 0.5;
        out_.rivals = static_cast<std::size_t>(std::ranges::count_if(
            out_.candidates.begin() + 1, out_.candidates.end(), [&](const auto& candidate) {
                return candidate.top1 && candidate.top1->high >= best.low;
            }));
        const bool is_open = is_better || (out_.kind == PixelKind::bytes && !out_.is_chosen) ||
                             float_model_fault(now);
        out_.is_warning = is_other && (out_.is_guessed ? out_.rivals > 0 : is_open);
    }

    bool by_batch() {
        if (first_.kind != FirstNormalization::Kind::batch) return false;
        CalibrationOptions options;
        options.most_samples = watched;
        options.settled_samples = 0;
        options.histograms = false;
        options.threads = threads_;
        for (PreprocessingCandidate& candidate : out_.candidates)
            candidate.distance = distance(observed(candidate.images, options));
        asked_first();
        std::ranges::stable_sort(out_.candidates, {}, [](const PreprocessingCandidate& candidate) {
            return candidate.distance.value_or(HUGE_VAL);
        });
        const double best = out_.candidates[0].distance.value_or(HUGE_VAL);
        const double second = out_.candidates[1].distance.value_or(HUGE_VAL);
        if (best > near_distance || second < clearly_farther * best || second < near_distance)
            return false;
        decide(fmt::format(
            "{} was trained on values like these ({:.2g} deviations off; {:.2g} as {})",
            first_.node, best,
            out_.asked == out_.candidates[0].name ? second : asked().distance.value_or(HUGE_VAL),
            out_.asked == out_.candidates[0].name ? out_.candidates[1].name : out_.asked));
        return true;
    }

    /// The part of the model up to first_, which is all that must run. The whole model if that part
    /// cannot be extracted.
    ModelPtr beginning() {
        if (beginning_) return beginning_;
        beginning_ = model_;
        const auto inputs = std::ranges::count_if(
            model_->graph.inputs(), [&](ValueId id) { return !model_->graph.value(id).constant; });
        if (inputs != 1) return beginning_;
        try {
            beginning_ =
                std::make_shared<const Model>(extract_nodes(*model_, first_.nodes, quiet()));
        } catch (const Error& error) {
            if (error.code() == ErrorCode::cancelled) throw;
        }
        return beginning_;
    }

    std::optional<ObservedTensor> observed(const ImageOptions& images,
                                           const CalibrationOptions& options) {
        try {
            const Calibration found =
                calibrate(beginning(), *fed(images), {{first_.value, 1}}, options, quiet());
            const ObservedTensor* tensor = found.find(first_.value);
            return tensor && !tensor->channel_mean.empty() ? std::optional(*tensor) : std::nullopt;
        } catch (const Error& error) {
            if (error.code() == ErrorCode::cancelled) throw;
            return std::nullopt;
        }
    }

    std::optional<double> distance(const std::optional<ObservedTensor>& seen) const {
        if (!seen || seen->channel_mean.size() != first_.mean.size()) return std::nullopt;
        std::vector<double> means, deviations;
        for (std::size_t c = 0; c < first_.mean.size(); ++c) {
            const double trained = first_.variance[c];
            const double variance =
                seen->channel_square[c] - seen->channel_mean[c] * seen->channel_mean[c];
            if (!(trained > 0) || !(variance > 0)) continue;
            means.push_back(std::abs(seen->channel_mean[c] - first_.mean[c]) / std::sqrt(trained));
            deviations.push_back(std::abs(std::log(variance / trained)) / 2);
        }
        return means.empty() ? std::nullopt
                             : std::optional(median_of(means) + median_of(deviations));
    }

    bool by_affine() {
        if (first_.kind != FirstNormalization::Kind::affine) return false;
        constexpr double least_of_bytes = 1.0 / 400, most_of_bytes = 1.0 / 20, least_of_unit = 1.5,
                         mean_of_bytes = 20;
        const double scale = std::abs(first_.scale);
        const bool takes_bytes =
            (scale > least_of_bytes && scale < most_of_bytes) ||
            (std::abs(scale - 1) < 1e-3 && std::abs(first_.offset) > mean_of_bytes);
        if (!takes_bytes && scale < least_of_unit) return false;
        const std::string_view wanted = name_of(takes_bytes ? PixelScale::bytes : PixelScale::unit);
        std::ranges::stable_partition(
            out_.candidates, [&](const auto& candidate) { return candidate.name == wanted; });
        decide(takes_bytes
                   ? fmt::format("{} brings 0 to 255 into the range of the layers behind it",
                                 first_.node)
                   : fmt::format("{} brings 0 to 1 into the range of the layers behind it",
                                 first_.node));
        return true;
    }

    void decide(std::string reason) {
        out_.reason = std::move(reason);
        out_.is_guessed = out_.candidates.front().name != out_.asked;
    }

    /// Floats from 0 to 1 are considered preprocessed.
    void undecided() {
        if (highest_ == 1) {
            out_ = {};
            return;
        }
        asked_first();
        out_.is_warning = true;
        out_.reason = "neither labels nor the model say what it was trained on";
        if (first_.kind != FirstNormalization::Kind::product) return;
        CalibrationOptions options;
        options.most_samples = looked_at;
        options.settled_samples = 0;
        options.histograms = false;
        options.threads = threads_;
        const auto seen = observed(images_, options);
        if (!seen) return;
        std::vector<double> variances;
        for (std::size_t c = 0; c < seen->channel_mean.size(); ++c)
            variances.push_back(seen->channel_square[c] -
                                seen->channel_mean[c] * seen->channel_mean[c]);
        const double deviation = std::sqrt(std::max(0.0, median_of(variances)));
        if (deviation > usual_deviation)
            out_.reason = fmt::format(
                "{} then gives values with a deviation of {:.3g}, which is far more than trained "
                "layers have",
                first_.node, deviation);
    }

    const ModelPtr& model_;
    const SampleSourcePtr& samples_;
    const ImageOptions& images_;
    const Labels* labels_;
    int threads_;
    const Progress& progress_;
    double highest_ = 255;
    SeenValues seen_;
    FirstNormalization first_;
    ModelPtr beginning_;  // null: not needed yet
    PreprocessingJudgement out_;
};

}  // namespace

std::string PreprocessingJudgement::sentence(bool with_options) const {
    if (candidates.empty() || (!is_guessed && !is_warning)) return {};
    const auto named = [&](const PreprocessingCandidate& candidate) {
        std::string text = candidate.name;
        if (with_options) text += " (" + scale_options(candidate.images) + ")";
        if (candidate.top1) text += fmt::format(", right on {}", percent(*candidate.top1));
        return text;
    };
    const std::string what = kind == PixelKind::bytes ? "bytes are fed as " : "pixels are fed as ";
    const std::string options =
        with_options ? " (" + scale_options(candidates[0].images) + ")" : "";
    if (is_guessed) {
        std::string text = what + candidates[0].name + options + ": " + reason;
        std::vector<std::string> near;
        for (std::size_t i = 1; i <= rivals && i < candidates.size(); ++i)
            near.push_back(named(candidates[i]));
        if (!near.empty())
            text += fmt::format("; these may be meant as well: {}", fmt::join(near, "; "));
        return with_options ? text + "; --std 1 leaves them as they are" : text;
    }
    std::vector<std::string> others;
    for (const PreprocessingCandidate& candidate : candidates)
        if (candidate.name != asked) others.push_back(named(candidate));
    std::string text = fmt::format("{}{}: {}; what was meant may be {}", what, asked, reason,
                                   fmt::join(others, "; "));
    return with_options && !is_chosen ? text + "; --std 1 says that they are right as they are"
                                      : text;
}

PreprocessingJudgement judge_preprocessing(const ModelPtr& model, const SampleSourcePtr& samples,
                                           const ImageOptions& images, const Labels* labels,
                                           int threads, const Progress& progress) {
    return Judge(model, samples, images, labels, threads, progress).run();
}

PreparedSamples prepare_samples(const ModelPtr& model, const SampleSourcePtr& samples,
                                const ImageOptions& images, const Labels* labels, int threads,
                                const Progress& progress) {
    PreparedSamples made{samples, images,
                         judge_preprocessing(model, samples, images, labels, threads, progress)};
    if (!made.judgement.is_guessed) return made;
    made.images = made.judgement.candidates.front().images;
    made.samples = samples->with_pixels(made.images);
    return made;
}

}  // namespace lapidary
