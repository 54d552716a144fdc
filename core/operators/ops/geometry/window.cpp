// SPDX-License-Identifier: Apache-2.0
#include "ops/geometry/window.h"

#include <algorithm>
#include <string>

#include <lapidary/base/error.h>
#include <lapidary/graph/graph.h>

#include "base/checked.h"

namespace lapidary {
namespace {

std::int64_t multiply(std::int64_t a, std::int64_t b) {
    const auto product = checked_multiply(a, b);
    if (!product)
        fail_limit("window sizes overflow: " + std::to_string(a) + " * " + std::to_string(b));
    return *product;
}

std::int64_t add(std::int64_t a, std::int64_t b) {
    const auto sum = checked_add(a, b);
    if (!sum) fail_limit("window sizes overflow: " + std::to_string(a) + " + " + std::to_string(b));
    return *sum;
}

std::int64_t window_extent(std::int64_t kernel, std::int64_t dilation) {
    return add(multiply(kernel - 1, dilation), 1);
}

void require_count(std::string_view attribute, std::size_t found, std::size_t expected) {
    if (found != expected)
        fail_model("attribute " + std::string(attribute) + ": expected " +
                   std::to_string(expected) + " entries, found " + std::to_string(found));
}

void require_at_least(std::string_view attribute, std::span<const std::int64_t> values,
                      std::int64_t minimum) {
    for (std::size_t i = 0; i < values.size(); ++i)
        if (values[i] < minimum)
            fail_model("attribute " + std::string(attribute) + "[" + std::to_string(i) +
                       "]: expected at least " + std::to_string(minimum) + ", found " +
                       std::to_string(values[i]));
}

/// The attribute's list, or `fallback` in every entry; checked for count and minimum.
std::vector<std::int64_t> read_list(const Node& node, std::string_view name, std::size_t count,
                                    std::int64_t fallback, std::int64_t minimum) {
    auto values = node.ints_attribute(name);
    if (values.empty()) return std::vector<std::int64_t>(count, fallback);
    require_count(name, values.size(), count);
    require_at_least(name, values, minimum);
    return values;
}

void require_sizes(std::size_t axis, std::int64_t input, std::int64_t kernel) {
    if (input < 0)
        fail_input("spatial axis " + std::to_string(axis) + ": negative size " +
                   std::to_string(input));
    if (kernel < 1)
        fail_input("spatial axis " + std::to_string(axis) +
                   ": expected a kernel of at least 1, found " + std::to_string(kernel));
}

/// Splits `total` padding; the odd element goes to the end for SAME_UPPER, to the begin otherwise.
void distribute(WindowAxis& a, std::int64_t total, bool upper) {
    const std::int64_t half = total / 2;
    a.pad_begin = upper ? half : total - half;
    a.pad_end = total - a.pad_begin;
}

/// Refuses what passes window_reach.
const WindowAxis& bounded(const WindowAxis& a, std::size_t axis, std::int64_t reach) {
    const std::int64_t farthest = std::max({reach, a.pad_begin, a.pad_end, a.output});
    if (farthest > window_reach)
        fail_limit("spatial axis " + std::to_string(axis) + ": windows reach over " +
                   std::to_string(farthest) + " positions, the limit is " +
                   std::to_string(window_reach));
    return a;
}

/// The same; also sets a stride that is never used to 1, so that no memory is laid out by it.
WindowAxis settled(WindowAxis a, std::size_t axis, std::int64_t reach) {
    if (a.output <= 1) a.stride = 1;
    return bounded(a, axis, reach);
}

void require_within_reach(std::string_view attribute, std::span<const std::int64_t> values) {
    for (std::size_t i = 0; i < values.size(); ++i)
        if (values[i] > window_reach)
            fail_limit("attribute " + std::string(attribute) + "[" + std::to_string(i) +
                       "]: expected at most " + std::to_string(window_reach) + ", found " +
                       std::to_string(values[i]));
}

/// A stride or dilation beyond the reach is either never used, or its window is refused: how far
/// beyond makes no difference.
void clamp_to_reach(std::vector<std::int64_t>& values) {
    for (std::int64_t& value : values) value = std::min(value, window_reach);
}

bool is_clamped(const WindowAttributes& attributes, std::size_t axis) {
    return !attributes.stated_dilations.empty() &&
           attributes.stated_dilations.at(axis) != attributes.dilations.at(axis);
}

std::string dilation_text(const WindowAttributes& attributes, std::size_t axis) {
    const auto& dilations =
        attributes.stated_dilations.empty() ? attributes.dilations : attributes.stated_dilations;
    return dilations.at(axis) == 1 ? ""
                                   : " with a dilation of " + std::to_string(dilations.at(axis));
}

}  // namespace

AutoPad auto_pad_from(std::string_view text) {
    if (text.empty() || text == "NOTSET") return AutoPad::notset;
    if (text == "VALID") return AutoPad::valid;
    if (text == "SAME_UPPER") return AutoPad::same_upper;
    if (text == "SAME_LOWER") return AutoPad::same_lower;
    fail_model("attribute auto_pad: expected NOTSET, VALID, SAME_UPPER or SAME_LOWER, found " +
               quote(text));
}

WindowAttributes WindowAttributes::defaults(std::size_t spatial_rank) {
    WindowAttributes w;
    w.strides.assign(spatial_rank, 1);
    w.dilations.assign(spatial_rank, 1);
    w.pads_begin.assign(spatial_rank, 0);
    w.pads_end.assign(spatial_rank, 0);
    w.output_padding.assign(spatial_rank, 0);
    return w;
}

WindowAttributes read_window_attributes(const Node& node, std::size_t spatial_rank) {
    WindowAttributes w = WindowAttributes::defaults(spatial_rank);
    w.auto_pad = auto_pad_from(node.string_attribute("auto_pad", "NOTSET"));
    w.ceil_mode = node.int_attribute("ceil_mode", 0) != 0;
    if (node.has_attribute("kernel_shape"))
        w.kernel = read_list(node, "kernel_shape", spatial_rank, 1, 1);
    w.strides = read_list(node, "strides", spatial_rank, 1, 1);
    w.dilations = read_list(node, "dilations", spatial_rank, 1, 1);
    w.output_padding = read_list(node, "output_padding", spatial_rank, 0, 0);
    clamp_to_reach(w.strides);
    w.stated_dilations = w.dilations;
    clamp_to_reach(w.dilations);
    require_within_reach("kernel_shape", w.kernel);
    require_within_reach("output_padding", w.output_padding);
    // Given pads are ignored under an explicit auto_pad, as the specification forbids both at once
    // but files do it.
    if (w.auto_pad == AutoPad::notset) {
        const auto pads = read_list(node, "pads", 2 * spatial_rank, 0, 0);
        require_within_reach("pads", pads);
        w.pads_begin.assign(pads.begin(), pads.begin() + static_cast<std::ptrdiff_t>(spatial_rank));
        w.pads_end.assign(pads.begin() + static_cast<std::ptrdiff_t>(spatial_rank), pads.end());
    }
    w.output_shape = node.ints_attribute("output_shape");
    if (!w.output_shape.empty()) {
        // Some exporters write batch and channels too.
        if (w.output_shape.size() == spatial_rank + 2)
            w.output_shape.erase(w.output_shape.begin(), w.output_shape.begin() + 2);
        require_count("output_shape", w.output_shape.size(), spatial_rank);
        require_at_least("output_shape", w.output_shape, 0);
        require_within_reach("output_shape", w.output_shape);
    }
    return w;
}

WindowAxis window_axis(const WindowAttributes& attributes, std::size_t axis, std::int64_t input,
                       std::int64_t kernel) {
    require_sizes(axis, input, kernel);
    WindowAxis a;
    a.input = input;
    a.kernel = kernel;
    a.stride = attributes.strides.at(axis);
    a.dilation = attributes.dilations.at(axis);
    const std::int64_t extent = window_extent(kernel, a.dilation);

    if (attributes.auto_pad == AutoPad::same_upper || attributes.auto_pad == AutoPad::same_lower) {
        a.output = input / a.stride + (input % a.stride != 0);
        if (a.output == 0) return settled(a, axis, 0);
        const std::int64_t spanned = add(multiply(a.output - 1, a.stride), extent);
        distribute(a, std::max<std::int64_t>(0, spanned - input),
                   attributes.auto_pad == AutoPad::same_upper);
        return settled(a, axis, spanned);
    }
    a.pad_begin = attributes.pads_begin.at(axis);
    a.pad_end = attributes.pads_end.at(axis);
    const std::int64_t padded = add(add(input, a.pad_begin), a.pad_end);
    if (padded < extent) {
        if (input == 0) return settled(a, axis, padded);
        fail_input("spatial axis " + std::to_string(axis) + ": the window spans " +
                   (is_clamped(attributes, axis) ? "more than " : "") + std::to_string(extent) +
                   " positions" + dilation_text(attributes, axis) +
                   ", but the input with its padding has " + std::to_string(padded));
    }
    const std::int64_t steps = padded - extent;
    a.output = steps / a.stride + 1;
    if (attributes.ceil_mode) {
        if (steps % a.stride != 0) ++a.output;
        // A window that would start in the end padding is dropped.
        if (multiply(a.output - 1, a.stride) >= add(input, a.pad_begin)) --a.output;
    }
    return settled(
        a, axis,
        std::max(padded, add(multiply(std::max<std::int64_t>(a.output - 1, 0), a.stride), extent)));
}

WindowAxis transposed_window_axis(const WindowAttributes& attributes, std::size_t axis,
                                  std::int64_t input, std::int64_t kernel) {
    require_sizes(axis, input, kernel);
    WindowAxis a;
    a.input = input;
    a.kernel = kernel;
    a.stride = attributes.strides.at(axis);
    a.dilation = attributes.dilations.at(axis);
    const std::int64_t extent = window_extent(kernel, a.dilation);
    if (input == 0) {
        a.output = attributes.output_shape.empty() ? 0 : attributes.output_shape.at(axis);
        return bounded(a, axis, 0);
    }
    const std::int64_t full =
        add(add(multiply(a.stride, input - 1), attributes.output_padding.at(axis)), extent);
    const bool same =
        attributes.auto_pad == AutoPad::same_upper || attributes.auto_pad == AutoPad::same_lower;
    if (same || !attributes.output_shape.empty()) {
        a.output = attributes.output_shape.empty() ? multiply(input, a.stride)
                                                   : attributes.output_shape.at(axis);
        // A larger output than the windows reach keeps only the bias there: no negative padding.
        distribute(a, std::max<std::int64_t>(0, full - a.output),
                   attributes.auto_pad == AutoPad::same_upper);
        return bounded(a, axis, full);
    }
    a.pad_begin = attributes.pads_begin.at(axis);
    a.pad_end = attributes.pads_end.at(axis);
    a.output = full - add(a.pad_begin, a.pad_end);
    if (a.output < 0)
        fail_input("spatial axis " + std::to_string(axis) + ": pads of " +
                   std::to_string(a.pad_begin) + " and " + std::to_string(a.pad_end) +
                   " cut more than the " + std::to_string(full) + " positions of the output");
    return bounded(a, axis, full);
}

namespace {

template <typename OneAxis>
std::vector<WindowAxis> all_axes(const WindowAttributes& attributes,
                                 std::span<const std::int64_t> input,
                                 std::span<const std::int64_t> kernel, OneAxis one_axis) {
    const std::size_t rank = attributes.strides.size();
    if (input.size() != rank || kernel.size() != rank)
        fail_input("expected " + std::to_string(rank) + " spatial axes, found " +
                   std::to_string(input.size()) + " of the input and " +
                   std::to_string(kernel.size()) + " of the window");
    std::vector<WindowAxis> axes;
    std::int64_t positions = 1, taps = 1;  // only checked: callers multiply them up
    for (std::size_t i = 0; i < rank; ++i) {
        axes.push_back(one_axis(attributes, i, input[i], kernel[i]));
        positions = multiply(positions, std::max<std::int64_t>(axes.back().output, 1));
        taps = multiply(taps, kernel[i]);
    }
    return axes;
}

}  // namespace

std::vector<WindowAxis> window_axes(const WindowAttributes& attributes,
                                    std::span<const std::int64_t> input,
                                    std::span<const std::int64_t> kernel) {
    return all_axes(attributes, input, kernel, window_axis);
}

std::vector<WindowAxis> transposed_window_axes(const WindowAttributes& attributes,
                                               std::span<const std::int64_t> input,
                                               std::span<const std::int64_t> kernel) {
    return all_axes(attributes, input, kernel, transposed_window_axis);
}

}  // namespace lapidary
