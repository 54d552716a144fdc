// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include <lapidary/inputs/preprocessing.h>

#include "base/at.h"

namespace lapidary {
namespace {

struct Scale {
    std::string_view name;
    std::array<float, 3> mean, stddev;
};

const Scale& of(PixelScale scale) {
    static constexpr std::array<Scale, 4> scales{
        {{"0 to 255", {0, 0, 0}, {1, 1, 1}},
         {"0 to 1", {0, 0, 0}, {255, 255, 255}},
         {"-1 to 1", {127.5F, 127.5F, 127.5F}, {127.5F, 127.5F, 127.5F}},
         {"ImageNet mean and deviation",
          {123.675F, 116.28F, 103.53F},
          {58.395F, 57.12F, 57.375F}}}};
    return at(scales, scale);
}

std::string channels(const std::array<float, 3>& values) {
    if (values[0] == values[1] && values[1] == values[2]) return fmt::format("{:g}", values[0]);
    return fmt::format("{:g},{:g},{:g}", values[0], values[1], values[2]);
}

}  // namespace

std::string_view name_of(PixelScale scale) { return of(scale).name; }

ImageOptions scaled(ImageOptions images, PixelScale scale, double highest) {
    images.mean = of(scale).mean;
    images.stddev = of(scale).stddev;
    if (images.bgr) {
        std::ranges::reverse(images.mean);
        std::ranges::reverse(images.stddev);
    }
    for (auto* values : {&images.mean, &images.stddev})
        for (float& value : *values)
            value = static_cast<float>(static_cast<double>(value) * highest / 255);
    images.scale_chosen = true;
    return images;
}

std::optional<PixelScale> scale_of(const ImageOptions& images) {
    for (const PixelScale scale : usual_pixel_scales)
        if (const ImageOptions usual = scaled(images, scale);
            usual.mean == images.mean && usual.stddev == images.stddev)
            return scale;
    return std::nullopt;
}

bool has_chosen_scale(const ImageOptions& images) {
    const ImageOptions plain;
    return images.scale_chosen || images.mean != plain.mean || images.stddev != plain.stddev;
}

std::string scale_options(const ImageOptions& images) {
    const ImageOptions plain;
    std::string text;
    if (images.mean != plain.mean) text = "--mean " + channels(images.mean) + " ";
    if (images.stddev != plain.stddev || text.empty())
        text += "--std " + channels(images.stddev) + " ";
    if (images.bgr) text += "--bgr ";
    text.pop_back();
    return text;
}

}  // namespace lapidary
