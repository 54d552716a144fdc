// SPDX-License-Identifier: Apache-2.0
// Operators that read or write by index.
#include <algorithm>

#include <fmt/format.h>

#include "base/at.h"

#include "ops/rules/rule_checks.h"

namespace lapidary {
namespace {

/// Constant indices must lie in [-size, size-1].
void check_indices(const InferenceContext& ctx, std::size_t input, const Dim& size,
                   std::size_t axis) {
    const auto indices = ctx.constant_ints(input);
    if (!indices || !size.is_known()) return;
    for (std::int64_t index : *indices) {
        if (index < -size.value() || index >= size.value()) {
            ctx.fail(fmt::format("index {} is out of range [{}, {}] of axis {}", index,
                                 -size.value(), size.value() - 1, axis));
        }
    }
}

}  // namespace

void infer_gather(InferenceContext& ctx) {
    const InputShape *data = shape_of_least_rank(ctx, 0, 1, "data"), *indices = ctx.input_shape(1);
    if (!data) return;
    const std::size_t axis = checked_axis(ctx, ctx.node().int_attribute("axis", 0), data->size());
    check_indices(ctx, 1, (*data)[axis], axis);
    if (!indices) return;
    SymbolicShape result(data->begin(), data->begin() + static_cast<std::ptrdiff_t>(axis));
    result.insert(result.end(), indices->begin(), indices->end());
    result.insert(result.end(), data->begin() + static_cast<std::ptrdiff_t>(axis) + 1, data->end());
    ctx.set_output_shape(0, std::move(result));
}

void infer_gather_elements(InferenceContext& ctx) {
    const InputShape *data = shape_of_least_rank(ctx, 0, 1, "data"), *indices = ctx.input_shape(1);
    if (indices && data && indices->size() != data->size()) {
        ctx.fail(fmt::format("indices must have the rank of the data, found {} and {}",
                             indices->size(), data->size()));
    }
    if (data) {
        const std::size_t axis =
            checked_axis(ctx, ctx.node().int_attribute("axis", 0), data->size());
        check_indices(ctx, 1, (*data)[axis], axis);
        for (std::size_t i = 0; indices && i < data->size(); ++i) {
            if (i != axis && (*data)[i].is_known() && (*indices)[i].is_known() &&
                (*indices)[i].value() > (*data)[i].value()) {
                ctx.fail(
                    fmt::format("indices of shape {} reach beyond the data of shape {} on axis {}",
                                to_string(*indices), to_string(*data), i));
            }
        }
    }
    if (indices) ctx.set_output_shape(0, *indices);
}

void infer_gather_nd(InferenceContext& ctx) {
    const std::int64_t batch = ctx.node().int_attribute("batch_dims", 0);
    const InputShape *data = shape_of_least_rank(ctx, 0, 1, "data"),
                     *indices = shape_of_least_rank(ctx, 1, 1, "indices");
    if (!data || !indices) return;
    if (batch < 0 || batch >= static_cast<std::int64_t>(std::min(data->size(), indices->size()))) {
        ctx.fail(fmt::format("batch_dims {} does not fit data of rank {} and indices of rank {}",
                             batch, data->size(), indices->size()));
    }
    const auto lead = static_cast<std::size_t>(batch);
    for (std::size_t i = 0; i < lead; ++i)
        same_dim(ctx, (*data)[i], (*indices)[i], fmt::format("batch axis {}: sizes must agree", i));
    const Dim& depth = indices->back();
    if (!depth.is_known()) return;
    const auto taken = static_cast<std::size_t>(depth.value());
    if (depth.value() < 1 || lead + taken > data->size()) {
        ctx.fail(
            fmt::format("indices of {} components do not fit data of rank {} with {} batch axes",
                        depth.value(), data->size(), lead));
    }
    // Constant indices, one component after the other.
    if (const auto values = ctx.constant_ints(1)) {
        for (std::size_t i = 0; i < values->size(); ++i) {
            const Dim& size = (*data)[lead + i % taken];
            const std::int64_t index = (*values)[i];
            if (size.is_known() && (index < -size.value() || index >= size.value())) {
                ctx.fail(fmt::format("index {} is out of range [{}, {}] of axis {}", index,
                                     -size.value(), size.value() - 1, lead + i % taken));
            }
        }
    }
    SymbolicShape result(indices->begin(), indices->end() - 1);
    result.insert(result.end(), data->begin() + static_cast<std::ptrdiff_t>(lead + taken),
                  data->end());
    ctx.set_output_shape(0, std::move(result));
}

void infer_scatter_elements(InferenceContext& ctx) {
    if (ctx.version() >= 16)
        word_attribute(ctx, "reduction", "none", {"none", "add", "mul", "min", "max"});
    const InputShape *data = shape_of_least_rank(ctx, 0, 1, "data"), *indices = ctx.input_shape(1),
                     *updates = ctx.input_shape(2);
    if (indices && updates) {
        if (indices->size() != updates->size())
            ctx.fail(fmt::format("indices and updates must have one shape, found {} and {}",
                                 to_string(*indices), to_string(*updates)));
        for (std::size_t i = 0; i < indices->size(); ++i)
            same_dim(ctx, (*indices)[i], (*updates)[i],
                     fmt::format("indices and updates, axis {}", i));
    }
    if (!data) return;
    if (indices && indices->size() != data->size())
        ctx.fail(fmt::format("indices must have the rank of the data, found {} and {}",
                             indices->size(), data->size()));
    const std::size_t axis = checked_axis(ctx, ctx.node().int_attribute("axis", 0), data->size());
    check_indices(ctx, 1, (*data)[axis], axis);
    ctx.set_output_shape(0, *data);
}

void infer_scatter_nd(InferenceContext& ctx) {
    if (ctx.version() >= 16)
        word_attribute(ctx, "reduction", "none", {"none", "add", "mul", "min", "max"});
    const InputShape *data = shape_of_least_rank(ctx, 0, 1, "data"),
                     *indices = shape_of_least_rank(ctx, 1, 1, "indices"),
                     *updates = ctx.input_shape(2);
    if (!data) return;
    ctx.set_output_shape(0, *data);
    if (!indices || !indices->back().is_known()) return;
    const auto taken = static_cast<std::size_t>(indices->back().value());
    if (indices->back().value() < 1 || taken > data->size()) {
        ctx.fail(fmt::format("indices of {} components do not fit data of rank {}",
                             indices->back().value(), data->size()));
    }
    if (const auto values = ctx.constant_ints(1)) {
        for (std::size_t i = 0; i < values->size(); ++i) {
            const Dim& size = (*data)[i % taken];
            if (size.is_known() && ((*values)[i] < -size.value() || (*values)[i] >= size.value())) {
                ctx.fail(fmt::format("index {} is out of range [{}, {}] of axis {}", (*values)[i],
                                     -size.value(), size.value() - 1, i % taken));
            }
        }
    }
    if (!updates) return;
    SymbolicShape expected(indices->begin(), indices->end() - 1);
    expected.insert(expected.end(), data->begin() + static_cast<std::ptrdiff_t>(taken),
                    data->end());
    if (expected.size() != updates->size()) {
        ctx.fail(fmt::format("updates must have shape {}, found {}", to_string(expected),
                             to_string(*updates)));
    }
    for (std::size_t i = 0; i < expected.size(); ++i)
        same_dim(ctx, expected[i], (*updates)[i], fmt::format("updates, axis {}", i));
}

void infer_tensor_scatter(InferenceContext& ctx) {
    word_attribute(ctx, "mode", "linear", {"linear", "circular"});
    if (const InputShape* cache = ctx.input_shape(0))
        checked_axis(ctx, ctx.node().int_attribute("axis", -2), cache->size());
    infer_same_shape(ctx);
}

void infer_reverse_sequence(InferenceContext& ctx) {
    const InputShape *x = shape_of_least_rank(ctx, 0, 2, "input"),
                     *lengths = shape_of_rank(ctx, 1, 1, "sequence_lens");
    const std::int64_t time = ctx.node().int_attribute("time_axis", 0),
                       batch = ctx.node().int_attribute("batch_axis", 1);
    if (time == batch || time < 0 || time > 1 || batch < 0 || batch > 1) {
        ctx.fail(
            fmt::format("time_axis and batch_axis must be 0 and 1 in some order, found {} and {}",
                        time, batch));
    }
    if (x && lengths)
        same_dim(ctx, at(*x, batch), (*lengths)[0],
                 "sequence_lens must have one length for each of the batch");
    infer_same_shape(ctx);
}

void infer_compress(InferenceContext& ctx) {
    shape_of_rank(ctx, 1, 1, "condition");
    Dim kept = ctx.fresh_dim("kept");
    if (const auto condition = ctx.constant_ints(1))
        kept = std::count_if(condition->begin(), condition->end(),
                             [](std::int64_t c) { return c != 0; });
    const InputShape* shape = ctx.input_shape(0);
    if (!ctx.node().has_attribute("axis")) return ctx.set_output_shape(0, {kept});
    if (!shape) return;
    SymbolicShape result = *shape;
    result[checked_axis(ctx, ctx.node().int_attribute("axis", 0), shape->size())] = kept;
    ctx.set_output_shape(0, std::move(result));
}

void infer_nonzero(InferenceContext& ctx) {
    const InputShape* shape = ctx.input_shape(0);
    ctx.set_output_shape(0, {shape ? Dim(static_cast<std::int64_t>(shape->size())) : Dim(),
                             ctx.fresh_dim("nonzero")});
}

void infer_unique(InferenceContext& ctx) {
    const InputShape* shape = ctx.input_shape(0);
    const Dim found = ctx.fresh_dim("unique");
    if (!ctx.node().has_attribute("axis")) {
        ctx.set_output_shape(0, {found});
        ctx.set_output_shape(2, {shape ? product(*shape) : Dim()});
    } else if (shape) {
        const std::size_t axis =
            checked_axis(ctx, ctx.node().int_attribute("axis", 0), shape->size());
        SymbolicShape result = *shape;
        result[axis] = found;
        ctx.set_output_shape(2, {(*shape)[axis]});
        ctx.set_output_shape(0, std::move(result));
    }
    ctx.set_output_shape(1, {found});
    ctx.set_output_shape(3, {found});
}

void infer_one_hot(InferenceContext& ctx) {
    require_elements(ctx, 1, 1, "depth");
    require_elements(ctx, 2, 2, "values");
    const InputShape* indices = ctx.input_shape(0);
    if (!indices) return;
    Dim depth;
    if (const auto value = ctx.elements(1); value && value->size() == 1) {
        const auto number = constant_of((*value)[0]);
        if (number && *number < 1)
            ctx.fail(fmt::format("depth must be positive, found {}", *number));
        if (surely_not_negative((*value)[0])) depth = (*value)[0];
    } else if (const auto floats = ctx.constant_floats(1);
               floats && floats->size() == 1 && (*floats)[0] >= 1 && (*floats)[0] < 1e9f) {
        depth = static_cast<std::int64_t>((*floats)[0]);
    }
    SymbolicShape result = *indices;
    const std::size_t axis =
        checked_axis(ctx, ctx.node().int_attribute("axis", -1), indices->size() + 1);
    result.insert(result.begin() + static_cast<std::ptrdiff_t>(axis), depth);
    ctx.set_output_shape(0, std::move(result));
}

void infer_trilu(InferenceContext& ctx) {
    shape_of_least_rank(ctx, 0, 2, "input");
    require_elements(ctx, 1, 1, "k");
    infer_same_shape(ctx);
}

}  // namespace lapidary
