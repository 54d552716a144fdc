// SPDX-License-Identifier: Apache-2.0
// NonMaxSuppression: classes in parallel; candidates leave a heap best first, so that only as many
// are ordered as are looked at.
#include <algorithm>
#include <bit>
#include <cstring>
#include <span>

#include "kernels/elementwise/reference_kernels.h"
#include "kernels/input_index.h"

namespace lapidary {
namespace {

struct Box {
    float y1, x1, y2, x2, area;
};

/// Corners in any order; with `center` the four numbers are x, y, width, height.
Box box_at(const float* b, bool center) {
    Box box = center ? Box{b[1] - b[3] / 2, b[0] - b[2] / 2, b[1] + b[3] / 2, b[0] + b[2] / 2, 0}
                     : Box{std::min(b[0], b[2]), std::min(b[1], b[3]), std::max(b[0], b[2]),
                           std::max(b[1], b[3]), 0};
    box.area = (box.y2 - box.y1) * (box.x2 - box.x1);
    return box;
}

bool overlaps(const Box& a, const Box& b, float threshold) {
    const float height = std::min(a.y2, b.y2) - std::max(a.y1, b.y1),
                width = std::min(a.x2, b.x2) - std::max(a.x1, b.x1);
    if (!(height > 0) || !(width > 0) || !(a.area > 0) || !(b.area > 0)) return false;
    const float shared = height * width;
    return shared / (a.area + b.area - shared) > threshold;
}

/// Orders by score, the lower index first among equals.
std::uint64_t key_of(float score, std::int64_t index) {
    const auto bits = std::bit_cast<std::uint32_t>(score + 0.0f);  // one zero
    const std::uint32_t ordered = bits >> 31 ? ~bits : bits | 0x80000000u;
    return static_cast<std::uint64_t>(ordered) << 32 |
           (0xffffffffu - static_cast<std::uint32_t>(index));
}

class NonMaxSuppressionKernel final : public Kernel {
public:
    explicit NonMaxSuppressionKernel(bool center) : center_(center) {}

    void run(KernelContext& context) const override {
        const Tensor& boxes = context.input(0);
        const Tensor& scores = context.input(1);
        const auto number = [&](std::size_t i, float fallback) {
            const Tensor* t = context.optional_input(i);
            return t && t->size() == 1 && t->dtype() == DType::f32 ? t->data<float>()[0] : fallback;
        };
        const Tensor* most_tensor = context.optional_input(2);
        using namespace non_max_suppression_input;
        const float iou = number(iou_threshold, 0), least = number(score_threshold, 0);
        const bool has_least =
            context.has_input(score_threshold) && context.input(score_threshold).size() == 1;
        const auto is_number = [&](std::size_t i) {
            return !context.has_input(i) ||
                   (context.input(i).size() <= 1 && context.input(i).dtype() == DType::f32);
        };
        const FallbackReason why =
            boxes.rank() != 3 || boxes.dim(2) != 4 || scores.rank() != 3 ||
                    scores.dim(0) != boxes.dim(0) || scores.dim(2) != boxes.dim(1)
                ? fallback::shapes
            : boxes.dtype() != DType::f32 || scores.dtype() != DType::f32 ? fallback::element_type
            : !most_tensor || most_tensor->size() != 1 || most_tensor->dtype() != DType::i64
                ? FallbackReason("max_output_boxes_per_class is left out or not one i64")
            : !(iou >= 0 && iou <= 1) || !is_number(iou_threshold) || !is_number(score_threshold)
                ? FallbackReason("a threshold is not one f32, or iou_threshold not within 0 and 1")
            : boxes.dim(1) > UINT32_MAX ? fallback::long_line
                                        : fallback::none;
        if (why) return context.run_on_reference(reference::non_max_suppression, why);
        const std::int64_t count = boxes.dim(1), classes = scores.dim(1),
                           rows = boxes.dim(0) * classes;
        const std::int64_t most =
            std::clamp<std::int64_t>(most_tensor->data<std::int64_t>()[0], 0, count);
        if (rows == 0 || most == 0) {
            context.output(0, DType::i64, {0, 3});
            return;
        }
        const int workers = context.threads().threads();
        Tensor heap_memory = context.scratch(DType::u64, {workers, count});
        Tensor kept_memory = context.scratch(DType::f32, {workers, most, 5});
        Tensor picked_memory = context.scratch(DType::i64, {rows, most});
        Tensor found_memory = context.scratch(DType::i64, {rows});
        auto* picked = static_cast<std::int64_t*>(picked_memory.mutable_raw());
        auto* found = static_cast<std::int64_t*>(found_memory.mutable_raw());
        const auto* all_boxes = static_cast<const float*>(boxes.raw());
        const auto* all_scores = static_cast<const float*>(scores.raw());
        const CancelToken& cancel = context.cancel();
        context.threads().parallel_tasks(rows, [&](std::int64_t row, int worker) {
            cancel.throw_if_cancelled();
            auto* heap = static_cast<std::uint64_t*>(heap_memory.mutable_raw()) + worker * count;
            auto* kept = static_cast<Box*>(kept_memory.mutable_raw()) + worker * most;
            const std::int64_t candidates =
                gather_candidates(all_scores + row * count, count, has_least, least, heap);
            found[row] = pick(all_boxes + row / classes * count * 4, heap, candidates, iou, most,
                              kept, picked + row * most);
        });
        write_picks(context, {found, static_cast<std::size_t>(rows)}, picked, most, classes);
    }

private:
    /// Keys of the scores above `least`, or without one of all that are numbers.
    static std::int64_t gather_candidates(const float* score, std::int64_t count, bool has_least,
                                          float least, std::uint64_t* heap) {
        std::int64_t candidates = 0;
        for (std::int64_t i = 0; i < count; ++i)
            if (has_least ? score[i] > least : score[i] == score[i])
                heap[candidates++] = key_of(score[i], i);
        return candidates;
    }

    /// Takes the best of the candidates that overlap none taken before, at most `most`; returns how
    /// many.
    std::int64_t pick(const float* boxes, std::uint64_t* heap, std::int64_t candidates, float iou,
                      std::int64_t most, Box* kept, std::int64_t* picked) const {
        std::int64_t keeps = 0;
        std::make_heap(heap, heap + candidates);
        while (candidates > 0 && keeps < most) {
            const auto index =
                static_cast<std::int64_t>(0xffffffffu - static_cast<std::uint32_t>(heap[0]));
            std::pop_heap(heap, heap + candidates--);
            const Box candidate = box_at(boxes + index * 4, center_);
            if (std::any_of(kept, kept + keeps,
                            [&](const Box& b) { return overlaps(b, candidate, iou); }))
                continue;
            kept[keeps] = candidate;
            picked[keeps++] = index;
        }
        return keeps;
    }

    /// [total, 3]: batch, class and box of each; row r found `found[r]`, which lie from picked + r
    /// * most on.
    static void write_picks(KernelContext& context, std::span<const std::int64_t> found,
                            const std::int64_t* picked, std::int64_t most, std::int64_t classes) {
        std::int64_t total = 0;
        for (const std::int64_t count : found) total += count;
        auto* out =
            static_cast<std::int64_t*>(context.output(0, DType::i64, {total, 3}).mutable_raw());
        for (std::int64_t row = 0; row < std::ssize(found); ++row)
            for (std::int64_t i = 0; i < found[static_cast<std::size_t>(row)]; ++i, out += 3) {
                out[0] = row / classes;
                out[1] = row % classes;
                out[2] = picked[row * most + i];
            }
    }

    bool center_;
};

}  // namespace

std::unique_ptr<Kernel> make_non_max_suppression(const KernelRequest& request, std::string&) {
    return std::make_unique<NonMaxSuppressionKernel>(
        request.node.int_attribute("center_point_box", 0) == 1);
}

}  // namespace lapidary
