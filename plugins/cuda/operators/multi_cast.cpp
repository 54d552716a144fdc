// SPDX-License-Identifier: Apache-2.0
#include "kernels/elementwise/multi_cast.h"

#include "operators/elementwise.h"
#include "operators/makers.h"

namespace lapidary::cuda {

using Made = std::unique_ptr<NodeKernel>;

namespace {

class MultiCast final : public NodeKernel {
public:
    MultiCast(std::size_t tensors, std::int32_t from, std::int32_t to)
        : tensors_(tensors), from_(from), to_(to) {}

    void run(KernelRun& run) const override {
        MultiCastArgs args;
        args.to_half = from_ == f32;
        args.half_type = args.to_half ? to_ : from_;
        for (std::size_t i = 0; i < tensors_; ++i) {
            const Array x = run.input(i);
            void* const y = run.output(i, to_, x.dims);
            if (!y) continue;
            args.tensor[args.tensors++] = {x.data, y, count_32(x.dims)};
            if (args.tensors < most_casts) continue;
            launch_multi_cast(run.queue(), args);
            args.tensors = 0;
        }
        if (args.tensors > 0) launch_multi_cast(run.queue(), args);
    }

private:
    std::size_t tensors_;
    std::int32_t from_, to_;
};

}  // namespace

Made make_multi_cast(const NodeView& node, Making& making) {
    const std::int32_t from = node.input_type(0), to = node.output_type(0);
    for (std::size_t i = 0; i < node.input_count(); ++i)
        require_type(node, i, node.input_type(i) == from && node.output_type(i) == to);
    if (from != f32 && to != f32)
        throw Refusal("a cast from " + type_name(from) + " to " + type_name(to));
    for (std::int32_t type : {from, to})
        if (type != f32 && type != f16 && type != bf16)
            throw Refusal("a cast of " + type_name(type));
    making.kernel = "multi_cast";
    return std::make_unique<MultiCast>(node.input_count(), from, to);
}

}  // namespace lapidary::cuda
