// SPDX-License-Identifier: Apache-2.0
// ImageScaler and Crop of old models.
#include "operators/elementwise.h"
#include "operators/makers.h"
#include "operators/movement.h"

namespace lapidary::cuda {
namespace {

using Made = std::unique_ptr<NodeKernel>;

/// scale * x + bias[channel], a launch for each plane.
class ImageScaler final : public NodeKernel {
public:
    float scale = 1;
    std::vector<float> bias;
    void run(KernelRun& run) const override {
        const Array x = run.input(0);
        if (x.dims.size() != 4 ||
            (!bias.empty() && static_cast<std::int64_t>(bias.size()) != x.dims[1]))
            KernelRun::fail("the input is not of rank 4 with a channel for each bias");
        void* const y = run.output(0, x.type, x.dims);
        if (!y) return;
        const std::int64_t plane = x.dims[2] * x.dims[3], bytes = plane * bytes_of(x.type);
        ElementwiseArgs args;
        args.inputs = args.steps = 1;
        set_axes(args, {plane}, {{plane}});
        args.input[0].type = args.output_type = x.type;
        for (std::int64_t i = 0; i < x.dims[0] * x.dims[1]; ++i) {
            const float shift = bias.empty() ? 0 : bias[static_cast<std::size_t>(i % x.dims[1])];
            args.step[0] = {Op::affine, 0, constant_operand, constant_operand, scale, shift};
            args.input[0].data = static_cast<const char*>(x.data) + i * bytes;
            args.output = static_cast<char*>(y) + i * bytes;
            launch_elementwise(run.queue(), args);
        }
    }
};

class Crop final : public NodeKernel {
public:
    Dims border, size;
    void run(KernelRun& run) const override {
        const Array x = run.input(0);
        if (x.dims.size() != 4) KernelRun::fail("the input is not of rank 4");
        const std::int64_t left = border[0], top = border[1];
        const std::int64_t rows = size.empty() ? x.dims[2] - top - border[3] : size[0];
        const std::int64_t columns = size.empty() ? x.dims[3] - left - border[2] : size[1];
        if (rows < 0 || columns < 0 || rows > x.dims[2] - top || columns > x.dims[3] - left)
            KernelRun::fail("the crop is larger than the input");
        const Dims dims{x.dims[0], x.dims[1], rows, columns};
        void* const y = run.output(0, x.type, dims);
        const std::int64_t begin = (top * x.dims[3] + left) * bytes_of(x.type);
        if (y)
            copy_box(run, static_cast<const char*>(x.data) + begin, strides_of(x.dims), y,
                     strides_of(dims), dims, bytes_of(x.type));
    }
};

}  // namespace

Made make_image_scaler(const NodeView& node, Making& making) {
    require_type(node, 0, is_float(node.input_type(0)));
    auto kernel = std::make_unique<ImageScaler>();
    kernel->scale = node.real("scale", 1);
    kernel->bias = node.reals("bias");
    making.kernel = "elementwise";
    return kernel;
}

Made make_crop(const NodeView& node, Making& making) {
    require_plain(node, 0);
    auto kernel = std::make_unique<Crop>();
    kernel->border = node.integers("border");
    kernel->size = node.integers("scale");
    if (kernel->border.size() != 4 || (!kernel->size.empty() && kernel->size.size() != 2))
        throw Refusal("its border has not four entries");
    for (std::int64_t b : kernel->border)
        if (b < 0 || b > INT32_MAX) throw Refusal("an entry of its border is " + std::to_string(b));
    making.kernel = "copy";
    return kernel;
}

}  // namespace lapidary::cuda
