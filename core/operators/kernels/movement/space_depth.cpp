// SPDX-License-Identifier: Apache-2.0
// DepthToSpace and SpaceToDepth as one strided copy.
#include "kernels/elementwise/reference_kernels.h"
#include "kernels/movement/small_ints.h"
#include "kernels/movement/strided_copy.h"

namespace lapidary {
namespace {

// of the channels: [b, b, depth] or [depth, b, b]
enum class Order { depth_column_row, column_row_depth };

class SpaceDepthKernel final : public Kernel {
public:
    SpaceDepthKernel(bool spreads, Order order, std::int64_t block)
        : spreads_(spreads), order_(order), block_(block) {}

    void run(KernelContext& context) const override {
        const Tensor& data = context.input(0);
        const bool spreads = spreads_, depth_last = order_ == Order::depth_column_row;
        const std::int64_t b = block_;
        const auto leave = [&](FallbackReason why) {
            context.run_on_reference(
                spreads ? reference::depth_to_space : reference::space_to_depth, why);
        };
        if (data.rank() != 4) return leave(fallback::rank);
        if (!is_plainly_copied(data.dtype())) return leave(fallback::element_type);
        const std::int64_t n = data.dim(0), c = data.dim(1), h = data.dim(2), w = data.dim(3);
        if (spreads ? c % (b * b) != 0 : h % b != 0 || w % b != 0)
            return leave("the blocks do not divide channels or image");
        StridedView view;
        Shape shape;
        if (!spreads) {
            shape = {n, c * b * b, h / b, w / b};
            view.add(n, c * h * w);
            if (!depth_last) view.add(c, h * w);
            view.add(b, w);
            view.add(b, 1);
            if (depth_last) view.add(c, h * w);
            view.add(h / b, b * w);
            view.add(w / b, b);
        } else {
            const std::int64_t depth = c / (b * b), plane = h * w;
            shape = {n, depth, h * b, w * b};
            view.add(n, c * plane);
            view.add(depth, depth_last ? plane : b * b * plane);
            view.add(h, w);
            view.add(b, depth_last ? b * depth * plane : b * plane);
            view.add(w, 1);
            view.add(b, depth_last ? depth * plane : plane);
        }
        Tensor& y = context.output(0, data.dtype(), std::move(shape));
        if (y.size() > 0)
            copy_strided(data.raw(), y.mutable_raw(), view, bit_width(data.dtype()) / 8, context);
    }

private:
    bool spreads_;
    Order order_;
    std::int64_t block_;
};

}  // namespace

std::unique_ptr<Kernel> make_space_depth(const KernelRequest& request, std::string& reason) {
    const Node& node = request.node;
    const std::int64_t block = node.int_attribute("blocksize", 0);
    const std::string mode = node.string_attribute("mode", "DCR");
    const bool spreads = node.op_type == "DepthToSpace";
    if (block < 1 || block > 1024 || (mode != "DCR" && mode != "CRD")) {
        reason = "blocksize or mode is out of the ordinary";
        return nullptr;
    }
    return std::make_unique<SpaceDepthKernel>(
        spreads, mode == "DCR" ? Order::depth_column_row : Order::column_row_depth, block);
}

}  // namespace lapidary
