// SPDX-License-Identifier: Apache-2.0
// NonZero and NonMaxSuppression, whose output size depends on values: the host waits for a count.
#include "kernels/reduction/selection.h"

#include <algorithm>

#include "operators/elementwise.h"
#include "operators/makers.h"
#include "operators/movement.h"

namespace lapidary::cuda {
namespace {

using Made = std::unique_ptr<NodeKernel>;

std::int32_t* counts_of(KernelRun& run, std::int64_t count) {
    return static_cast<std::int32_t*>(
        run.scratch((count + 1) * std::int64_t{sizeof(std::int32_t)}));
}

class NonZero final : public NodeKernel {
public:
    bool waits() const override { return true; }
    void run(KernelRun& run) const override {
        const Array x = run.input(0);
        // a scalar counts as one element of a list
        const Dims dims = x.dims.empty() ? Dims{1} : x.dims;
        if (dims.size() > selection_axes)
            throw DeviceError(LP_UNSUPPORTED,
                              "places in an array of " + std::to_string(dims.size()) + " axes");
        NonZeroArgs args;
        args.input = x.data;
        args.type = x.type;
        args.count = count_32(dims);
        args.rank = static_cast<std::int32_t>(dims.size());
        std::ranges::transform(dims, args.dims,
                               [](std::int64_t d) { return static_cast<std::int32_t>(d); });
        if (args.count > 0) {
            args.counts = counts_of(run, chunks_of(args.count));
            launch_count_non_zero(run.queue(), args);
            run.stream().download(&args.found, args.counts + chunks_of(args.count),
                                  sizeof(args.found));
        }
        args.output = static_cast<std::int64_t*>(run.output(0, i64, {args.rank, args.found}));
        if (args.output) launch_write_non_zero(run.queue(), args);
    }
};

class NonMaxSuppression final : public NodeKernel {
public:
    bool is_center = false;
    bool waits() const override { return true; }
    void run(KernelRun& run) const override {
        const Array boxes = run.input(0), scores = run.input(1);
        SuppressionArgs args;
        set_shapes(args, boxes, scores);
        args.most =
            static_cast<std::int32_t>(std::clamp<double>(run.host_number(2), 0, args.count));
        args.overlap = run.has(3) ? static_cast<float>(run.host_number(3)) : 0;
        args.has_least = run.has(4);
        args.least = args.has_least ? static_cast<float>(run.host_number(4)) : 0;
        if (!(args.overlap >= 0 && args.overlap <= 1))
            KernelRun::fail("iou_threshold is not within 0 and 1");
        std::int32_t found = 0;
        if (args.rows > 0 && args.most > 0) {
            args.alive = static_cast<std::uint8_t*>(run.scratch(count_32({args.rows, args.count})));
            args.picked = static_cast<std::int32_t*>(
                run.scratch(std::int64_t{count_32({args.rows, args.most})} * 4));
            args.counts = counts_of(run, args.rows);
            launch_suppress(run.queue(), args);
            run.stream().download(&found, args.counts + args.rows, sizeof(found));
        }
        args.output = static_cast<std::int64_t*>(run.output(0, i64, {found, 3}));
        if (args.output) launch_write_suppressed(run.queue(), args);
    }

private:
    void set_shapes(SuppressionArgs& args, const Array& boxes, const Array& scores) const {
        const Dims &b = boxes.dims, &s = scores.dims;
        if (b.size() != 3 || b[2] != 4 || s.size() != 3 || s[0] != b[0] || s[2] != b[1])
            KernelRun::fail(
                "boxes must be [batches, boxes, 4] and scores [batches, classes, boxes]");
        args.boxes = static_cast<const float*>(boxes.data);
        args.scores = static_cast<const float*>(scores.data);
        count_32(b);
        count_32(s);
        args.rows = static_cast<std::int32_t>(s[0] * s[1]);
        args.classes = static_cast<std::int32_t>(s[1]);
        args.count = static_cast<std::int32_t>(b[1]);
        args.is_center = is_center;
    }
};

}  // namespace

Made make_non_zero(const NodeView& node, Making& making) {
    const std::int32_t type = node.input_type(0);
    require_type(node, 0, is_float(type) || type == f64 || type == boolean || is_integer(type));
    if (node.rank(0) > selection_axes) throw Refusal("input 0 has more than 8 axes");
    making.kernel = "non_zero";
    return std::make_unique<NonZero>();
}

Made make_non_max_suppression(const NodeView& node, Making& making) {
    require_type(node, 0, node.input_type(0) == f32);
    require_type(node, 1, node.input_type(1) == f32);
    if (!node.has_input(2))
        throw Refusal("max_output_boxes_per_class is left out, so that it gives nothing");
    for (std::size_t i = 2; i < 5; ++i)
        if (node.has_input(i)) making.read_on_host(i);
    auto kernel = std::make_unique<NonMaxSuppression>();
    kernel->is_center = node.integer("center_point_box", 0) == 1;
    making.kernel = "non_max_suppression";
    return kernel;
}

}  // namespace lapidary::cuda
