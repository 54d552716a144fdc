// SPDX-License-Identifier: Apache-2.0
// Finds the taps of an integer convolution in an input with the channels last.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "base/threads/thread_pool.h"
#include "kernels/vector/integer/byte_product.h"
#include "ops/geometry/window.h"

namespace lapidary {

/// A convolution over up to three spatial axes (the last ones of `axis`; those in front have size
/// 1).
struct ConvGeometry {
    std::array<WindowAxis, 3> axis;
    std::int64_t images = 1, channels = 1;  // of the whole input
    std::int64_t element_bytes = 1;

    // positions of one image
    std::int64_t inputs() const { return axis[0].input * axis[1].input * axis[2].input; }
    std::int64_t outputs() const { return axis[0].output * axis[1].output * axis[2].output; }
    std::int64_t taps() const { return axis[0].kernel * axis[1].kernel * axis[2].kernel; }
    /// Whether each output reads only the input at its position.
    bool is_pointwise() const;
    /// Bytes from the first tap to each; `offsets` holds taps().
    void tap_offsets(std::int64_t* offsets) const;

    /// places[row - begin][tap]: where channel `channel` of each tap of the outputs [begin, end)
    /// (over all images) is in x; `outside` for taps in the padding. With `runs`, outputs whose
    /// taps are those of the previous output one stride further on are found as ByteBlock::runs
    /// describes.
    void find(const std::byte* x, std::int64_t channel, const std::int64_t* offsets,
              const std::byte* outside, std::int64_t begin, std::int64_t end, const void** places,
              std::int32_t* runs = nullptr) const;
    /// Copies `inner` channels of all taps of outputs [begin, end) side by side into rows of
    /// `row_bytes`, zeros at the end; writes up to 32 bytes beyond the last row. x_end is the end
    /// of x.
    void gather(const std::byte* x, const std::byte* x_end, std::int64_t channel,
                std::int64_t inner, const std::byte* outside, std::int64_t begin, std::int64_t end,
                std::int64_t row_bytes, std::byte* rows) const;
};

/// A padded copy of the input, so that the taps in one line of the window are contiguous for every
/// output. Dilations along lines are 1.
class PaddedImage {
public:
    static constexpr std::int64_t most_lines = 16;  // of the window

    explicit PaddedImage(const ConvGeometry& g);
    /// Includes bytes that may be read beyond its end.
    std::size_t bytes() const;
    /// Copies bytes [images, spatial..., channels], adding 128 where they are signed. `x_zero`, the
    /// padding, has the same 128 added.
    void fill(const std::byte* x, bool is_signed, std::int32_t x_zero,
              const ByteProductKernels& kernels, ThreadPool& threads, std::byte* to) const;
    /// places[row - begin][line] for outputs [begin, end) over all images.
    void find(const std::byte* image, std::int64_t begin, std::int64_t end,
              const void** places) const;

private:
    ConvGeometry g_;
    std::array<std::int64_t, 3> size_;  // of the copy
    std::int64_t pixel_, line_;         // bytes
};

}  // namespace lapidary
