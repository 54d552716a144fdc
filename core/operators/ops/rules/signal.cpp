// SPDX-License-Identifier: Apache-2.0
// DFT and STFT.
#include <fmt/format.h>

#include "ops/rules/rule_checks.h"

namespace lapidary {
namespace {

Dim one_sided(const Dim& length) { return add(floor_divide(length, 2), 1); }

/// A number given as an input: absent, known, symbolic or unknown.
std::optional<Dim> number_input(const InferenceContext& ctx, std::size_t input,
                                std::string_view name) {
    if (!ctx.has_input(input)) return std::nullopt;
    require_scalar(ctx, input, name);
    const auto value = ctx.elements(input);
    if (!value || value->size() != 1) return Dim();
    if (constant_of((*value)[0]).value_or(1) < 1)
        ctx.fail(fmt::format("{} must be positive, found {}", name, to_string((*value)[0])));
    return (*value)[0];
}

}  // namespace

void infer_dft(InferenceContext& ctx) {
    const bool onesided = ctx.node().int_attribute("onesided", 0) != 0,
               inverse = ctx.node().int_attribute("inverse", 0) != 0;
    const InputShape* x = shape_of_least_rank(ctx, 0, 2, "input");
    const auto length = number_input(ctx, 1, "dft_length");
    if (!x) return;
    std::int64_t axis = ctx.version() < 20 ? ctx.node().int_attribute("axis", 1) : -2;
    bool axis_known = true;
    if (ctx.version() >= 20 && ctx.has_input(2)) {
        require_scalar(ctx, 2, "axis");
        const auto value = ctx.constant_ints(2);
        axis_known = value && value->size() == 1;
        if (axis_known) axis = (*value)[0];
    }
    SymbolicShape result = *x;
    if (x->back().is_known() && x->back() != Dim(1) && x->back() != Dim(2)) {
        ctx.fail(fmt::format("the last axis of input must be 1 (real) or 2 (complex), found {}",
                             x->back().value()));
    }
    if (!axis_known) {
        result.assign(x->size(), Dim());
    } else {
        const std::size_t place = checked_axis(ctx, axis, x->size());
        if (place + 1 == x->size())
            ctx.fail("the axis cannot be the last one, which holds real and imaginary parts");
        const Dim samples = length                ? *length
                            : inverse && onesided ? multiply(subtract((*x)[place], 1), 2)
                                                  : (*x)[place];
        result[place] = onesided && !inverse ? one_sided(samples) : samples;
    }
    result.back() = onesided && inverse ? 1 : 2;
    ctx.set_output_shape(0, std::move(result));
}

void infer_stft(InferenceContext& ctx) {
    const InputShape* signal = shape_of_least_rank(ctx, 0, 2, "signal");
    const auto step = number_input(ctx, 1, "frame_step"),
               given = number_input(ctx, 3, "frame_length");
    const InputShape* window = ctx.has_input(2) ? shape_of_rank(ctx, 2, 1, "window") : nullptr;
    if (!signal) return;
    Dim length = given ? *given : ctx.has_input(2) ? (window ? (*window)[0] : Dim()) : (*signal)[1];
    if (given && window)
        length = same_dim(ctx, length, (*window)[0], "frame_length and the length of window");
    if (length.is_known() && (*signal)[1].is_known() && length.value() > (*signal)[1].value()) {
        ctx.fail(fmt::format("frames of {} samples are longer than the signal of {}",
                             length.value(), (*signal)[1].value()));
    }
    const Dim frames = add(floor_divide(subtract((*signal)[1], length), step.value_or(Dim())), 1);
    const Dim bins = ctx.node().int_attribute("onesided", 1) != 0 ? one_sided(length) : length;
    ctx.set_output_shape(0, {(*signal)[0], frames, bins, 2});
}

}  // namespace lapidary
