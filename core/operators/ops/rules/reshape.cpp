// SPDX-License-Identifier: Apache-2.0
// Operators that keep the elements and change the shape.
#include <algorithm>

#include <fmt/format.h>

#include "ops/geometry/reshape.h"
#include "ops/rules/rule_checks.h"

namespace lapidary {
namespace {

bool all_known(const SymbolicShape& shape) {
    return std::all_of(shape.begin(), shape.end(), [](const Dim& d) { return d.is_known(); });
}

Ints numbers(const SymbolicShape& shape) {
    Ints result;
    for (const Dim& dim : shape) result.push_back(dim.value());
    return result;
}

/// The size in place of -1: what the input holds over what the other dimensions take. Dimensions on
/// both sides that are equal cancel first, so that unknown ones may cancel too.
Dim inferred_size(const SymbolicShape& input, const SymbolicShape& others) {
    SymbolicShape above = input, below;
    for (const Dim& dim : others) {
        const auto same = std::find_if(above.begin(), above.end(), [&](const Dim& d) {
            return surely_equal(d, dim) && d != Dim(0);
        });
        if (same != above.end()) above.erase(same);
        else below.push_back(dim);
    }
    const Dim numerator = product(above), denominator = product(below);
    if (denominator == Dim(0)) return {};
    if (auto exact = exact_divide(numerator, denominator)) return *exact;
    return {};
}

/// The known entries of a Reshape's target, with 0 and -1 unchanged. Empty where not even its
/// length is known. Where only the length is known, sets the rank of the result.
std::optional<std::vector<Dim>> reshape_target(InferenceContext& ctx) {
    if (ctx.node().has_attribute("shape")) {
        std::vector<Dim> target;
        for (std::int64_t dim : ctx.node().ints_attribute("shape")) target.push_back(dim_of(dim));
        return target;
    }
    const InputShape* shape = ctx.input_shape(1);
    if (shape && shape->size() != 1)
        ctx.fail("shape must be a list, found shape " + to_string(*shape));
    auto target = ctx.elements(1);
    if (!target && shape && (*shape)[0].is_known() && (*shape)[0].value() <= 64)
        ctx.set_output_shape(0, SymbolicShape(static_cast<std::size_t>((*shape)[0].value())));
    return target;
}

/// All numbers of a list, or nothing where one is not known.
std::optional<Ints> known_numbers(const std::vector<Dim>& list) {
    Ints out;
    for (const Dim& dim : list) {
        const auto number = constant_of(dim);
        if (!number) return std::nullopt;
        out.push_back(*number);
    }
    return out;
}

/// What a target with unknown entries implies for the result.
struct PartialReshape {
    SymbolicShape result;
    std::optional<std::size_t> inferred;  // the place of -1
    bool has_zero = false;                // one that is no copy
    bool certain = true;                  // no entry may turn out as 0 or -1

    void read(const InferenceContext& ctx, const std::vector<Dim>& target, const InputShape* input,
              bool allow_zero);
    void infer_open_size(const InferenceContext& ctx, const SymbolicShape& input);
    void infer_at(const SymbolicShape& input, std::size_t place) {
        SymbolicShape others = result;
        others.erase(others.begin() + static_cast<std::ptrdiff_t>(place));
        result[place] = inferred_size(input, others);
    }
};

void PartialReshape::read(const InferenceContext& ctx, const std::vector<Dim>& target,
                          const InputShape* input, bool allow_zero) {
    for (std::size_t i = 0; i < target.size(); ++i) {
        const Dim& wanted = target[i];
        const auto number = constant_of(wanted);
        if (number && *number < -1)
            ctx.fail(fmt::format("the target shape has the negative dimension {}", *number));
        if (number == -1) {
            if (inferred) ctx.fail("the target shape has more than one -1");
            inferred = i;
            result.push_back({});
        } else if (number == 0 && !allow_zero) {
            if (input && i >= input->size()) {
                ctx.fail(
                    fmt::format("the target shape copies dimension {}, which the input of shape {} "
                                "does not have",
                                i, to_string(*input)));
            }
            result.push_back(input ? (*input)[i] : Dim());
        } else {
            has_zero = has_zero || number == 0;
            // A computed entry may turn out as 0 or -1 and then means something else; sizes never
            // are negative.
            certain = certain && !wanted.is_unknown();
            result.push_back(number || surely_not_negative(wanted) ? wanted : Dim());
        }
    }
}

/// Without a -1: fails where the elements surely differ; one entry that is not known (it may be a
/// computed -1) follows from the rest.
void PartialReshape::infer_open_size(const InferenceContext& ctx, const SymbolicShape& input) {
    const Dim have = product(input), want = product(result);
    if (certain && surely_different(have, want)) {
        ctx.fail(fmt::format("cannot reshape {} to {}: {} elements against {}", to_string(input),
                             to_string(result), to_string(have), to_string(want)));
    }
    const auto is_open = [](const Dim& d) { return d.is_unknown(); };
    if (std::count_if(result.begin(), result.end(), is_open) != 1) return;
    infer_at(input, static_cast<std::size_t>(std::find_if(result.begin(), result.end(), is_open) -
                                             result.begin()));
}

}  // namespace

void infer_reshape(InferenceContext& ctx) {
    const InputShape* input = ctx.input_shape(0);
    const bool allow_zero = ctx.node().int_attribute("allowzero", 0) != 0;
    const std::optional<std::vector<Dim>> target = reshape_target(ctx);
    if (!target) return;
    if (input && all_known(*input)) {
        if (const auto wanted = known_numbers(*target)) {
            const Shape result = resolve_reshape(numbers(*input), *wanted, allow_zero);
            return ctx.set_output_shape(0, SymbolicShape(result.begin(), result.end()));
        }
    }
    PartialReshape partial;
    partial.read(ctx, *target, input, allow_zero);
    if (allow_zero && partial.has_zero && partial.inferred)
        ctx.fail("the target shape has both 0 and -1, which allowzero forbids");
    if (input && partial.inferred) partial.infer_at(*input, *partial.inferred);
    else if (input) partial.infer_open_size(ctx, *input);
    ctx.set_output_shape(0, std::move(partial.result));
}

void infer_flatten(InferenceContext& ctx) {
    const InputShape* shape = ctx.input_shape(0);
    if (!shape) return ctx.set_output_shape(0, SymbolicShape(2));
    const std::int64_t axis = ctx.node().int_attribute("axis", 1);
    const auto rank = static_cast<std::int64_t>(shape->size());
    const std::size_t split = axis == rank ? shape->size() : checked_axis(ctx, axis, shape->size());
    ctx.set_output_shape(0,
                         {product_of(*shape, 0, split), product_of(*shape, split, shape->size())});
}

void infer_squeeze(InferenceContext& ctx) {
    const InputShape* shape = ctx.input_shape(0);
    const ListArgument axes = list_argument(ctx, "axes", 1);
    if (!shape) return;
    SymbolicShape result;
    if (!axes.given || axes.count == 0) {  // an empty list names them all (squeeze_shape)
        for (const Dim& dim : *shape) {
            // the rank is decided at run time
            if (!dim.is_known() && !surely_different(dim, 1)) return;
            if (dim != Dim(1)) result.push_back(dim);
        }
        return ctx.set_output_shape(0, std::move(result));
    }
    if (!axes.values) {
        if (axes.count && *axes.count <= static_cast<std::int64_t>(shape->size())) {
            ctx.set_output_shape(
                0, SymbolicShape(shape->size() - static_cast<std::size_t>(*axes.count)));
        }
        return;
    }
    const std::vector<std::size_t> dropped = checked_axes(ctx, *axes.values, shape->size());
    for (std::size_t i = 0; i < shape->size(); ++i) {
        if (std::find(dropped.begin(), dropped.end(), i) == dropped.end()) {
            result.push_back((*shape)[i]);
        } else if (surely_different((*shape)[i], 1)) {
            ctx.fail(fmt::format(
                "axis {} of shape {} cannot be squeezed: it has {} elements instead of 1", i,
                to_string(*shape), to_string((*shape)[i])));
        }
    }
    ctx.set_output_shape(0, std::move(result));
}

void infer_unsqueeze(InferenceContext& ctx) {
    const InputShape* shape = ctx.input_shape(0);
    const ListArgument axes = list_argument(ctx, "axes", 1);
    if (!axes.given) ctx.fail("axes are missing");
    if (!shape || !axes.count) return;
    if (*axes.count > 64)
        ctx.fail(fmt::format("{} axes are more than a tensor may have", *axes.count));
    const std::size_t rank = shape->size() + static_cast<std::size_t>(*axes.count);
    if (!axes.values) return ctx.set_output_shape(0, SymbolicShape(rank));
    SymbolicShape result(rank);
    std::vector<bool> inserted(rank, false);
    for (std::size_t axis : checked_axes(ctx, *axes.values, rank)) inserted[axis] = true;
    std::size_t next = 0;
    for (std::size_t i = 0; i < rank; ++i) result[i] = inserted[i] ? Dim(1) : (*shape)[next++];
    ctx.set_output_shape(0, std::move(result));
}

void infer_transpose(InferenceContext& ctx) {
    const InputShape* shape = ctx.input_shape(0);
    const Ints perm = ctx.node().ints_attribute("perm");
    if (!ctx.node().has_attribute("perm") || (perm.empty() && shape && !shape->empty())) {
        if (shape) ctx.set_output_shape(0, SymbolicShape(shape->rbegin(), shape->rend()));
        return;
    }
    if (shape && perm.size() != shape->size()) {
        ctx.fail(
            fmt::format("perm has {} entries for an input of rank {}", perm.size(), shape->size()));
    }
    std::vector<bool> seen(perm.size(), false);
    SymbolicShape result;
    for (std::int64_t axis : perm) {
        if (axis < 0 || axis >= static_cast<std::int64_t>(perm.size())) {
            ctx.fail(fmt::format("perm entry {} is out of range [0, {}]", axis,
                                 static_cast<std::int64_t>(perm.size()) - 1));
        }
        const auto place = static_cast<std::size_t>(axis);
        if (seen[place]) ctx.fail(fmt::format("perm lists axis {} twice", axis));
        seen[place] = true;
        result.push_back(shape ? (*shape)[place] : Dim());
    }
    ctx.set_output_shape(0, std::move(result));
}

void infer_depth_to_space(InferenceContext& ctx) {
    const std::int64_t block = positive_attribute(ctx, "blocksize", 0);
    word_attribute(ctx, "mode", "DCR", {"DCR", "CRD"});
    const InputShape* shape = shape_of_rank(ctx, 0, 4, "input");
    if (!shape) return;
    const Dim square = multiply(block, block);
    if ((*shape)[1].is_known() && square.is_known() && (*shape)[1].value() % square.value() != 0) {
        ctx.fail(fmt::format("{} channels are not divisible by blocksize² = {}",
                             (*shape)[1].value(), square.value()));
    }
    ctx.set_output_shape(0, {(*shape)[0], floor_divide((*shape)[1], square),
                             multiply((*shape)[2], block), multiply((*shape)[3], block)});
}

void infer_space_to_depth(InferenceContext& ctx) {
    const std::int64_t block = positive_attribute(ctx, "blocksize", 0);
    const InputShape* shape = shape_of_rank(ctx, 0, 4, "input");
    if (!shape) return;
    for (std::size_t i = 2; i < 4; ++i) {
        if ((*shape)[i].is_known() && (*shape)[i].value() % block != 0) {
            ctx.fail(fmt::format("dimension {} of {} is not divisible by blocksize {}", i,
                                 (*shape)[i].value(), block));
        }
    }
    ctx.set_output_shape(0, {(*shape)[0], multiply((*shape)[1], multiply(block, block)),
                             floor_divide((*shape)[2], block), floor_divide((*shape)[3], block)});
}

}  // namespace lapidary
