// SPDX-License-Identifier: Apache-2.0
#include "operators/window.h"

#include <algorithm>

namespace lapidary::cuda {

WindowAttributes::WindowAttributes(const NodeView& node)
    : kernel(node.integers("kernel_shape")), auto_pad_(node.text("auto_pad", "NOTSET")),
      rounds_up_(node.integer("ceil_mode", 0) != 0), strides_(node.integers("strides")),
      dilations_(node.integers("dilations")), pads_(node.integers("pads")),
      output_padding_(node.integers("output_padding")),
      output_shape_(node.integers("output_shape")) {
    const auto axes = static_cast<std::size_t>(std::max(node.rank(0) - 2, 0));
    const auto require = [&](const char* name, const Dims& list, std::int64_t least,
                             std::size_t entries) {
        if (!list.empty() && list.size() != entries)
            throw Refusal(std::string(name) + " has " + std::to_string(list.size()) + " entries");
        for (std::int64_t v : list)
            if (v < least || v > 1 << 20)
                throw Refusal("an entry of " + std::string(name) + " is " + std::to_string(v));
    };
    require("kernel_shape", kernel, 1, axes);
    require("strides", strides_, 1, axes);
    require("dilations", dilations_, 1, axes);
    require("pads", pads_, 0, 2 * axes);
    require("output_padding", output_padding_, 0, axes);
    require("output_shape", output_shape_, 0, output_shape_.size() == axes + 2 ? axes + 2 : axes);
    if (auto_pad_.empty()) auto_pad_ = "NOTSET";
}

namespace {

std::int64_t entry(const Dims& list, std::size_t i, std::int64_t fallback) {
    return i < list.size() ? list[i] : fallback;
}

void require_taps(std::int64_t taps) {
    if (taps < 1 || taps > 1 << 20)
        KernelRun::fail("a window of " + std::to_string(taps) + " elements");
}

/// SAME_UPPER puts the odd one at the end.
std::int64_t first_half(std::int64_t total, bool is_upper) {
    return is_upper ? total / 2 : total - total / 2;
}

}  // namespace

Window WindowAttributes::window(const Dims& input, const Dims& taps, std::int32_t* pad_end) const {
    Window w;
    const std::size_t rank = input.size(), skipped = spatial_axes - rank;
    for (std::size_t i = 0; i < rank; ++i) {
        const std::int64_t stride = entry(strides_, i, 1), dilation = entry(dilations_, i, 1);
        require_taps(taps[i]);
        const std::int64_t extent = (taps[i] - 1) * dilation + 1;
        std::int64_t output = 0, begin = 0, end = 0;
        if (auto_pad_.starts_with("SAME")) {
            output = (input[i] + stride - 1) / stride;
            const std::int64_t total =
                std::max<std::int64_t>(0, (output - 1) * stride + extent - input[i]);
            begin = first_half(total, auto_pad_ == "SAME_UPPER");
            end = total - begin;
        } else {
            if (auto_pad_ == "NOTSET") {
                begin = entry(pads_, i, 0);
                end = entry(pads_, i + rank, 0);
            }
            const std::int64_t steps = input[i] + begin + end - extent;
            if (steps < 0 && input[i] > 0)
                KernelRun::fail("a window is larger than the padded input");
            output = steps < 0 ? 0 : steps / stride + 1;
            if (rounds_up_ && output > 0 && steps % stride != 0) ++output;
            if (rounds_up_ && output > 0 && (output - 1) * stride >= input[i] + begin) --output;
        }
        const std::size_t at = skipped + i;
        w.input[at] = static_cast<std::int32_t>(input[i]);
        w.output[at] = static_cast<std::int32_t>(output);
        w.kernel[at] = static_cast<std::int32_t>(taps[i]);
        w.stride[at] = static_cast<std::int32_t>(stride);
        w.dilation[at] = static_cast<std::int32_t>(dilation);
        w.pad[at] = static_cast<std::int32_t>(begin);
        if (pad_end) pad_end[at] = static_cast<std::int32_t>(end);
    }
    return w;
}

Window WindowAttributes::transposed(const Dims& input, const Dims& taps) const {
    Window w;
    const std::size_t rank = input.size(), skipped = spatial_axes - rank;
    const std::size_t given =
        output_shape_.size() == rank + 2 ? 2 : 0;  // some models list batch and channels too
    for (std::size_t i = 0; i < rank; ++i) {
        const std::int64_t stride = entry(strides_, i, 1), dilation = entry(dilations_, i, 1);
        require_taps(taps[i]);
        const std::int64_t full =
            stride * (input[i] - 1) + entry(output_padding_, i, 0) + (taps[i] - 1) * dilation + 1;
        std::int64_t output = 0, begin = 0;
        const bool is_same = auto_pad_.starts_with("SAME");
        if (input[i] == 0) {
            output = entry(output_shape_, i + given, 0);
        } else if (is_same || !output_shape_.empty()) {
            output = output_shape_.empty() ? input[i] * stride : entry(output_shape_, i + given, 0);
            begin = first_half(std::max<std::int64_t>(0, full - output), auto_pad_ == "SAME_UPPER");
        } else {
            begin = auto_pad_ == "NOTSET" ? entry(pads_, i, 0) : 0;
            output = full - begin - (auto_pad_ == "NOTSET" ? entry(pads_, i + rank, 0) : 0);
        }
        if (output < 0) KernelRun::fail("pads cut more than the output has");
        const std::size_t at = skipped + i;
        w.input[at] = static_cast<std::int32_t>(input[i]);
        w.output[at] = static_cast<std::int32_t>(output);
        w.kernel[at] = static_cast<std::int32_t>(taps[i]);
        w.stride[at] = static_cast<std::int32_t>(stride);
        w.dilation[at] = static_cast<std::int32_t>(dilation);
        w.pad[at] = static_cast<std::int32_t>(begin);
    }
    return w;
}

Dims spatial_of(const Dims& dims) {
    if (dims.size() < 3 || dims.size() > 2 + spatial_axes)
        KernelRun::fail("a tensor of rank " + std::to_string(dims.size()) +
                        " where 3 to 5 is expected");
    return {dims.begin() + 2, dims.end()};
}

Dims with_spatial(std::int64_t first, std::int64_t second, const Window& window, std::size_t rank) {
    Dims dims{first, second};
    for (std::size_t i = 2; i < rank; ++i) dims.push_back(window.output[spatial_axes + i - rank]);
    return dims;
}

void require_spatial(const NodeView& node) {
    if (node.rank(0) < 3 || node.rank(0) > 2 + spatial_axes)
        throw Refusal(node.rank(0) < 0 ? "the rank of input 0 is not known"
                                       : "input 0 is of rank " + std::to_string(node.rank(0)));
}

}  // namespace lapidary::cuda
