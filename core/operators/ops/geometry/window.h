// SPDX-License-Identifier: Apache-2.0
// Geometry of sliding windows: convolution, pooling and transposed convolution, one spatial axis at
// a time. Pure integer arithmetic, shared by shape inference and kernels. Source: the auto_pad,
// pads, ceil_mode and output_shape texts of Conv, MaxPool, AveragePool and ConvTranspose in the
// ONNX operator specification (opsets 7 to 24).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace lapidary {

struct Node;

/// Positions that the windows of one axis may reach over, padding included: with it the products of
/// a position and of a stride of memory that kernels make fit std::int64_t.
inline constexpr std::int64_t window_reach = std::int64_t{1} << 31;

enum class AutoPad : std::uint8_t { notset, valid, same_upper, same_lower };

/// From the attribute's text ("" is NOTSET); throws invalid_model for another word.
AutoPad auto_pad_from(std::string_view text);

/// The window attributes of one node, completed with defaults: every list but `kernel` and
/// `output_shape` has one entry per spatial axis.
struct WindowAttributes {
    AutoPad auto_pad = AutoPad::notset;
    bool ceil_mode = false;
    // kernel_shape, or empty when the node leaves it to the weight
    std::vector<std::int64_t> kernel;
    std::vector<std::int64_t> strides, dilations;
    // as the node has them, for messages; empty: none was clamped
    std::vector<std::int64_t> stated_dilations;
    std::vector<std::int64_t> pads_begin, pads_end;
    std::vector<std::int64_t> output_padding;  // transposed convolution
    std::vector<std::int64_t> output_shape;    // transposed convolution; empty when not given

    /// All defaults for `spatial_rank` axes.
    static WindowAttributes defaults(std::size_t spatial_rank);
};

/// Reads and checks kernel_shape, strides, dilations, pads, auto_pad, ceil_mode, output_padding and
/// output_shape. Throws invalid_model naming the attribute, with expected and found, for a wrong
/// count, a stride, dilation or kernel size below 1, and a negative pad or output padding;
/// limit_exceeded for a size or pad beyond window_reach. Strides and dilations beyond it are
/// clamped to it: a window that would use them is refused anyway.
WindowAttributes read_window_attributes(const Node& node, std::size_t spatial_rank);

/// One spatial axis with everything resolved. Output position o reads input positions
/// o * stride - pad_begin + k * dilation for k in [0, kernel); for a transposed convolution input
/// and output swap roles in that sentence.
struct WindowAxis {
    std::int64_t input = 0, kernel = 1, stride = 1, dilation = 1;
    std::int64_t pad_begin = 0, pad_end = 0, output = 0;
    /// Positions from the first to the last tap, both counted.
    std::int64_t extent() const { return (kernel - 1) * dilation + 1; }
};

/// Convolution and pooling along spatial axis `axis` of size `input` with a window of `kernel`
/// taps. An empty input gives an empty output unless padding fills a window. A stride that is never
/// used (a single output) is 1 in the result. Throws invalid_input when the padded input is smaller
/// than the window, limit_exceeded when sizes overflow or pass window_reach.
WindowAxis window_axis(const WindowAttributes& attributes, std::size_t axis, std::int64_t input,
                       std::int64_t kernel);

/// Transposed convolution along one axis: output = stride * (input - 1) + output_padding + extent -
/// pads, or the pads from output_shape or auto_pad.
WindowAxis transposed_window_axis(const WindowAttributes& attributes, std::size_t axis,
                                  std::int64_t input, std::int64_t kernel);

/// window_axis (or transposed_window_axis) for all spatial axes: `input` and `kernel` hold spatial
/// sizes only. The products of all output sizes and of all kernel sizes fit std::int64_t, else
/// limit_exceeded.
std::vector<WindowAxis> window_axes(const WindowAttributes& attributes,
                                    std::span<const std::int64_t> input,
                                    std::span<const std::int64_t> kernel);
std::vector<WindowAxis> transposed_window_axes(const WindowAttributes& attributes,
                                               std::span<const std::int64_t> input,
                                               std::span<const std::int64_t> kernel);

}  // namespace lapidary
