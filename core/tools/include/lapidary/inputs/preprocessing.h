// SPDX-License-Identifier: Apache-2.0
// What pixels have to become before a model sees them, as far as model, samples and labels say.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <lapidary/proof/accuracy.h>
#include <lapidary/quantize/calibrate.h>
#include <lapidary/graph/model.h>
#include <lapidary/base/progress.h>

namespace lapidary {

/// What models are usually trained on: pixels as they are, divided by 255, from -1 to 1, or less
/// ImageNet's mean over its deviation (of channels in the order red, green, blue).
enum class PixelScale : std::uint8_t { bytes, unit, symmetric, imagenet };
/// All of them, in the order in which they are offered.
inline constexpr std::array usual_pixel_scales{PixelScale::bytes, PixelScale::unit,
                                               PixelScale::symmetric, PixelScale::imagenet};
// "0 to 255", "0 to 1", "-1 to 1", "ImageNet mean and deviation"
std::string_view name_of(PixelScale scale);
/// `images` with mean and deviation of the scale, as chosen, for pixels from 0 to `highest`.
ImageOptions scaled(ImageOptions images, PixelScale scale, double highest = 255);
/// That of mean and deviation, for pixels from 0 to 255; nothing: they are others.
std::optional<PixelScale> scale_of(const ImageOptions& images);
/// Whether mean or deviation were chosen: then no guess takes their place.
bool has_chosen_scale(const ImageOptions& images);
/// How the command line asks for mean, deviation and order of channels: "--mean 127.5 --std 127.5".
std::string scale_options(const ImageOptions& images);

/// A way that pixels may become numbers, and what speaks for it.
struct PreprocessingCandidate {
    std::string name;     // "-1 to 1", "0 to 1, blue first"
    ImageOptions images;  // that make it
    /// right answers of the float model; nothing: there are no labels
    std::optional<ShareEstimate> top1;
    /// From what the first BatchNormalization was trained on: of the medians over its channels the
    /// distance of the means, in deviations, and the natural logarithm of the ratio of deviations,
    /// added. Nothing: there is none.
    std::optional<double> distance;
};

/// What was found out about the samples of a model.
struct PreprocessingJudgement {
    PixelKind kind = PixelKind::none;  // of the samples; none: there is nothing to judge
    /// name of what was asked for: what is fed unless it is guessed otherwise
    std::string asked;
    std::vector<PreprocessingCandidate> candidates;  // the best first
    std::uint64_t labels = 0;                        // that `top1` is of
    /// what speaks for the best, or against what is fed; may be empty
    std::string reason;
    bool is_guessed = false;  // candidates[0] takes the place of what was asked for
    bool is_warning = false;  // somebody has to look at it
    bool is_chosen = false;   // mean or deviation were chosen
    std::size_t rivals = 0;   // of candidates[0], behind it: not worse by more than chance
    /// What to know of it; empty: nothing. `with_options`: with those of the command line.
    std::string sentence(bool with_options) const;
};

/// Judges how bytes, pictures and floats of the shape and range of pixels become numbers: by right
/// answers where there are labels of classes (`labels` may be null), else by the first
/// BatchNormalization, Add, Sub, Mul or Div with constants. Bytes and floats up to 255 are never
/// passed over: where nothing decides, there is a warning. Where mean or deviation were chosen
/// nothing is guessed; with labels, what does better is named. Runs some samples, for some seconds.
/// Throws what measure_accuracy() throws for labels that do not fit the samples, cancelled.
PreprocessingJudgement judge_preprocessing(const ModelPtr& model, const SampleSourcePtr& samples,
                                           const ImageOptions& images,
                                           const Labels* labels = nullptr, int threads = 0,
                                           const Progress& progress = {});

/// Samples as they are best fed.
struct PreparedSamples {
    SampleSourcePtr samples;           // never null
    ImageOptions images;               // they are read with
    PreprocessingJudgement judgement;  // why
};
/// judge_preprocessing(), and the guess taken.
PreparedSamples prepare_samples(const ModelPtr& model, const SampleSourcePtr& samples,
                                const ImageOptions& images, const Labels* labels = nullptr,
                                int threads = 0, const Progress& progress = {});

}  // namespace lapidary
