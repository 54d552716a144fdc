// SPDX-License-Identifier: Apache-2.0
#include <lapidary/inspect/tensor_slice.h>

#include <algorithm>
#include <charconv>

#include <lapidary/base/error.h>

#include "kernels/dispatch.h"

namespace lapidary {
namespace {

std::string_view trimmed(std::string_view text) {
    const auto first = text.find_first_not_of(" []"), last = text.find_last_not_of(" []");
    return first == std::string_view::npos ? std::string_view()
                                           : text.substr(first, last - first + 1);
}

std::optional<std::int64_t> number_of(std::string_view text, std::string_view part) {
    if (text.empty()) return std::nullopt;
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size())
        fail_input("a slice has an element (3) or a range (2:5, :) for each axis, found " +
                   quote(part));
    return number;
}

AxisSlice axis_of(std::string_view part) {
    const std::string_view text = trimmed(part);
    const std::size_t colon = text.find(':');
    AxisSlice slice;
    if (colon == std::string_view::npos) {
        const auto index = number_of(text, part);
        if (!index)
            fail_input(
                "a slice has an element (3) or a range (2:5, :) for each axis, "
                "found nothing between commas");
        slice.is_index = true;
        slice.begin = *index;
        return slice;
    }
    slice.begin = number_of(trimmed(text.substr(0, colon)), part).value_or(0);
    slice.end = number_of(trimmed(text.substr(colon + 1)), part);
    return slice;
}

/// First element and number of elements of an axis that are taken.
struct Taken {
    std::int64_t first = 0, count = 0;
};

Taken taken_of(const AxisSlice& slice, std::int64_t size, std::size_t axis) {
    const auto from_end = [&](std::int64_t at) { return at < 0 ? at + size : at; };
    const std::int64_t begin = from_end(slice.begin);
    if (!slice.is_index) {
        const std::int64_t first = std::clamp<std::int64_t>(begin, 0, size),
                           end = std::clamp<std::int64_t>(from_end(slice.end.value_or(size)), 0,
                                                          size);
        return {first, std::max<std::int64_t>(end - first, 0)};
    }
    if (begin < 0 || begin >= size)
        fail_input("element " + std::to_string(slice.begin) + " of axis " + std::to_string(axis) +
                   " does not exist: the axis has " + std::to_string(size) +
                   (size == 1 ? " element" : " elements"));
    return {begin, 1};
}

/// What is taken of each axis.
std::vector<Taken> taken_of(const Shape& shape, const TensorSlice& slice) {
    if (slice.size() > shape.size())
        fail_input("the slice has " + std::to_string(slice.size()) + " axes, the value is " +
                   to_string(shape));
    std::vector<Taken> taken;
    for (std::size_t axis = 0; axis < shape.size(); ++axis)
        taken.push_back(
            taken_of(axis < slice.size() ? slice[axis] : AxisSlice(), shape[axis], axis));
    return taken;
}

Shape shape_of(const std::vector<Taken>& taken, const TensorSlice& slice) {
    Shape shape;
    for (std::size_t axis = 0; axis < taken.size(); ++axis)
        if (axis >= slice.size() || !slice[axis].is_index) shape.push_back(taken[axis].count);
    return shape;
}

/// Copies the parts of the axes from `axis` on.
template <typename T>
void copy_axes(const std::vector<Taken>& taken, const Shape& shape, std::size_t axis, const T* from,
               T*& to) {
    if (axis == shape.size()) {
        *to++ = *from;
        return;
    }
    std::int64_t stride = 1;
    for (std::size_t inner = axis + 1; inner < shape.size(); ++inner) stride *= shape[inner];
    for (std::int64_t i = 0; i < taken[axis].count; ++i)
        copy_axes(taken, shape, axis + 1, from + (taken[axis].first + i) * stride, to);
}

}  // namespace

TensorSlice parse_slice(std::string_view text) {
    TensorSlice slice;
    while (true) {
        const std::size_t comma = text.find(',');
        slice.push_back(axis_of(text.substr(0, comma)));
        if (comma == std::string_view::npos) return slice;
        text.remove_prefix(comma + 1);
    }
}

std::string text_of(const TensorSlice& slice) {
    std::string text;
    for (const AxisSlice& axis : slice) {
        if (!text.empty()) text += ',';
        if (axis.is_index || axis.begin != 0) text += std::to_string(axis.begin);
        if (!axis.is_index) text += ':';
        if (!axis.is_index && axis.end) text += std::to_string(*axis.end);
    }
    return text;
}

Shape shape_of_slice(const Shape& shape, const TensorSlice& slice) {
    return shape_of(taken_of(shape, slice), slice);
}

TensorSlice first_slice(const Shape& shape, std::int64_t most_elements) {
    constexpr std::size_t most_axes = 3;  // that are looked at whole
    TensorSlice slice(shape.size());
    std::int64_t room = most_elements;  // elements for each element of the axes further out
    for (std::size_t axis = shape.size(); axis-- > 0;) {
        AxisSlice& of = slice[axis];
        const bool is_outer = shape.size() - axis > most_axes;
        const std::int64_t count = std::min(shape[axis], room);
        if (count > 0 && (is_outer || (count == 1 && shape[axis] > 1))) of.is_index = true;
        else if (count < shape[axis]) of.end = count;
        if (!is_outer && count > 0) room /= count;
    }
    return slice;
}

Tensor slice_of(const Tensor& given, const TensorSlice& slice) {
    const std::vector<Taken> taken = taken_of(given.shape(), slice);
    Tensor tensor = given;
    if (is_packed(tensor.dtype())) {
        tensor = Tensor(DType::f32, given.shape());
        std::ranges::transform(to_doubles(given), tensor.mutable_data<float>().begin(),
                               [](double v) { return static_cast<float>(v); });
    }
    Tensor part(tensor.dtype(), shape_of(taken, slice));
    if (part.size() == 0) return part;
    const auto copied = [&]<typename T>() {
        T* to = static_cast<T*>(part.mutable_raw());
        copy_axes(taken, tensor.shape(), 0, static_cast<const T*>(tensor.raw()), to);
    };
    dispatch_by_width(tensor.dtype(), copied);
    return part;
}

}  // namespace lapidary
