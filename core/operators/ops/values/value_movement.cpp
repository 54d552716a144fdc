// SPDX-License-Identifier: Apache-2.0
#include "ops/values/value_movement.h"

#include <algorithm>

#include "base/at.h"
#include "ops/dimensions/dim_algebra.h"
#include "ops/geometry/reduced_axes.h"
#include "ops/geometry/slice.h"
#include "ops/values/value_propagation.h"

namespace lapidary {
namespace {

using Ints = std::vector<std::int64_t>;

Ints row_strides(const Ints& shape) {
    Ints strides(shape.size(), 1);
    for (std::size_t i = shape.size(); i-- > 1;) strides[i - 1] = strides[i] * shape[i];
    return strides;
}

std::int64_t count_of(const Ints& shape) {
    std::int64_t count = 1;
    for (std::int64_t dim : shape) count *= dim;
    return count;
}

/// Calls `visit(position, index)` for every position of `shape` in row-major order.
template <typename Visit>
void for_each_position(const Ints& shape, Visit&& visit) {
    const std::int64_t count = count_of(shape);
    Ints position(shape.size(), 0);
    for (std::int64_t i = 0; i < count; ++i) {
        visit(position, i);
        for (std::size_t axis = shape.size(); axis-- > 0;) {
            if (++position[axis] < shape[axis]) break;
            position[axis] = 0;
        }
    }
}

std::optional<std::size_t> normalized(std::int64_t axis, std::size_t rank) {
    const auto size = static_cast<std::int64_t>(rank);
    if (axis < -size || axis >= size) return std::nullopt;
    return static_cast<std::size_t>(axis < 0 ? axis + size : axis);
}

/// Fills `out` by asking `source(position)` for an index into `from` (negative: unknown).
template <typename Source>
void move_elements(InferenceContext& context, std::size_t index, SmallValue& out,
                   const SmallValue& from, Source&& source) {
    for_each_position(out.shape, [&](const Ints& position, std::int64_t) {
        const std::int64_t place = source(position);
        const bool inside = place >= 0 && place < static_cast<std::int64_t>(from.elements.size());
        out.elements.push_back(inside ? at(from.elements, place) : Element{});
    });
    set_small_output(context, index, out);
}

/// An attribute's integers, or an input's, or nothing. `given` says whether the node has either.
std::optional<Ints> ints_of(const InferenceContext& context, std::string_view attribute,
                            std::size_t input, bool& given) {
    given = true;
    if (context.node().has_attribute(attribute)) return context.node().ints_attribute(attribute);
    if (context.has_input(input)) return context.constant_ints(input);
    given = false;
    return std::nullopt;
}

}  // namespace

std::optional<SmallValue> small_output_frame(InferenceContext& context, std::size_t index) {
    const Type& type = context.output_type(index);
    if (!type.is_static() || type.dtype == DType::undefined || type.dtype == DType::string)
        return std::nullopt;
    SmallValue frame{type.dtype, type.static_shape(), {}};
    std::int64_t count = 1;
    for (std::int64_t dim : frame.shape) {
        if (dim > max_followed_elements) return std::nullopt;
        count *= dim;
        if (count > max_followed_elements) return std::nullopt;
    }
    return frame;
}

std::vector<std::int64_t> broadcast_index(const Ints& shape, const Ints& target) {
    if (shape.size() > target.size()) return {};
    const std::size_t lead = target.size() - shape.size();
    const Ints strides = row_strides(shape);
    for (std::size_t i = 0; i < shape.size(); ++i) {
        if (shape[i] != 1 && shape[i] != target[lead + i]) return {};
    }
    Ints index;
    for_each_position(target, [&](const Ints& position, std::int64_t) {
        std::int64_t at = 0;
        for (std::size_t i = 0; i < shape.size(); ++i)
            at += shape[i] == 1 ? 0 : position[lead + i] * strides[i];
        index.push_back(at);
    });
    return index;
}

void follow_same_elements(InferenceContext& context) {
    const KnownValue& known = context.input_value(0);
    if (known.tensor && context.node().op_type == "Identity")
        return context.set_output_value(0, known);
    const auto from = small_input(context, 0);
    auto out = small_output_frame(context, 0);
    if (!from || !out || count_of(out->shape) != static_cast<std::int64_t>(from->elements.size()))
        return;
    out->elements = from->elements;
    set_small_output(context, 0, *out);
}

void follow_gather(InferenceContext& context) {
    const auto from = small_input(context, 0), indices = small_input(context, 1);
    auto out = small_output_frame(context, 0);
    if (!from || !indices || !out) return;
    const auto axis = normalized(context.node().int_attribute("axis", 0), from->shape.size());
    if (!axis || out->shape.size() != from->shape.size() - 1 + indices->shape.size()) return;
    const Ints strides = row_strides(from->shape), index_strides = row_strides(indices->shape);
    move_elements(context, 0, *out, *from, [&](const Ints& position) -> std::int64_t {
        std::int64_t which = 0, place = 0;
        for (std::size_t i = 0; i < indices->shape.size(); ++i)
            which += position[*axis + i] * index_strides[i];
        const auto index = at(indices->elements, which).as_int();
        if (!index) return -1;
        const std::int64_t chosen = *index < 0 ? *index + from->shape[*axis] : *index;
        if (chosen < 0 || chosen >= from->shape[*axis]) return -1;
        for (std::size_t i = 0; i < from->shape.size(); ++i) {
            place += strides[i] * (i < *axis    ? position[i]
                                   : i == *axis ? chosen
                                                : position[i - 1 + indices->shape.size()]);
        }
        return place;
    });
}

void follow_slice(InferenceContext& context) {
    const auto from = small_input(context, 0);
    auto out = small_output_frame(context, 0);
    if (!from || !out || out->shape.size() != from->shape.size()) return;
    bool given = false;
    const auto starts = ints_of(context, "starts", 1, given),
               ends = ints_of(context, "ends", 2, given);
    if (!starts || !ends || starts->size() != ends->size()) return;
    auto axes = ints_of(context, "axes", 3, given);
    if (given && !axes) return;
    auto steps = ints_of(context, "steps", 4, given);
    if (given && !steps) return;
    Ints first(from->shape.size(), 0), step(from->shape.size(), 1);
    for (std::size_t i = 0; i < starts->size(); ++i) {
        if (axes && i >= axes->size()) return;
        const auto axis =
            normalized(axes ? (*axes)[i] : static_cast<std::int64_t>(i), from->shape.size());
        const std::int64_t by = steps && i < steps->size() ? (*steps)[i] : 1;
        if (!axis || by == 0) return;
        const SliceRange range = resolve_slice(from->shape[*axis], (*starts)[i], (*ends)[i], by);
        first[*axis] = range.start;
        step[*axis] = range.step;
    }
    const Ints strides = row_strides(from->shape);
    move_elements(context, 0, *out, *from, [&](const Ints& position) {
        std::int64_t at = 0;
        for (std::size_t i = 0; i < position.size(); ++i)
            at += strides[i] * (first[i] + position[i] * step[i]);
        return at;
    });
}

void follow_concat(InferenceContext& context) {
    auto out = small_output_frame(context, 0);
    if (!out || out->shape.empty()) return;
    const auto axis = normalized(context.node().int_attribute("axis", 1), out->shape.size());
    if (!axis) return;
    std::vector<SmallValue> pieces;  // unknown inputs of known size give unknown elements
    for (std::size_t i = 0; i < context.input_count(); ++i) {
        auto piece = small_input(context, i);
        if (!piece) {
            if (!context.input_type(i).is_static()) return;
            piece = SmallValue{out->dtype, context.input_type(i).static_shape(), {}};
        }
        if (piece->shape.size() != out->shape.size()) return;
        pieces.push_back(std::move(*piece));
    }
    for_each_position(out->shape, [&](const Ints& position, std::int64_t) {
        std::int64_t along = position[*axis];
        for (const SmallValue& piece : pieces) {
            if (along < piece.shape[*axis]) {
                const Ints strides = row_strides(piece.shape);
                std::int64_t place = 0;
                for (std::size_t i = 0; i < position.size(); ++i)
                    place += strides[i] * (i == *axis ? along : position[i]);
                out->elements.push_back(static_cast<std::size_t>(place) < piece.elements.size()
                                            ? at(piece.elements, place)
                                            : Element{});
                return;
            }
            along -= piece.shape[*axis];
        }
        out->elements.push_back({});
    });
    set_small_output(context, 0, *out);
}

void follow_split(InferenceContext& context) {
    const auto from = small_input(context, 0);
    if (!from || from->shape.empty()) return;
    const auto axis = normalized(context.node().int_attribute("axis", 0), from->shape.size());
    if (!axis) return;
    const Ints strides = row_strides(from->shape);
    std::int64_t offset = 0;
    for (std::size_t i = 0; i < context.output_count(); ++i) {
        auto out = small_output_frame(context, i);
        if (!out || out->shape.size() != from->shape.size()) return;
        const std::int64_t size = out->shape[*axis];
        move_elements(context, i, *out, *from, [&](const Ints& position) {
            std::int64_t at = 0;
            for (std::size_t k = 0; k < position.size(); ++k)
                at += strides[k] * (position[k] + (k == *axis ? offset : 0));
            return at;
        });
        offset += size;
    }
}

void follow_transpose(InferenceContext& context) {
    const auto from = small_input(context, 0);
    auto out = small_output_frame(context, 0);
    if (!from || !out || out->shape.size() != from->shape.size()) return;
    Ints perm = context.node().ints_attribute("perm");
    if (perm.empty()) {
        for (std::size_t i = from->shape.size(); i-- > 0;)
            perm.push_back(static_cast<std::int64_t>(i));
    }
    if (perm.size() != from->shape.size()) return;
    const Ints strides = row_strides(from->shape);
    move_elements(context, 0, *out, *from, [&](const Ints& position) {
        std::int64_t place = 0;
        for (std::size_t i = 0; i < position.size(); ++i)
            place += at(strides, perm[i]) * position[i];
        return place;
    });
}

void follow_expand(InferenceContext& context) {
    const auto from = small_input(context, 0);
    auto out = small_output_frame(context, 0);
    if (!from || !out) return;
    const Ints index = broadcast_index(from->shape, out->shape);
    if (index.empty()) return;
    for (std::int64_t place : index) out->elements.push_back(at(from->elements, place));
    set_small_output(context, 0, *out);
}

void follow_tile(InferenceContext& context) {
    const auto from = small_input(context, 0);
    auto out = small_output_frame(context, 0);
    if (!from || !out || out->shape.size() != from->shape.size() || from->elements.empty()) return;
    const Ints strides = row_strides(from->shape);
    move_elements(context, 0, *out, *from, [&](const Ints& position) {
        std::int64_t at = 0;
        for (std::size_t i = 0; i < position.size(); ++i)
            at += strides[i] * (position[i] % from->shape[i]);
        return at;
    });
}

/// One-dimensional data with indices [n,1]: how exporters write into a shape vector.
void follow_scatter_nd(InferenceContext& context) {
    auto data = small_input(context, 0);
    const auto indices = small_input(context, 1), updates = small_input(context, 2);
    if (!data || !indices || !updates || data->shape.size() != 1 || indices->shape.size() != 2 ||
        indices->shape[1] != 1 || context.node().string_attribute("reduction", "none") != "none" ||
        updates->elements.size() != indices->elements.size()) {
        return;
    }
    for (std::size_t i = 0; i < indices->elements.size(); ++i) {
        auto index = indices->elements[i].as_int();
        if (!index) return;
        if (*index < 0) *index += data->shape[0];
        if (*index < 0 || *index >= data->shape[0]) return;
        at(data->elements, *index) = updates->elements[i];
    }
    set_small_output(context, 0, *data);
}

void follow_reduce(InferenceContext& context) {
    const auto from = small_input(context, 0);
    auto out = small_output_frame(context, 0);
    if (!from || !out || from->elements.empty()) return;
    bool given = false;
    const auto axes = ints_of(context, "axes", 1, given);
    if (given && !axes) return;
    const std::size_t rank = from->shape.size();
    const AxisSet reduced = reduced_axes(
        axes.value_or(Ints()), rank, context.node().int_attribute("noop_with_empty_axes", 0) != 0);
    if (reduced == 0) return;
    Ints kept_shape;
    std::int64_t folded = 1;
    for (std::size_t i = 0; i < rank; ++i) {
        kept_shape.push_back(reduced >> i & 1 ? 1 : from->shape[i]);
        if (reduced >> i & 1) folded *= from->shape[i];
    }
    if (count_of(kept_shape) != count_of(out->shape)) return;
    const Ints target = broadcast_index(kept_shape, from->shape);
    const std::string& op = context.node().op_type;
    std::vector<std::optional<Element>> totals(static_cast<std::size_t>(count_of(kept_shape)));
    for (std::size_t i = 0; i < target.size(); ++i) {
        std::optional<Element>& total = at(totals, target[i]);
        const Element& next = from->elements[i];
        if (!total) total = next;
        else if (op == "ReduceProd") total = multiply_elements(*total, next, from->dtype);
        else if (op == "ReduceMax") total = maximum_elements(*total, next);
        else if (op == "ReduceMin") total = minimum_elements(*total, next);
        else total = add_elements(*total, next, from->dtype);
    }
    for (const std::optional<Element>& total : totals) {
        Element element = total.value_or(Element{});
        if (op == "ReduceMean")
            element = divide_elements(element, Element::of_int(folded), from->dtype);
        out->elements.push_back(element);
    }
    set_small_output(context, 0, *out);
}

void follow_nonzero(InferenceContext& context) {
    const auto from = small_input(context, 0);
    if (!from || from->shape.empty()) return;
    std::vector<Ints> found(from->shape.size());
    bool certain = true;
    for_each_position(from->shape, [&](const Ints& position, std::int64_t i) {
        const auto number = at(from->elements, i).as_real();
        certain = certain && number;
        if (number && *number != 0) {
            for (std::size_t axis = 0; axis < position.size(); ++axis)
                found[axis].push_back(position[axis]);
        }
    });
    if (!certain) return;
    const auto count = static_cast<std::int64_t>(found[0].size());
    SmallValue out{DType::i64, {static_cast<std::int64_t>(found.size()), count}, {}};
    if (count * static_cast<std::int64_t>(found.size()) > max_followed_elements) return;
    for (const Ints& row : found) {
        for (std::int64_t at : row) out.elements.push_back(Element::of_int(at));
    }
    context.set_output_shape(0, {out.shape[0], out.shape[1]});
    set_small_output(context, 0, out);
}

}  // namespace lapidary
