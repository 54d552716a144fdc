// SPDX-License-Identifier: Apache-2.0
#include "worker/inputs/sample_preview.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include <lapidary/base/error.h>

namespace lapidary::app {
namespace {

constexpr std::int64_t most_side = 96, least_side = 4;

/// Where the elements of an image are.
struct ImagePlace {
    std::int64_t channels, height, width;
    std::int64_t channel_step, row_step, column_step;
};

std::optional<ImagePlace> image_in(const Tensor& tensor) {
    if (tensor.rank() != 4 || tensor.dim(0) != 1) return std::nullopt;
    const auto is_colour = [](std::int64_t channels) { return channels == 1 || channels == 3; };
    const std::int64_t a = tensor.dim(1), b = tensor.dim(2), c = tensor.dim(3);
    std::optional<ImagePlace> place;
    if (is_colour(a)) place = {a, b, c, b * c, c, 1};
    else if (is_colour(c)) place = {c, a, b, 1, b * c, c};
    if (!place || place->height < least_side || place->width < least_side) return std::nullopt;
    return place;
}

std::optional<SamplePicture> picture_of(const Tensor& tensor, const std::vector<double>& values,
                                        double low, double high) {
    const auto place = image_in(tensor);
    if (!place) return std::nullopt;
    const std::int64_t largest = std::max(place->width, place->height);
    const double shrink = largest > most_side ? double(most_side) / double(largest) : 1;
    SamplePicture picture;
    picture.width = std::max(1, int(double(place->width) * shrink));
    picture.height = std::max(1, int(double(place->height) * shrink));
    const double scale = high > low ? 255 / (high - low) : 0;
    for (int y = 0; y < picture.height; ++y)
        for (int x = 0; x < picture.width; ++x) {
            const std::int64_t row = y * place->height / picture.height,
                               column = x * place->width / picture.width;
            for (std::int64_t c = 0; c < 3; ++c) {
                const std::int64_t at = (place->channels == 1 ? 0 : c) * place->channel_step +
                                        row * place->row_step + column * place->column_step;
                const double value = values[static_cast<std::size_t>(at)];
                picture.rgb += static_cast<char>(static_cast<unsigned char>(
                    std::isfinite(value) ? std::clamp((value - low) * scale, 0.0, 255.0) : 0));
            }
        }
    return picture;
}

void preview_tensor(const std::string& name, const Tensor& tensor, PreviewedSample& sample) {
    SampleInput input;
    input.name = name;
    input.type = std::string(name_of(tensor.dtype())) + to_string(tensor.shape());
    if (tensor.dtype() != DType::string) {
        const std::vector<double> values = to_doubles(tensor);
        double sum = 0;
        std::size_t count = 0;
        for (const double value : values) {
            if (!std::isfinite(value)) continue;
            input.low = count == 0 ? value : std::min(input.low, value);
            input.high = count == 0 ? value : std::max(input.high, value);
            sum += value;
            ++count;
        }
        if (count > 0) input.mean = sum / double(count);
        if (!sample.picture) sample.picture = picture_of(tensor, values, input.low, input.high);
    }
    sample.inputs.push_back(std::move(input));
}

}  // namespace

SamplePreview preview_samples(const SampleSourcePtr& samples, bool generated, std::size_t most,
                              const CancelToken& cancel) {
    const SampleSplit split = split_samples(samples);
    SamplePreview preview{samples->size(),
                          split.calibration_samples->size(),
                          split.evaluation_samples->size(),
                          generated,
                          {}};
    const std::size_t period = std::min(evaluation_period, samples->size());
    for (std::size_t i = 0; i < std::min(most, samples->size()); ++i) {
        cancel.throw_if_cancelled();
        PreviewedSample sample;
        sample.name = samples->name(i);
        sample.judges = period > 1 && i % period == period - 1;
        try {
            for (const auto& [name, value] : samples->at(i, cancel))
                if (value.is_tensor()) preview_tensor(name, value.tensor(), sample);
        } catch (const Error& error) {
            if (error.code() == ErrorCode::cancelled) throw;
            sample.failure = error.what();
        }
        preview.samples.push_back(std::move(sample));
    }
    return preview;
}

}  // namespace lapidary::app
