// SPDX-License-Identifier: Apache-2.0
// MaxRoiPool (1, 22): each region, rounded to whole cells, is cut into pooled_shape bins; a bin
// gives its maximum. Source: the operator's text and Girshick, Fast R-CNN (2015), for the rounding.
#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/reference/elementwise/widening.h"

namespace lapidary::reference {
namespace {

struct Span {
    std::int64_t begin, end;
};

/// Bin `index` of `bins` over a region of `length` cells from `start`, cut to [0, limit).
Span bin_span(std::int64_t index, std::int64_t bins, std::int64_t start, std::int64_t length,
              std::int64_t limit) {
    const double size = static_cast<double>(length) / static_cast<double>(bins);
    const auto at = [&](double offset) {
        return static_cast<std::int64_t>(
            std::clamp(offset + static_cast<double>(start), 0.0, static_cast<double>(limit)));
    };
    return {at(std::floor(static_cast<double>(index) * size)),
            at(std::ceil(static_cast<double>(index + 1) * size))};
}

std::int64_t rounded(double coordinate) {
    if (!(std::abs(coordinate) < 1e9))
        fail_input("MaxRoiPool: a region coordinate is not a usable number");
    return std::llround(coordinate);
}

}  // namespace

void max_roi_pool(KernelContext& context) {
    const Tensor& x = context.input(0);
    const Tensor& rois = context.input(1);
    const auto pooled = context.node().ints_attribute("pooled_shape");
    const double scale = context.node().float_attribute("spatial_scale", 1.0f);
    if (x.rank() != 4)
        fail_input("MaxRoiPool: expected X [N, C, H, W], found " + to_string(x.shape()));
    if (rois.rank() != 2 || rois.dim(1) != 5)
        fail_input("MaxRoiPool: expected rois [regions, 5], found " + to_string(rois.shape()));
    if (pooled.size() != 2 || pooled[0] < 1 || pooled[1] < 1)
        fail_model("attribute pooled_shape: expected two sizes of at least 1, found " +
                   to_string(pooled));
    const std::int64_t channels = x.dim(1), height = x.dim(2), width = x.dim(3);
    dispatch_compute(x.dtype(), [&]<typename T>() {
        const Widened<T> input(context, x), regions(context, rois);
        Narrowed<T> output(
            context, context.output(0, x.dtype(), {rois.dim(0), channels, pooled[0], pooled[1]}));
        T* to = output.data();
        std::uint32_t bins = 0;
        for (std::int64_t r = 0; r < rois.dim(0); ++r) {
            context.cancel().throw_if_cancelled();
            const T* roi = regions.data() + r * 5;
            if (!(roi[0] >= 0 && roi[0] < static_cast<T>(x.dim(0))))
                fail_input("MaxRoiPool: region " + std::to_string(r) + " names image " +
                           std::to_string(roi[0]) + " of " + std::to_string(x.dim(0)));
            const auto image = static_cast<std::int64_t>(roi[0]);
            const std::int64_t x1 = rounded(roi[1] * scale), y1 = rounded(roi[2] * scale);
            const std::int64_t region_width =
                std::max<std::int64_t>(rounded(roi[3] * scale) - x1 + 1, 1);
            const std::int64_t region_height =
                std::max<std::int64_t>(rounded(roi[4] * scale) - y1 + 1, 1);
            for (std::int64_t c = 0; c < channels; ++c) {
                const T* plane = input.data() + (image * channels + c) * height * width;
                for (std::int64_t ph = 0; ph < pooled[0]; ++ph)
                    for (std::int64_t pw = 0; pw < pooled[1]; ++pw) {
                        if ((++bins & 0xfff) == 0) context.cancel().throw_if_cancelled();
                        const Span rows = bin_span(ph, pooled[0], y1, region_height, height),
                                   columns = bin_span(pw, pooled[1], x1, region_width, width);
                        bool is_empty = true;
                        T most = -std::numeric_limits<T>::infinity();  // NaN is passed over
                        for (std::int64_t h = rows.begin; h < rows.end; ++h)
                            for (std::int64_t w = columns.begin; w < columns.end; ++w) {
                                most = std::max(most, plane[h * width + w]);
                                is_empty = false;
                            }
                        *to++ = is_empty ? T(0) : most;
                    }
            }
        }
        output.store();
    });
}

}  // namespace lapidary::reference
