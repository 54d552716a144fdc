// SPDX-License-Identifier: Apache-2.0
// Finds out how pixels must be scaled for a model, from the model, samples and labels.
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

/// Usual scales of pixels: 0 to 255, divided by 255, from -1 to 1, or (pixel - mean) / deviation of
/// ImageNet (channels in the order red, green, blue).
enum class PixelScale : std::uint8_t { bytes, unit, symmetric, imagenet };
/// All of them, in the order in which they are offered.
inline constexpr std::array usual_pixel_scales{PixelScale::bytes, PixelScale::unit,
                                               PixelScale::symmetric, PixelScale::imagenet};
// "0 to 255", "0 to 1", "-1 to 1", "ImageNet mean and deviation"
std::string_view name_of(PixelScale scale);
/// `images` with mean and deviation of the scale, as chosen, for pixels from 0 to `highest`.
ImageOptions scaled(ImageOptions images, PixelScale scale, double highest = 255);
/// The scale that has the mean and deviation of `images`, for pixels from 0 to 255. Nothing: none
/// has.
std::optional<PixelScale> scale_of(const ImageOptions& images);
/// True if the user chose mean or deviation. Then no guess replaces them.
bool has_chosen_scale(const ImageOptions& images);
/// Options of the command line for mean, deviation and order of channels: "--mean 127.5 --std
/// 127.5".
std::string scale_options(const ImageOptions& images);

/// A possible preprocessing, and the evidence for it.
struct PreprocessingCandidate {
    std::string name;     // "-1 to 1", "0 to 1, blue first"
    ImageOptions images;  // that say so
    /// right answers of the float model; nothing: there are no labels
    std::optional<ShareEstimate> top1;
    /// Distance from the statistics of the first BatchNormalization: the distance of the means in
    /// deviations plus the natural logarithm of the ratio of deviations, each the median over its
    /// channels. Nothing: the model has none.
    std::optional<double> distance;
};

/// The result of judge_preprocessing().
struct PreprocessingJudgement {
    PixelKind kind = PixelKind::none;  // of the samples; none: there is nothing to judge
    /// name of the requested preprocessing, which is used unless is_guessed
    std::string asked;
    std::vector<PreprocessingCandidate> candidates;  // the best first
    std::uint64_t labels = 0;                        // number that `top1` rests on
    /// evidence for the best candidate, or against the one that is used; may be empty
    std::string reason;
    bool is_guessed = false;  // candidates[0] replaces the requested preprocessing
    bool is_warning = false;  // the user has to check it
    bool is_chosen = false;   // the user chose mean or deviation
    std::size_t rivals = 0;   // candidates behind the first that are worse by no more than chance
    /// A note for the user; empty: none is needed. `with_options`: names options of the command
    /// line.
    std::string sentence(bool with_options) const;
};

/// Finds the best preprocessing for bytes, pictures, and floats with the shape and range of pixels.
/// With labels of classes (`labels` may be null) by right answers, else by the first
/// BatchNormalization, Add, Sub, Mul or Div with constants. If nothing decides for bytes and floats
/// up to 255, there is a warning. If the user chose mean or deviation nothing is guessed; with
/// labels, the result names a preprocessing that does better. Runs some samples, for some seconds.
/// Throws what measure_accuracy() throws for labels that do not fit the samples, cancelled.
PreprocessingJudgement judge_preprocessing(const ModelPtr& model, const SampleSourcePtr& samples,
                                           const ImageOptions& images,
                                           const Labels* labels = nullptr, int threads = 0,
                                           const Progress& progress = {});

/// Samples with the best preprocessing.
struct PreparedSamples {
    SampleSourcePtr samples;           // never null
    ImageOptions images;               // that they are read with
    PreprocessingJudgement judgement;  // why
};
/// Samples with the result of judge_preprocessing().
PreparedSamples prepare_samples(const ModelPtr& model, const SampleSourcePtr& samples,
                                const ImageOptions& images, const Labels* labels = nullptr,
                                int threads = 0, const Progress& progress = {});

}  // namespace lapidary
