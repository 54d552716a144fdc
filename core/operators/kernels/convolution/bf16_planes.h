// SPDX-License-Identifier: Apache-2.0
// How a convolution of blocked channels in bfloat16 is cut: the image becomes planes of rounded
// pixels (vector/convolution/bf16_convolution.h), a band of rows at a time, which stays in a core's
// cache while all filters pass over it.
#pragma once

#include <cstddef>
#include <cstdint>

#include <lapidary/base/progress.h>

#include "base/threads/thread_pool.h"
#include "kernels/activation.h"
#include "kernels/vector/convolution/bf16_convolution.h"
#include "ops/geometry/window.h"

namespace lapidary::bf16_convolution {

/// Along one axis: position o of the output and tap k read position o + shift(k) of the plane
/// `remainder(k)`, which holds every stride-th position of the padded image.
struct PlaneAxis {
    WindowAxis window;

    std::int64_t remainder(std::int64_t tap) const { return tap * window.dilation % window.stride; }
    std::int64_t shift(std::int64_t tap) const { return tap * window.dilation / window.stride; }
    std::int64_t largest_shift() const { return shift(window.kernel - 1); }
    /// Planes that taps read are numbered in the order of the first taps that read them.
    std::int64_t planes() const;
    std::int64_t plane_of(std::int64_t tap) const { return tap % planes(); }
};

/// Sizes that follow from the shapes of one image.
struct Planes {
    PlaneAxis rows, columns;
    std::int64_t channels = 0, filters = 0;  // in whole blocks of 16
    std::int64_t steps = 0;                  // of 32 channels
    std::int64_t count = 0;                  // planes of a step
    std::int64_t width = 0;                  // pixels of a plane's row
    std::int64_t band = 0;                   // rows of the output at a time

    std::int64_t taps() const { return rows.window.kernel * columns.window.kernel; }
    std::int64_t plane_rows() const { return band + rows.largest_shift(); }
    std::int64_t plane_elements() const { return plane_rows() * width * step; }
    /// Of what convolve_image() works in, taps first.
    std::size_t workspace_bytes() const;
};
/// `cache`: bytes of a core's second-level cache. The output has no empty axis.
Planes planes_of(const WindowAxis& rows, const WindowAxis& columns, std::int64_t channels,
                 std::int64_t filters, std::size_t cache);

/// One image: [channels / 16, height, width, 16], and what it becomes.
struct Image {
    const float* x = nullptr;
    const std::uint16_t* filters = nullptr;  // as pack_filters() makes them
    const float* bias = nullptr;             // one per filter; none when null
    const float* sum = nullptr;              // added before the activation; none when null
    float* y = nullptr;                      // [filters / 16, rows, columns, 16], may be `sum`
    Activation activation;
};
/// `workspace`: workspace_bytes(), aligned to 64. Throws cancelled.
void convolve_image(const Planes& planes, const Image& image, const Bf16ConvolutionKernels& kernels,
                    ThreadPool& pool, const CancelToken& cancel, std::byte* workspace);

/// Elements of all packed filters.
std::int64_t packed_elements(std::int64_t filters, std::int64_t channels, std::int64_t taps);
/// Rounds block `index` of 16 filters, [channels / 16, taps, 16, 16 filters], to its places in the
/// packed filters `to`, of all of them.
void pack_filters(const float* block_of_filters, std::int64_t index, std::int64_t filters,
                  std::int64_t channels, std::int64_t taps, std::uint16_t* to);

}  // namespace lapidary::bf16_convolution
