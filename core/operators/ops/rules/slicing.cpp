// SPDX-License-Identifier: Apache-2.0
// Operators that cut, join, repeat and pad.
#include <algorithm>

#include <fmt/format.h>

#include "ops/geometry/pad.h"
#include "ops/geometry/slice.h"
#include "ops/geometry/split.h"
#include "ops/rules/rule_checks.h"

namespace lapidary {
namespace {

/// One bound of a slice: a number, a symbolic size, or unknown; lists are attributes below
/// opset 10.
struct SliceList {
    bool given = false;
    std::optional<std::vector<Dim>> entries;
    std::optional<Ints> numbers;
    std::optional<std::size_t> count;
};

SliceList slice_list(const InferenceContext& ctx, std::string_view attribute, std::size_t input) {
    SliceList list;
    const ListArgument argument = list_argument(ctx, attribute, input);
    list.given = argument.given;
    list.numbers = argument.values;
    if (argument.count)
        list.count = static_cast<std::size_t>(std::max<std::int64_t>(*argument.count, 0));
    if (!ctx.node().has_attribute(attribute) && ctx.has_input(input)) {
        if (const InputShape* shape = ctx.input_shape(input); shape && shape->size() != 1) {
            ctx.fail(
                fmt::format("{} must be a list, found shape {}", attribute, to_string(*shape)));
        }
        list.entries = ctx.elements(input);
        if (list.entries) list.count = list.entries->size();
    }
    return list;
}

/// A position counted from the front and clamped to [0, size]; unknown when that cannot be decided.
Dim clamped_position(const Dim& position, const Dim& size) {
    if (const auto number = constant_of(position)) {
        if (*number >= INT32_MAX) return size;  // exporters write "to the end" this way
        if (*number >= 0) return *number == 0 ? Dim(0) : minimum(*number, size);
        return *number <= -INT32_MAX ? Dim(0) : maximum(add(size, dim_of(*number)), 0);
    }
    if (surely_not_negative(position)) return minimum(position, size);
    // surely negative
    if (surely_not_negative(subtract(dim_of(-1), position))) return maximum(add(size, position), 0);
    return {};
}

Dim sliced_size(const Dim& size, const Dim& start, const Dim& end, std::int64_t step) {
    const auto first = constant_of(start), last = constant_of(end);
    if (size.is_known() && first && last)
        return resolve_slice(size.value(), *first, *last, step).count;
    if (step < 0) {
        // The whole axis backwards is all that is common.
        const bool whole = first && last && *first == -1 && *last <= -INT32_MAX;
        return whole
                   ? (step == -1 ? size
                                 : ceil_divide(size, dim_of(step == INT64_MIN ? INT64_MAX : -step)))
                   : Dim();
    }
    const Dim from = clamped_position(start, size), to = clamped_position(end, size);
    if (from.is_unknown() || to.is_unknown()) return {};
    const Dim distance = maximum(subtract(to, from), 0);
    return step == 1 ? distance : ceil_divide(distance, step);
}

/// The lists of a Slice: of one length, no step 0.
class SliceLists {
public:
    explicit SliceLists(const InferenceContext& ctx)
        : starts_(slice_list(ctx, "starts", 1)), ends_(slice_list(ctx, "ends", 2)),
          axes_(slice_list(ctx, "axes", 3)), steps_(slice_list(ctx, "steps", 4)) {
        if (steps_.numbers && std::ranges::find(*steps_.numbers, 0) != steps_.numbers->end())
            ctx.fail("a slice step must not be 0");
        check_count(ctx, ends_, "ends");
        check_count(ctx, axes_, "axes");
        check_count(ctx, steps_, "steps");
    }

    /// The given axes, or the first ones by default; empty where they are not known. Fails where
    /// there are more than `rank`.
    std::optional<Ints> sliced_axes(const InferenceContext& ctx, std::size_t rank) const {
        if (!starts_.count || (axes_.given && !axes_.numbers)) return std::nullopt;
        if (*starts_.count > rank)
            ctx.fail(fmt::format("{} slices for an input of rank {}", *starts_.count, rank));
        if (axes_.given) return axes_.numbers;
        Ints axes;
        for (std::size_t i = 0; i < *starts_.count; ++i)
            axes.push_back(static_cast<std::int64_t>(i));
        return axes;
    }

    /// The size that the i-th slice leaves of an axis. Numbers are handled first, because INT64_MIN
    /// cannot be a Dim.
    Dim size_along(std::size_t i, const Dim& size) const {
        if (steps_.given && !steps_.numbers) return {};
        const std::int64_t step = steps_.given ? (*steps_.numbers)[i] : 1;
        if (size.is_known() && starts_.numbers && ends_.numbers)
            return resolve_slice(size.value(), (*starts_.numbers)[i], (*ends_.numbers)[i], step)
                .count;
        return sliced_size(size, entry(starts_, i), entry(ends_, i), step);
    }

private:
    void check_count(const InferenceContext& ctx, const SliceList& list,
                     std::string_view name) const {
        if (list.given && list.count && starts_.count && *list.count != *starts_.count)
            ctx.fail(
                fmt::format("starts has {} entries, {} has {}", *starts_.count, name, *list.count));
    }
    static Dim entry(const SliceList& list, std::size_t i) {
        if (list.numbers) return dim_of(std::max((*list.numbers)[i], -INT64_MAX));
        return list.entries ? (*list.entries)[i] : Dim();
    }

    SliceList starts_, ends_, axes_, steps_;
};

}  // namespace

void infer_slice(InferenceContext& ctx) {
    const InputShape* shape = ctx.input_shape(0);
    const SliceLists lists(ctx);
    if (!shape) return;
    const std::optional<Ints> axes = lists.sliced_axes(ctx, shape->size());
    if (!axes) return ctx.set_output_shape(0, SymbolicShape(shape->size()));
    const std::vector<std::size_t> places = checked_axes(ctx, *axes, shape->size());
    SymbolicShape result = *shape;
    for (std::size_t i = 0; i < places.size(); ++i)
        result[places[i]] = lists.size_along(i, (*shape)[places[i]]);
    ctx.set_output_shape(0, std::move(result));
}

void infer_concat(InferenceContext& ctx) {
    std::optional<SymbolicShape> result;
    std::size_t axis = 0;
    bool rank_only = false;
    for (std::size_t i = 0; i < ctx.input_count(); ++i) {
        const InputShape* shape = ctx.input_shape(i);
        if (!shape) {
            rank_only = true;
            continue;
        }
        if (!result) {
            if (shape->empty()) ctx.fail("a number without dimensions cannot be concatenated");
            axis = checked_axis(ctx, ctx.node().int_attribute("axis", 1), shape->size());
            result = *shape;
            continue;
        }
        if (shape->size() != result->size())
            ctx.fail(fmt::format("inputs of rank {} and {} cannot be concatenated", result->size(),
                                 shape->size()));
        for (std::size_t k = 0; k < shape->size(); ++k) {
            if (k == axis) (*result)[k] = add((*result)[k], (*shape)[k]);
            else
                (*result)[k] = same_dim(ctx, (*result)[k], (*shape)[k],
                                        fmt::format("input {}, axis {}: sizes must agree", i, k));
        }
    }
    if (!result) return;
    if (rank_only) (*result)[axis] = Dim();
    ctx.set_output_shape(0, std::move(*result));
}

namespace {

/// The parts of an axis that a Split without sizes makes, as far as they are known.
std::vector<Dim> even_pieces(const InferenceContext& ctx, const Dim& whole, std::int64_t parts,
                             std::size_t axis) {
    std::vector<Dim> pieces(ctx.output_count());
    const bool uneven = ctx.node().has_attribute("num_outputs");
    if (whole.is_known()) {
        if (uneven && whole.value() > 0 && parts > whole.value())
            ctx.fail(fmt::format("num_outputs is {}, but axis {} has only {} elements", parts, axis,
                                 whole.value()));
        const Ints even = split_evenly(whole.value(), parts, uneven);
        pieces.assign(even.begin(), even.end());
        // ONNX gives all parts but the last the same size, even where too few elements are left;
        // its checker then infers a negative size for the last part.
        if (pieces.size() > 1 && even[even.size() - 2] != even[0])
            for (std::size_t i = 0; i < pieces.size(); ++i)
                if (even[i] != even[0]) pieces[i] = Dim();
    } else if (auto exact = exact_divide(whole, parts)) {
        pieces.assign(pieces.size(), *exact);
    } else if (!uneven) {
        pieces.assign(pieces.size(), floor_divide(whole, parts));
    }
    return pieces;
}

void check_split_sizes(const InferenceContext& ctx, const ListArgument& sizes,
                       std::int64_t outputs) {
    if (sizes.count && *sizes.count != outputs)
        ctx.fail(fmt::format("split has {} sizes for {} outputs", *sizes.count, outputs));
    for (std::int64_t size : sizes.values.value_or(Ints{}))
        if (size < 0) ctx.fail(fmt::format("a split size cannot be {}", size));
}

}  // namespace

void infer_split(InferenceContext& ctx) {
    const InputShape* shape = ctx.input_shape(0);
    const ListArgument sizes = list_argument(ctx, "split", 1);
    const auto outputs = static_cast<std::int64_t>(ctx.output_count());
    std::int64_t parts = outputs;
    if (ctx.node().has_attribute("num_outputs")) {
        if (sizes.given) ctx.fail("split and num_outputs cannot both be given");
        parts = positive_attribute(ctx, "num_outputs", 0);
        if (parts != outputs)
            ctx.fail(fmt::format("num_outputs is {}, the node has {} outputs", parts, outputs));
    }
    check_split_sizes(ctx, sizes, outputs);
    if (!shape) return;
    const std::size_t axis = checked_axis(ctx, ctx.node().int_attribute("axis", 0), shape->size());
    const Dim& whole = (*shape)[axis];
    std::vector<Dim> pieces(ctx.output_count());
    if (sizes.values) {
        if (whole.is_known()) check_split(*sizes.values, whole.value());
        pieces.assign(sizes.values->begin(), sizes.values->end());
    } else if (!sizes.given) {
        pieces = even_pieces(ctx, whole, parts, axis);
    } else if (const auto entries = ctx.elements(1); entries && entries->size() == pieces.size()) {
        for (std::size_t i = 0; i < pieces.size(); ++i)
            pieces[i] = surely_not_negative((*entries)[i]) ? (*entries)[i] : Dim();
    }
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        SymbolicShape piece = *shape;
        piece[axis] = pieces[i];
        ctx.set_output_shape(i, std::move(piece));
    }
}

void infer_tile(InferenceContext& ctx) {
    const InputShape* shape = ctx.input_shape(0);
    const auto repeats = ctx.elements(1);
    const InputShape* count = shape_of_rank(ctx, 1, 1, "repeats");
    if (!shape) return;
    if (count && surely_different((*count)[0], static_cast<std::int64_t>(shape->size()))) {
        ctx.fail(fmt::format("repeats has {} entries for an input of rank {}",
                             to_string((*count)[0]), shape->size()));
    }
    SymbolicShape result(shape->size());
    for (std::size_t i = 0; repeats && i < result.size() && i < repeats->size(); ++i) {
        const auto number = constant_of((*repeats)[i]);
        if (number && *number < 0)
            ctx.fail(fmt::format("repeats must not be negative, found {}", *number));
        result[i] = multiply((*shape)[i], (*repeats)[i]);
        if (!surely_not_negative(result[i])) result[i] = Dim();
    }
    ctx.set_output_shape(0, std::move(result));
}

void infer_expand(InferenceContext& ctx) {
    const InputShape* shape = ctx.input_shape(0);
    const InputShape* list = shape_of_rank(ctx, 1, 1, "shape");
    auto target = ctx.elements(1);
    if (!shape) return;
    if (!target) {
        if (list && (*list)[0].is_known() && (*list)[0].value() <= 64) {
            ctx.set_output_shape(
                0, SymbolicShape(
                       std::max(shape->size(), static_cast<std::size_t>((*list)[0].value()))));
        }
        return;
    }
    for (Dim& dim : *target) {
        const auto number = constant_of(dim);
        if (number && *number < 0)
            ctx.fail(fmt::format("shape must not be negative, found {}", *number));
        if (!number && !surely_not_negative(dim)) dim = Dim();
    }
    // Where the target is not known, the input's own size (if it is not 1) is kept.
    ctx.set_output_shape(0, broadcast(ctx, *shape, *target));
}

namespace {

void check_reflection(const InferenceContext& ctx, std::int64_t head, std::int64_t tail,
                      std::int64_t size, std::size_t axis) {
    if ((head >= size || tail >= size) && (head > 0 || tail > 0))
        ctx.fail(
            fmt::format("reflect pads {} and {} must be smaller than the {} elements of axis {}",
                        head, tail, size, axis));
}

}  // namespace

void infer_pad(InferenceContext& ctx) {
    const std::string mode =
        word_attribute(ctx, "mode", "constant", {"constant", "reflect", "edge", "wrap"});
    if (ctx.has_input(2)) require_scalar(ctx, 2, "constant_value");
    const InputShape* shape = ctx.input_shape(0);
    const bool as_attribute = ctx.node().has_attribute("pads");
    std::optional<std::vector<Dim>> pads;
    if (as_attribute) {
        pads.emplace();
        for (std::int64_t pad : ctx.node().ints_attribute("pads")) pads->push_back(dim_of(pad));
    } else if (ctx.has_input(1)) {
        pads = ctx.elements(1);
    } else {
        ctx.fail("pads are missing");
    }
    if (!shape) return;
    std::vector<std::size_t> places(shape->size());
    for (std::size_t i = 0; i < places.size(); ++i) places[i] = i;
    if (ctx.has_input(3)) {
        const auto axes = ctx.constant_ints(3);
        if (!axes) return ctx.set_output_shape(0, SymbolicShape(shape->size()));
        places = checked_axes(ctx, *axes, shape->size());
    }
    if (!pads) return ctx.set_output_shape(0, SymbolicShape(shape->size()));
    if (pads->size() != 2 * places.size()) {
        ctx.fail(fmt::format("pads has {} values where {} axes need {}", pads->size(),
                             places.size(), 2 * places.size()));
    }
    SymbolicShape result = *shape;
    for (std::size_t i = 0; i < places.size(); ++i) {
        Dim& size = result[places[i]];
        const Dim &before = (*pads)[i], &after = (*pads)[i + places.size()];
        const auto head = constant_of(before), tail = constant_of(after);
        if (size.is_known() && head && tail) {
            if (mode == "reflect") check_reflection(ctx, *head, *tail, size.value(), places[i]);
            size = padded_dim(size.value(), {*head, *tail}, places[i]);
        } else {
            size = add(add(size, before), after);
        }
    }
    ctx.set_output_shape(0, std::move(result));
}

void infer_center_crop_pad(InferenceContext& ctx) {
    const InputShape* shape = ctx.input_shape(0);
    const auto target = ctx.elements(1);
    if (!shape) return;
    Ints axes = ctx.node().ints_attribute("axes");
    if (!ctx.node().has_attribute("axes")) {
        for (std::size_t i = 0; i < shape->size(); ++i)
            axes.push_back(static_cast<std::int64_t>(i));
    }
    const std::vector<std::size_t> places = checked_axes(ctx, axes, shape->size());
    if (target && target->size() != places.size())
        ctx.fail(fmt::format("shape has {} entries for {} axes", target->size(), places.size()));
    SymbolicShape result = *shape;
    for (std::size_t i = 0; i < places.size(); ++i) {
        if (target && constant_of((*target)[i]).value_or(0) < 0)
            ctx.fail(fmt::format("shape must not be negative, found {}", to_string((*target)[i])));
        result[places[i]] = target && surely_not_negative((*target)[i]) ? (*target)[i] : Dim();
    }
    ctx.set_output_shape(0, std::move(result));
}

/// Crop, dropped from ONNX after opset 9: border [left, top, right, bottom], or a scale [height,
/// width].
void infer_crop(InferenceContext& ctx) {
    const InputShape* shape = shape_of_rank(ctx, 0, 4, "input");
    const Ints border = ctx.node().ints_attribute("border"),
               scale = ctx.node().ints_attribute("scale");
    if (border.size() != 4)
        ctx.fail(fmt::format("attribute border must have 4 entries, found {}", border.size()));
    if (!scale.empty() && scale.size() != 2)
        ctx.fail(fmt::format("attribute scale must have 2 entries, found {}", scale.size()));
    for (const Ints* list : {&border, &scale}) {
        for (std::int64_t entry : *list) {
            if (entry < 0)
                ctx.fail(fmt::format("border and scale must not be negative, found {}", entry));
        }
    }
    if (!shape) return;
    SymbolicShape result = *shape;
    for (std::size_t i = 0; i < 2; ++i) {  // height: top and bottom; width: left and right
        const std::int64_t before = border[1 - i], after = border[3 - i];
        const Dim needed = scale.empty() ? add(before, after) : add(before, scale[i]);
        Dim& size = result[2 + i];
        if (size.is_known() && needed.is_known() && needed.value() > size.value()) {
            ctx.fail(fmt::format("the crop needs {} elements of axis {}, which has {}",
                                 needed.value(), 2 + i, size.value()));
        }
        size = scale.empty() ? subtract(size, needed) : Dim(scale[i]);
    }
    ctx.set_output_shape(0, std::move(result));
}

}  // namespace lapidary
