// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <numeric>
#include <optional>

#include "kernels/reference/movement/element_copy.h"

namespace lapidary::reference {
namespace {

struct Box {
    float y1, x1, y2, x2;
    float area() const { return (y2 - y1) * (x2 - x1); }
};

// Corners may come in any order; with `center` the four numbers are x, y, width, height.
Box box_at(const float* b, bool center) {
    if (center) return {b[1] - b[3] / 2, b[0] - b[2] / 2, b[1] + b[3] / 2, b[0] + b[2] / 2};
    return {std::min(b[0], b[2]), std::min(b[1], b[3]), std::max(b[0], b[2]), std::max(b[1], b[3])};
}

bool overlaps(const Box& a, const Box& b, float threshold) {
    const float height = std::min(a.y2, b.y2) - std::max(a.y1, b.y1),
                width = std::min(a.x2, b.x2) - std::max(a.x1, b.x1);
    if (!(height > 0) || !(width > 0) || !(a.area() > 0) || !(b.area() > 0)) return false;
    const float shared = height * width;
    return shared / (a.area() + b.area() - shared) > threshold;
}

std::optional<float> optional_number(KernelContext& context, std::size_t index,
                                     std::string_view name) {
    const Tensor* tensor = context.optional_input(index);
    if (tensor == nullptr || tensor->size() == 0) return std::nullopt;
    if (tensor->size() != 1 || tensor->dtype() != DType::f32)
        context.fail(std::string(name) + " must be one f32, found " + describe(*tensor));
    return tensor->data<float>()[0];
}

}  // namespace

void non_max_suppression(KernelContext& context) {
    const Tensor& boxes = context.input(0);
    const Tensor& scores = context.input(1);
    if (boxes.rank() != 3 || boxes.dim(2) != 4 || scores.rank() != 3 ||
        scores.dim(0) != boxes.dim(0) || scores.dim(2) != boxes.dim(1)) {
        context.fail("boxes " + describe(boxes) + " and scores " + describe(scores) +
                     " should be [batch, boxes, 4] and [batch, classes, boxes]");
    }
    const std::int64_t center = context.node().int_attribute("center_point_box", 0);
    if (center != 0 && center != 1)
        context.fail("center_point_box " + std::to_string(center) + " is neither 0 nor 1");
    const Tensor* most_tensor = context.optional_input(2);
    const std::int64_t most = most_tensor && most_tensor->size() != 0
                                  ? single_int(*most_tensor, "max_output_boxes_per_class")
                                  : 0;
    const float iou = optional_number(context, 3, "iou_threshold").value_or(0.0f);
    if (!(iou >= 0 && iou <= 1))
        context.fail("iou_threshold " + std::to_string(iou) + " is not in [0, 1]");
    const std::optional<float> least = optional_number(context, 4, "score_threshold");
    const std::int64_t count = boxes.dim(1), classes = scores.dim(1);
    std::vector<std::int64_t> picked;
    for (std::int64_t row = 0; row < boxes.dim(0) * classes && most > 0 && count > 0; ++row) {
        context.cancel().throw_if_cancelled();
        const float* box = boxes.data<float>().data() + row / classes * count * 4;
        const float* score = scores.data<float>().data() + row * count;
        std::vector<std::int64_t> candidates;
        for (std::int64_t i = 0; i < count; ++i) {
            if (least ? score[i] > *least : score[i] == score[i]) candidates.push_back(i);
        }
        std::ranges::stable_sort(candidates, std::greater<>{},
                                 [&](std::int64_t i) { return score[i]; });
        std::vector<Box> kept;
        for (const std::int64_t i : candidates) {
            if (static_cast<std::int64_t>(kept.size()) >= most) break;
            const Box candidate = box_at(box + i * 4, center == 1);
            if (std::ranges::any_of(kept,
                                    [&](const Box& b) { return overlaps(b, candidate, iou); }))
                continue;
            kept.push_back(candidate);
            picked.insert(picked.end(), {row / classes, row % classes, i});
        }
    }
    std::ranges::copy(
        picked, context.output(0, DType::i64, {static_cast<std::int64_t>(picked.size()) / 3, 3})
                    .mutable_data<std::int64_t>()
                    .begin());
}

}  // namespace lapidary::reference
