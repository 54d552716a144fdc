// SPDX-License-Identifier: Apache-2.0
// Resize (opsets 10 to 19) and Upsample.
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "ops/rules/rule_checks.h"

namespace lapidary {
namespace {

/// floor(size * scale) as kernels compute it, in single precision.
Dim scaled_size(const InferenceContext& ctx, const Dim& size, float scale, std::size_t axis) {
    if (!(scale > 0) || !std::isfinite(scale))
        ctx.fail(
            fmt::format("the scale of axis {} must be positive and finite, found {}", axis, scale));
    if (scale == 1.0f) return size;
    if (size.is_known()) {
        const double scaled =
            std::floor(static_cast<double>(static_cast<float>(size.value()) * scale));
        if (scaled >= 9.0e18)
            ctx.fail(fmt::format("axis {} of {} elements scaled by {} is too large", axis,
                                 size.value(), scale));
        return static_cast<std::int64_t>(scaled);
    }
    if (scale == std::floor(scale) && scale < 1e6f)
        return multiply(size, static_cast<std::int64_t>(scale));
    const float inverse = 1.0f / scale;
    // Exact in binary only for powers of two; 1/3 and the like round either way.
    if (inverse == std::floor(inverse) && inverse < 1e6f &&
        std::exp2(std::round(std::log2(inverse))) == inverse) {
        return floor_divide(size, static_cast<std::int64_t>(inverse));
    }
    return {};
}

void apply_scales(InferenceContext& ctx, const SymbolicShape& shape,
                  const std::vector<std::size_t>& axes, const std::vector<float>& scales) {
    if (scales.size() != axes.size())
        ctx.fail(fmt::format("scales has {} entries where {} axes need one each", scales.size(),
                             axes.size()));
    SymbolicShape result = shape;
    for (std::size_t i = 0; i < axes.size(); ++i)
        result[axes[i]] = scaled_size(ctx, shape[axes[i]], scales[i], axes[i]);
    ctx.set_output_shape(0, std::move(result));
}

std::vector<std::size_t> all_axes(std::size_t rank) {
    std::vector<std::size_t> axes(rank);
    for (std::size_t i = 0; i < rank; ++i) axes[i] = i;
    return axes;
}

/// keep_aspect_ratio_policy: one scale for all axes, sizes rounded half up.
void keep_aspect(const InferenceContext& ctx, SymbolicShape& shape,
                 const std::vector<std::size_t>& axes, const std::vector<Dim>& sizes,
                 bool not_larger) {
    double scale = not_larger ? std::numeric_limits<double>::infinity() : 0;
    for (std::size_t i = 0; i < axes.size(); ++i) {
        const auto size = constant_of(sizes[i]);
        if (!size || !shape[axes[i]].is_known() || shape[axes[i]] == Dim(0)) {
            for (std::size_t axis : axes) shape[axis] = Dim();
            return;
        }
        const double own = static_cast<double>(*size) / static_cast<double>(shape[axes[i]].value());
        scale = not_larger ? std::min(scale, own) : std::max(scale, own);
    }
    for (std::size_t axis : axes) {
        const double scaled = std::floor(static_cast<double>(shape[axis].value()) * scale + 0.5);
        if (scaled >= 9.0e18) ctx.fail(fmt::format("axis {} becomes too large", axis));
        shape[axis] = static_cast<std::int64_t>(scaled);
    }
}

}  // namespace

void infer_upsample(InferenceContext& ctx) {
    word_attribute(ctx, "mode", "nearest", {"nearest", "linear", "bilinear", "cubic"});
    const InputShape* shape = ctx.input_shape(0);
    if (!shape) return;
    if (ctx.node().has_attribute("height_scale")) {  // opset 1
        shape_of_rank(ctx, 0, 4, "X");
        return apply_scales(ctx, *shape, {2, 3},
                            {ctx.node().float_attribute("height_scale", 1),
                             ctx.node().float_attribute("width_scale", 1)});
    }
    std::optional<std::vector<float>> scales;
    if (ctx.node().has_attribute("scales")) scales = ctx.node().floats_attribute("scales");
    else scales = ctx.constant_floats(1);
    if (!scales) return ctx.set_output_shape(0, SymbolicShape(shape->size()));
    apply_scales(ctx, *shape, all_axes(shape->size()), *scales);
}

namespace {

/// An empty list stands for an omitted input in opsets 11 and 12.
bool is_omitted(const InferenceContext& ctx, std::size_t input) {
    const InputShape* shape = ctx.input_shape(input);
    return !ctx.has_input(input) || (shape && shape->size() == 1 && (*shape)[0] == Dim(0));
}

/// The result of a Resize with given sizes of `axes`.
SymbolicShape sized_shape(InferenceContext& ctx, const SymbolicShape& shape,
                          const std::vector<std::size_t>& axes, const std::string& policy) {
    const auto sizes = ctx.elements(3);
    SymbolicShape result = shape;
    if (!sizes) {
        for (std::size_t axis : axes) result[axis] = Dim();
        return result;
    }
    if (sizes->size() != axes.size())
        ctx.fail(fmt::format("sizes has {} entries where {} axes need one each", sizes->size(),
                             axes.size()));
    for (const Dim& size : *sizes) {
        if (constant_of(size).value_or(0) < 0)
            ctx.fail(fmt::format("sizes must not be negative, found {}", to_string(size)));
    }
    if (policy != "stretch") {
        keep_aspect(ctx, result, axes, *sizes, policy == "not_larger");
    } else {
        for (std::size_t i = 0; i < axes.size(); ++i)
            result[axes[i]] = surely_not_negative((*sizes)[i]) ? (*sizes)[i] : Dim();
    }
    return result;
}

/// The result of a Resize that crops to its region of interest (input 1); sizes are known as far as
/// that and `scales` are.
SymbolicShape cropped_shape(const InferenceContext& ctx, const SymbolicShape& shape,
                            const std::vector<std::size_t>& axes,
                            const std::optional<std::vector<float>>& scales) {
    SymbolicShape result = shape;
    const auto roi = ctx.constant_floats(1);
    const bool known =
        scales && roi && roi->size() == 2 * axes.size() && scales->size() == axes.size();
    for (std::size_t i = 0; i < axes.size(); ++i) {
        Dim& size = result[axes[i]];
        const double scaled = known && size.is_known()
                                  ? std::floor(static_cast<double>(
                                        static_cast<float>(size.value()) *
                                        ((*roi)[i + axes.size()] - (*roi)[i]) * (*scales)[i]))
                                  : -1;
        size = scaled >= 0 && scaled < 9e18 ? Dim(static_cast<std::int64_t>(scaled)) : Dim();
    }
    return result;
}

}  // namespace

void infer_resize(InferenceContext& ctx) {
    word_attribute(ctx, "mode", "nearest", {"nearest", "linear", "cubic"});
    std::string coordinates = "half_pixel";
    if (ctx.version() >= 11) {
        coordinates = word_attribute(
            ctx, "coordinate_transformation_mode", "half_pixel",
            {"half_pixel", "half_pixel_symmetric", "pytorch_half_pixel", "align_corners",
             "asymmetric", "tf_half_pixel_for_nn", "tf_crop_and_resize"});
        word_attribute(ctx, "nearest_mode", "round_prefer_floor",
                       {"round_prefer_floor", "round_prefer_ceil", "floor", "ceil"});
    }
    const std::string policy = word_attribute(ctx, "keep_aspect_ratio_policy", "stretch",
                                              {"stretch", "not_larger", "not_smaller"});
    const InputShape* shape = ctx.input_shape(0);
    if (!shape) return;
    std::vector<std::size_t> axes = all_axes(shape->size());
    if (ctx.node().has_attribute("axes"))
        axes = checked_axes(ctx, ctx.node().ints_attribute("axes"), shape->size());
    const std::size_t scales_input = ctx.version() < 11 ? 1 : 2;
    const bool has_scales = !is_omitted(ctx, scales_input);
    const bool has_sizes = ctx.version() >= 11 && !is_omitted(ctx, 3);
    if (has_scales && has_sizes) ctx.fail("scales and sizes cannot both be given");
    if (!has_scales && !has_sizes) ctx.fail("one of scales and sizes must be given");
    if (has_sizes) return ctx.set_output_shape(0, sized_shape(ctx, *shape, axes, policy));
    const auto scales = ctx.constant_floats(scales_input);
    if (!scales || coordinates == "tf_crop_and_resize")
        return ctx.set_output_shape(0, cropped_shape(ctx, *shape, axes, scales));
    apply_scales(ctx, *shape, axes, *scales);
}

}  // namespace lapidary
