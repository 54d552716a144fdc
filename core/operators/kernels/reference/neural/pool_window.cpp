// SPDX-License-Identifier: Apache-2.0
#include "kernels/reference/neural/pool_window.h"

#include "base/checked.h"

namespace lapidary::reference {
namespace {

// Pads can make any kernel size fit, so the number of taps needs a bound of its own: 2048 x 2048.
constexpr std::int64_t max_taps = 1 << 22;

}  // namespace

PoolWindows::PoolWindows(const Node& node, const Shape& x) {
    if (x.size() < 3)
        fail_input(node.op_type + ": expected X [N, C, spatial...], found " + to_string(x));
    const std::size_t rank = x.size() - 2;
    const WindowAttributes attributes = read_window_attributes(node, rank);
    if (attributes.kernel.empty()) fail_model("attribute kernel_shape is missing");
    axes_ = window_axes(attributes, std::span(x).subspan(2), attributes.kernel);

    std::int64_t count = 1;
    for (const auto& a : axes_) {
        input_size_ *= a.input;
        const auto taps = checked_multiply(count, a.kernel),
                   outputs = checked_multiply(output_size_, a.output);
        if (!taps || *taps > max_taps || !outputs)
            fail_limit(node.op_type + ": kernel_shape " + to_string(attributes.kernel) +
                       " is too large");
        count = *taps;
        output_size_ = *outputs;
    }
    if (output_size_ == 0) return;
    taps_.resize(static_cast<std::size_t>(count));
    shifts_.resize(static_cast<std::size_t>(count) * rank);
    for (std::size_t tap = 0; tap < taps_.size(); ++tap) {
        auto left = static_cast<std::int64_t>(tap);
        std::int64_t offset = 0, stride = 1;
        for (std::size_t axis = rank; axis-- > 0;) {
            const std::int64_t shift = left % axes_[axis].kernel * axes_[axis].dilation;
            shifts_[tap * rank + axis] = shift;
            offset += shift * stride;
            stride *= axes_[axis].input;
            left /= axes_[axis].kernel;
        }
        taps_[tap] = offset;
    }
}

Shape PoolWindows::output_shape(const Shape& x) const {
    Shape shape{x[0], x[1]};
    for (const auto& a : axes_) shape.push_back(a.output);
    return shape;
}

std::int64_t PoolWindows::interior_origin(const std::vector<std::int64_t>& position,
                                          std::vector<std::int64_t>& origin) const {
    std::int64_t offset = 0;
    bool inside = true;
    for (std::size_t axis = 0; axis < axes_.size(); ++axis) {
        const WindowAxis& a = axes_[axis];
        origin[axis] = position[axis] * a.stride - a.pad_begin;
        inside = inside && origin[axis] >= 0 && origin[axis] + a.extent() <= a.input;
        offset = offset * a.input + origin[axis];
    }
    return inside ? offset : -1;
}

PoolWindows::Place PoolWindows::place_of(std::size_t tap,
                                         const std::vector<std::int64_t>& origin) const {
    Place place{0, true};
    bool inside = true;
    for (std::size_t axis = 0; axis < axes_.size(); ++axis) {
        const WindowAxis& a = axes_[axis];
        const std::int64_t at = origin[axis] + shifts_[tap * axes_.size() + axis];
        inside = inside && at >= 0 && at < a.input;
        place.is_padded = place.is_padded && at < a.input + a.pad_end;
        place.offset = place.offset * a.input + at;
    }
    if (!inside) place.offset = -1;
    return place;
}

}  // namespace lapidary::reference
