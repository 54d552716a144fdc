// SPDX-License-Identifier: Apache-2.0
// com.microsoft and com.microsoft.nchwc: fused products and convolutions, blocked layouts.
#include <fmt/format.h>

#include "ops/rules/matrix_shapes.h"
#include "ops/rules/window_shapes.h"

namespace lapidary {
namespace {

/// The summand Z of a fused convolution has the output's shape.
void check_summand(InferenceContext& ctx, std::size_t input) {
    const InputShape* summand = ctx.input_shape(input);
    const Type& output = ctx.output_type(0);
    if (!ctx.has_input(input) || !summand || !output.shape) return;
    if (summand->size() != output.shape->size())
        ctx.fail(fmt::format("Z of shape {} does not fit the output {}", to_string(*summand),
                             to_string(*output.shape)));
    for (std::size_t i = 0; i < summand->size(); ++i)
        same_dim(ctx, (*summand)[i], (*output.shape)[i], fmt::format("Z, axis {}", i));
}

}  // namespace

void infer_fused_conv(InferenceContext& ctx) {
    infer_convolution(ctx, {});
    check_summand(ctx, 3);
}

/// NhwcConv and NhwcFusedConv: images with channels last. The weight is [M, C/group, ...]; of
/// NhwcConv also channels last.
void infer_nhwc_conv(InferenceContext& ctx) {
    const InputShape *x = shape_of_least_rank(ctx, 0, 3, "X"),
                     *w = shape_of_least_rank(ctx, 1, 3, "W");
    if (!x || !w) return;
    if (x->size() != w->size())
        ctx.fail(fmt::format("X of shape {} and W of shape {} must have one rank", to_string(*x),
                             to_string(*w)));
    const WindowAttributes window = read_window_attributes(ctx.node(), x->size() - 2);
    const bool last =
        ctx.node().op_type == "NhwcConv" &&
        surely_different(multiply((*w)[1], positive_attribute(ctx, "group", 1)), x->back());
    SymbolicShape result = *x;
    for (std::size_t i = 0; i < x->size() - 2; ++i)
        result[1 + i] = window_size(window, i, (*x)[1 + i], (*w)[(last ? 1 : 2) + i]);
    result.back() = (*w)[0];
    ctx.set_output_shape(0, std::move(result));
}

void infer_nhwc_max_pool(InferenceContext& ctx) { infer_pool_on(ctx, 0, true); }

/// FusedMatMul and TransposeMatMul: transBatch moves the first axis between the batch and the
/// matrix.
void infer_fused_matmul(InferenceContext& ctx) {
    const InputShape *a = ctx.input_shape(0), *b = ctx.input_shape(1);
    if (!a || !b) return;
    const auto turned = [&](SymbolicShape shape, const char* batch, const char* transpose) {
        const std::size_t rank = shape.size();
        if (rank < 2) return shape;
        if (ctx.node().int_attribute(batch, 0) != 0 && rank > 2) {
            // [d0, d1 ... d(r-2), d(r-1)] -> [d1 ... d(r-2), d0, d(r-1)]
            Dim moved = shape.front();
            shape.erase(shape.begin());
            shape.insert(shape.end() - 1, std::move(moved));
        }
        if (ctx.node().int_attribute(transpose, 0) != 0)
            std::swap(shape[rank - 1], shape[rank - 2]);
        return shape;
    };
    ctx.set_output_shape(0, matmul_shape(ctx, turned(*a, "transBatchA", "transA"),
                                         turned(*b, "transBatchB", "transB")));
}

void infer_gemm_fast_gelu(InferenceContext& ctx) { infer_product_of(ctx, 0, 1); }

// ---- com.microsoft.nchwc: shapes are N, C, H, W with the channels of blocked tensors filled up to
// whole blocks.

namespace {

/// Channels after a reorder. The block is not known here: only multiples of the largest one are
/// sure to stay.
Dim filled_up(const Dim& channels) {
    return channels.is_known() && channels.value() % 16 == 0 ? channels : Dim();
}

}  // namespace

void infer_nchwc_conv(InferenceContext& ctx) {
    const std::int64_t group = positive_attribute(ctx, "group", 1);
    const InputShape *x = shape_of_rank(ctx, 0, 4, "X"), *w = shape_of_rank(ctx, 1, 4, "W");
    if (w && (*w)[0].is_known() && (*w)[0].value() % group != 0)
        ctx.fail(fmt::format("{} filters do not divide into {} groups", (*w)[0].value(), group));
    if (!x || !w) return;
    const WindowAttributes window = read_window_attributes(ctx.node(), 2);
    ctx.set_output_shape(0, {(*x)[0], (*w)[0], window_size(window, 0, (*x)[2], (*w)[2]),
                             window_size(window, 1, (*x)[3], (*w)[3])});
    check_summand(ctx, 3);
}

void infer_reorder_input(InferenceContext& ctx) {
    const InputShape* x = shape_of_rank(ctx, 0, 4, "X");
    if (!x) return;
    if (ctx.node().int_attribute("channels_last", 0) != 0)
        ctx.set_output_shape(0, {(*x)[0], filled_up((*x)[3]), (*x)[1], (*x)[2]});
    else ctx.set_output_shape(0, {(*x)[0], filled_up((*x)[1]), (*x)[2], (*x)[3]});
}

void infer_reorder_output(InferenceContext& ctx) {
    const InputShape* x = shape_of_rank(ctx, 0, 4, "X");
    if (!x) return;
    const Dim channels = ctx.node().has_attribute("channels")
                             ? Dim(positive_attribute(ctx, "channels", 0))
                             : (*x)[1];
    if (ctx.node().int_attribute("channels_last", 0) != 0)
        ctx.set_output_shape(0, {(*x)[0], (*x)[2], (*x)[3], channels});
    else ctx.set_output_shape(0, {(*x)[0], channels, (*x)[2], (*x)[3]});
}

void infer_nchwc_upsample(InferenceContext& ctx) {
    const InputShape* x = shape_of_rank(ctx, 0, 4, "X");
    const Ints scales = ctx.node().ints_attribute("scales", {1, 1, 1, 1});
    if (scales.size() != 4)
        ctx.fail(fmt::format("attribute scales must have 4 entries, found {}", scales.size()));
    if (!x) return;
    SymbolicShape result = *x;
    for (std::size_t i = 0; i < 4; ++i) {
        if (scales[i] < 1)
            ctx.fail(fmt::format("attribute scales must be positive, found {}", scales[i]));
        result[i] = multiply(result[i], scales[i]);
    }
    ctx.set_output_shape(0, std::move(result));
}

// ---- small ones

void infer_expand_dims(InferenceContext& ctx) {
    const InputShape* x = ctx.input_shape(0);
    const auto axis = ctx.constant_ints(1);
    if (!x) return;
    SymbolicShape result(x->size() + 1);
    if (axis && axis->size() == 1) {
        result = *x;
        result.insert(result.begin() +
                          static_cast<std::ptrdiff_t>(checked_axis(ctx, (*axis)[0], x->size() + 1)),
                      1);
    }
    ctx.set_output_shape(0, std::move(result));
}

void infer_cdist(InferenceContext& ctx) {
    word_attribute(ctx, "metric", "sqeuclidean", {"euclidean", "sqeuclidean"});
    const InputShape *a = shape_of_rank(ctx, 0, 2, "A"), *b = shape_of_rank(ctx, 1, 2, "B");
    if (!a || !b) return;
    same_dim(ctx, (*a)[1], (*b)[1], "columns of A and B");
    ctx.set_output_shape(0, {(*a)[0], (*b)[0]});
}

void infer_bias_split_gelu(InferenceContext& ctx) {
    const InputShape* x = shape_of_least_rank(ctx, 0, 1, "X");
    if (!x) return;
    SymbolicShape result = *x;
    result.back() = floor_divide(result.back(), 2);
    ctx.set_output_shape(0, std::move(result));
}

void infer_crop_and_resize(InferenceContext& ctx) {
    const InputShape *x = shape_of_rank(ctx, 0, 4, "X"), *rois = shape_of_rank(ctx, 1, 2, "rois");
    const auto size = ctx.constant_ints(3);
    const bool known = size && size->size() == 2 && (*size)[0] > 0 && (*size)[1] > 0;
    ctx.set_output_shape(0, {rois ? (*rois)[0] : Dim(), x ? (*x)[1] : Dim(),
                             known ? Dim((*size)[0]) : Dim(), known ? Dim((*size)[1]) : Dim()});
}

void infer_ngram_repeat_block(InferenceContext& ctx) { copy_shape(ctx, 1, 0); }

void infer_skip_group_norm(InferenceContext& ctx) {
    copy_shape(ctx, 0, 0);
    copy_shape(ctx, 0, 1);
}

/// Unique values of a list, where they were first, and how often.
void infer_ms_unique(InferenceContext& ctx) {
    const InputShape* x = ctx.input_shape(0);
    const Dim found = ctx.fresh_dim("unique");
    ctx.set_output_shape(0, {found});
    ctx.set_output_shape(1, {x ? product(*x) : Dim()});
    ctx.set_output_shape(2, {found});
}

/// Sampling in the middle of [N,C,H,W] at grid [N,Ho,Wo,2].
void infer_ms_grid_sample(InferenceContext& ctx) {
    const InputShape *x = shape_of_rank(ctx, 0, 4, "X"), *grid = shape_of_rank(ctx, 1, 4, "Grid");
    if (x && grid) ctx.set_output_shape(0, {(*x)[0], (*x)[1], (*grid)[1], (*grid)[2]});
}

/// Like Range, with delta 1 when it is left out.
void infer_ms_range(InferenceContext& ctx) {
    const auto start = ctx.elements(0), limit = ctx.elements(1);
    const auto delta =
        ctx.has_input(2) ? ctx.elements(2) : std::optional<std::vector<Dim>>({Dim(1)});
    const auto step = delta && delta->size() == 1 ? constant_of((*delta)[0]) : std::nullopt;
    if (step == 0) ctx.fail("delta must not be 0");
    if (!start || !limit || !step || *step < 0 || start->size() != 1 || limit->size() != 1)
        return ctx.set_output_shape(0, {Dim()});
    ctx.set_output_shape(0, {maximum(ceil_divide(subtract((*limit)[0], (*start)[0]), *step), 0)});
}

}  // namespace lapidary
