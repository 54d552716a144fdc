// SPDX-License-Identifier: Apache-2.0
// RoiAlign (10, 16, 22): each region is cut into bins; a bin is the average or maximum of bilinear
// samples in it.
#include <algorithm>
#include <array>
#include <cmath>

#include "kernels/reference/elementwise/widening.h"

namespace lapidary::reference {
namespace {

struct RoiOptions {
    std::int64_t rows, columns, sampling_ratio;
    double scale, offset;
    bool takes_maximum, forces_size;
};

RoiOptions read_options(const KernelContext& context) {
    const Node& node = context.node();
    RoiOptions o{};
    o.rows = node.int_attribute("output_height", 1);
    o.columns = node.int_attribute("output_width", 1);
    o.sampling_ratio = node.int_attribute("sampling_ratio", 0);
    o.scale = node.float_attribute("spatial_scale", 1.0f);
    if (o.rows < 1 || o.columns < 1 || o.sampling_ratio < 0 || o.sampling_ratio > 1 << 12)
        fail_model(
            "RoiAlign: output_height and output_width must be at least 1 and sampling_ratio in [0, "
            "4096]");
    const std::string mode = node.string_attribute("mode", "avg");
    if (mode != "avg" && mode != "max")
        fail_model("attribute mode: expected avg or max, found " + quote(mode));
    o.takes_maximum = mode == "max";
    // Before opset 16 there was no shift by half a pixel.
    const std::string coordinates =
        node.string_attribute("coordinate_transformation_mode",
                              context.version() >= 16 ? "half_pixel" : "output_half_pixel");
    if (coordinates != "half_pixel" && coordinates != "output_half_pixel")
        fail_model(
            "attribute coordinate_transformation_mode: expected half_pixel or output_half_pixel, "
            "found " +
            quote(coordinates));
    const bool half_pixel = coordinates == "half_pixel";
    o.offset = half_pixel ? 0.5 : 0;
    o.forces_size = !half_pixel;
    return o;
}

/// The four pixels around a sample and their weights; weights are 0 outside the image.
struct Corners {
    std::array<std::int64_t, 4> offset{};
    std::array<double, 4> weight{};
};

Corners corners_at(double y, double x, std::int64_t height, std::int64_t width) {
    Corners c;
    if (!(y >= -1 && y <= static_cast<double>(height) && x >= -1 &&
          x <= static_cast<double>(width)))
        return c;
    struct Axis {
        std::int64_t low, high;
        double fraction;
    };
    const auto split = [](double at, std::int64_t size) {
        at = std::max(at, 0.0);
        const auto low = static_cast<std::int64_t>(at);
        return low >= size - 1 ? Axis{size - 1, size - 1, 0}
                               : Axis{low, low + 1, at - static_cast<double>(low)};
    };
    const Axis v = split(y, height), h = split(x, width);
    c.offset = {v.low * width + h.low, v.low * width + h.high, v.high * width + h.low,
                v.high * width + h.high};
    c.weight = {(1 - v.fraction) * (1 - h.fraction), (1 - v.fraction) * h.fraction,
                v.fraction * (1 - h.fraction), v.fraction * h.fraction};
    return c;
}

/// Samples per bin along one axis.
std::int64_t grid_of(const RoiOptions& o, double length, std::int64_t bins) {
    if (o.sampling_ratio > 0) return o.sampling_ratio;
    const double count = std::ceil(length / static_cast<double>(bins));
    if (!(count < 1 << 12))
        fail_input("RoiAlign: a region of length " + std::to_string(length) +
                   " needs too many samples");
    return std::max<std::int64_t>(0, static_cast<std::int64_t>(count));
}

template <typename T>
void align_region(const RoiOptions& o, const T* image, std::int64_t channels, std::int64_t height,
                  std::int64_t width, const T* roi, T* to) {
    const double x1 = roi[0] * o.scale - o.offset, y1 = roi[1] * o.scale - o.offset;
    double region_width = roi[2] * o.scale - o.offset - x1,
           region_height = roi[3] * o.scale - o.offset - y1;
    if (o.forces_size) {
        region_width = std::max(region_width, 1.0);
        region_height = std::max(region_height, 1.0);
    }
    const double bin_height = region_height / static_cast<double>(o.rows),
                 bin_width = region_width / static_cast<double>(o.columns);
    const std::int64_t grid_rows = grid_of(o, region_height, o.rows),
                       grid_columns = grid_of(o, region_width, o.columns);
    std::vector<Corners> samples(static_cast<std::size_t>(grid_rows * grid_columns));
    for (std::int64_t ph = 0; ph < o.rows; ++ph)
        for (std::int64_t pw = 0; pw < o.columns; ++pw) {
            for (std::int64_t i = 0; i < grid_rows * grid_columns; ++i) {
                const double row = static_cast<double>(i / grid_columns) + 0.5,
                             column = static_cast<double>(i % grid_columns) + 0.5;
                samples[static_cast<std::size_t>(i)] = corners_at(
                    y1 + (static_cast<double>(ph) + row / static_cast<double>(grid_rows)) *
                             bin_height,
                    x1 + (static_cast<double>(pw) + column / static_cast<double>(grid_columns)) *
                             bin_width,
                    height, width);
            }
            for (std::int64_t c = 0; c < channels; ++c) {
                const T* plane = image + c * height * width;
                double sum = 0, most = 0;
                bool is_first = true;
                for (const Corners& s : samples)
                    for (std::size_t k = 0; k < 4; ++k) {
                        const double part = s.weight[k] * plane[s.offset[k]];
                        sum += part;
                        // Over weighted corners, not over samples: so the operator's published
                        // tests have it.
                        most = is_first ? part : std::max(most, part);
                        is_first = false;
                    }
                const double average =
                    sum / static_cast<double>(std::max<std::size_t>(samples.size(), 1));
                to[(c * o.rows + ph) * o.columns + pw] =
                    static_cast<T>(o.takes_maximum ? most : average);
            }
        }
}

}  // namespace

void roi_align(KernelContext& context) {
    const RoiOptions o = read_options(context);
    const Tensor& x = context.input(0);
    const Tensor& rois = context.input(1);
    const std::vector<std::int64_t> images = to_int64s(context.input(2));
    if (x.rank() != 4)
        fail_input("RoiAlign: expected X [N, C, H, W], found " + to_string(x.shape()));
    if (rois.rank() != 2 || rois.dim(1) != 4)
        fail_input("RoiAlign: expected rois [regions, 4], found " + to_string(rois.shape()));
    if (images.size() != static_cast<std::size_t>(rois.dim(0)))
        fail_input("RoiAlign: " + std::to_string(rois.dim(0)) + " regions, but " +
                   std::to_string(images.size()) + " batch indices");
    const std::int64_t channels = x.dim(1), height = x.dim(2), width = x.dim(3);
    for (const std::int64_t image : images)
        if (image < 0 || image >= x.dim(0))
            fail_input("RoiAlign: batch index " + std::to_string(image) + " is outside [0, " +
                       std::to_string(x.dim(0)) + ")");
    if ((height == 0 || width == 0) && !images.empty())
        fail_input("RoiAlign: X " + to_string(x.shape()) + " has nothing to sample");
    dispatch_compute(x.dtype(), [&]<typename T>() {
        const Widened<T> input(context, x), regions(context, rois);
        Narrowed<T> output(
            context, context.output(0, x.dtype(), {rois.dim(0), channels, o.rows, o.columns}));
        context.threads().parallel_for(rois.dim(0), 1, [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t r = begin; r < end; ++r) {
                context.cancel().throw_if_cancelled();
                align_region(
                    o,
                    input.data() + images[static_cast<std::size_t>(r)] * channels * height * width,
                    channels, height, width, regions.data() + r * 4,
                    output.data() + r * channels * o.rows * o.columns);
            }
        });
        output.store();
    });
}

}  // namespace lapidary::reference
