// SPDX-License-Identifier: Apache-2.0
// Operators of detectors and image grids.
#include <fmt/format.h>

#include "ops/rules/window_shapes.h"

namespace lapidary {

void infer_non_max_suppression(InferenceContext& ctx) {
    const std::int64_t center = ctx.node().int_attribute("center_point_box", 0);
    if (center != 0 && center != 1)
        ctx.fail(fmt::format("attribute center_point_box must be 0 or 1, found {}", center));
    const InputShape *boxes = shape_of_rank(ctx, 0, 3, "boxes"),
                     *scores = shape_of_rank(ctx, 1, 3, "scores");
    if (boxes) same_dim(ctx, (*boxes)[2], 4, "boxes must have 4 columns");
    if (boxes && scores) {
        same_dim(ctx, (*boxes)[0], (*scores)[0], "batches of boxes and scores");
        same_dim(ctx, (*boxes)[1], (*scores)[2], "numbers of boxes and scores");
    }
    static constexpr std::string_view names[] = {"max_output_boxes_per_class", "iou_threshold",
                                                 "score_threshold"};
    for (std::size_t i = 2; i < ctx.input_count(); ++i) require_scalar(ctx, i, names[i - 2]);
    ctx.set_output_shape(0, {ctx.fresh_dim("selected_boxes"), 3});
}

void infer_grid_sample(InferenceContext& ctx) {
    word_attribute(ctx, "mode", ctx.version() < 20 ? "bilinear" : "linear",
                   {"bilinear", "nearest", "bicubic", "linear", "cubic"});
    word_attribute(ctx, "padding_mode", "zeros", {"zeros", "border", "reflection"});
    const InputShape *x = shape_of_least_rank(ctx, 0, 3, "X"),
                     *grid = shape_of_least_rank(ctx, 1, 3, "grid");
    if (!x || !grid) return;
    if (x->size() != grid->size())
        ctx.fail(
            fmt::format("X and grid must have one rank, found {} and {}", x->size(), grid->size()));
    same_dim(ctx, grid->back(), static_cast<std::int64_t>(x->size() - 2),
             "the last axis of grid holds one coordinate per spatial axis");
    SymbolicShape result = *x;
    result[0] = same_dim(ctx, (*x)[0], (*grid)[0], "batches of X and grid");
    for (std::size_t i = 2; i < x->size(); ++i) result[i] = (*grid)[i - 1];
    ctx.set_output_shape(0, std::move(result));
}

void infer_affine_grid(InferenceContext& ctx) {
    const InputShape *theta = shape_of_rank(ctx, 0, 3, "theta"),
                     *length = shape_of_rank(ctx, 1, 1, "size");
    const auto size = ctx.elements(1);
    if (length && (*length)[0].is_known() && (*length)[0] != Dim(4) && (*length)[0] != Dim(5)) {
        ctx.fail(fmt::format("size must have 4 or 5 entries, found {}", (*length)[0].value()));
    }
    if (!size) return;
    if (size->size() < 4) return;
    const std::size_t spatial = size->size() - 2;
    if (theta) {
        same_dim(ctx, (*theta)[0], (*size)[0], "batches of theta and size");
        same_dim(ctx, (*theta)[1], static_cast<std::int64_t>(spatial), "rows of theta");
        same_dim(ctx, (*theta)[2], static_cast<std::int64_t>(spatial + 1), "columns of theta");
    }
    SymbolicShape result = {(*size)[0]};
    result.insert(result.end(), size->begin() + 2, size->end());
    result.push_back(static_cast<std::int64_t>(spatial));
    for (Dim& dim : result) {
        if (constant_of(dim).value_or(0) < 0)
            ctx.fail(fmt::format("size must not be negative, found {}", to_string(dim)));
    }
    ctx.set_output_shape(0, std::move(result));
}

void infer_col2im(InferenceContext& ctx) {
    const InputShape* x = shape_of_rank(ctx, 0, 3, "input");
    const auto image = ctx.elements(1), block = ctx.elements(2);
    const InputShape* count = shape_of_rank(ctx, 1, 1, "image_shape");
    const std::size_t spatial = image   ? image->size()
                                : block ? block->size()
                                : count && (*count)[0].is_known() && (*count)[0].value() <= 62
                                    ? static_cast<std::size_t>((*count)[0].value())
                                    : 0;
    if (spatial == 0) return;
    if (image && block && image->size() != block->size()) {
        ctx.fail(fmt::format("image_shape has {} entries, block_shape {}", image->size(),
                             block->size()));
    }
    read_window_attributes(ctx.node(), spatial);
    SymbolicShape result(spatial + 2);
    if (x) result[0] = (*x)[0];
    if (block) {
        for (const Dim& size : *block) {
            if (constant_of(size).value_or(1) < 1)
                ctx.fail(fmt::format("block_shape must be positive, found {}", to_string(size)));
        }
        const Dim taps = product(*block);
        if (x && (*x)[1].is_known() && taps.is_known() && (*x)[1].value() % taps.value() != 0) {
            ctx.fail(fmt::format("{} columns are not divisible by the {} elements of a block",
                                 (*x)[1].value(), taps.value()));
        }
        if (x) result[1] = floor_divide((*x)[1], taps);
    }
    for (std::size_t i = 0; image && i < spatial; ++i) {
        if (constant_of((*image)[i]).value_or(1) < 0)
            ctx.fail(
                fmt::format("image_shape must not be negative, found {}", to_string((*image)[i])));
        result[2 + i] = (*image)[i];
    }
    ctx.set_output_shape(0, std::move(result));
}

void infer_image_decoder(InferenceContext& ctx) {
    const std::string format =
        word_attribute(ctx, "pixel_format", "RGB", {"RGB", "BGR", "Grayscale"});
    shape_of_rank(ctx, 0, 1, "encoded_stream");
    ctx.set_output_shape(0, {ctx.fresh_dim("image_height"), ctx.fresh_dim("image_width"),
                             format == "Grayscale" ? 1 : 3});
}

}  // namespace lapidary
