// SPDX-License-Identifier: Apache-2.0
// QuantizeLinear, DequantizeLinear, DynamicQuantizeLinear, products and convolutions of 8-bit
// integers, MatMulNBits.
#include "operators/quantized.h"

#include <algorithm>

#include "operators/elementwise.h"
#include "operators/makers.h"
#include "operators/movement.h"
#include "operators/product.h"
#include "operators/window.h"

namespace lapidary::cuda {
namespace {

template <typename Args>
void* memory_for(KernelRun& run, const Args& args) {
    const std::int64_t bytes = memory_of(args);
    return bytes == 0 ? nullptr : run.scratch(bytes);
}

}  // namespace

void launch_with_memory(KernelRun& run, const IntegerProductArgs& args) {
    void* const memory = memory_for(run, args);
    launch_integer_product(run.queue(), args, memory);
}
void launch_with_memory(KernelRun& run, const IntegerConvolutionArgs& args) {
    void* const memory = memory_for(run, args);
    launch_integer_convolution(run.queue(), args, memory);
}

namespace {

using Made = std::unique_ptr<NodeKernel>;

bool is_byte(std::int32_t type) { return type == u8 || type == i8; }

class Quantization final : public NodeKernel {
public:
    bool quantizes = true;
    std::int64_t axis = 1;
    std::int32_t output_type = u8;

    void run(KernelRun& run) const override {
        const Array x = run.input(0), scale = run.input(1), zero = run.input(2);
        QuantizeArgs args;
        args.parameters = count_32(scale.dims);
        if (args.parameters != 1) {
            const std::size_t along = whole_axis(axis, x.dims.size());
            if (x.dims[along] != args.parameters)
                KernelRun::fail("the scales are not one for each element of the axis");
            for (std::size_t i = along + 1; i < x.dims.size(); ++i)
                args.inner *= static_cast<std::int32_t>(x.dims[i]);
        }
        if (zero.data && zero.count() != args.parameters)
            KernelRun::fail("there are not as many zero points as scales");
        args.x = x.data;
        args.scale = static_cast<const float*>(scale.data);
        args.zero = zero.data;
        args.integer_type = quantizes ? output_type : x.type;
        args.count = count_32(x.dims);
        args.y = run.output(0, output_type, x.dims);
        if (quantizes) launch_quantize(run.queue(), args);
        else launch_dequantize(run.queue(), args);
    }
};

class DynamicQuantization final : public NodeKernel {
public:
    void run(KernelRun& run) const override {
        const Array x = run.input(0);
        void* const y = run.output(0, u8, x.dims);
        auto* scale = static_cast<float*>(run.output(1, f32, {}));
        auto* zero = static_cast<std::uint8_t*>(run.output(2, u8, {}));
        auto* const partial = static_cast<float*>(run.scratch(8 * range_blocks));
        launch_dynamic_range(run.queue(), static_cast<const float*>(x.data), count_32(x.dims),
                             scale, zero, partial);
        QuantizeArgs args;
        args.x = x.data;
        args.y = y;
        args.scale = scale;
        args.zero = zero;
        args.count = count_32(x.dims);
        launch_quantize(run.queue(), args);
    }
};

/// MatMulInteger and QLinearMatMul.
class IntegerProduct final : public NodeKernel {
public:
    bool requantizes = false;
    std::int32_t output_type = i32;

    void run(KernelRun& run) const override {
        const std::size_t b_input = requantizes ? 3 : 1, a_zero = 2, b_zero = requantizes ? 5 : 3;
        const Array a = run.input(0), b = run.input(b_input);
        IntegerProductArgs args;
        const Dims dims = set_product(args.product, a.dims, b.dims, false, false);
        args.product.a = a.data;
        args.product.b = b.data;
        args.a_type = a.type;
        args.b_type = b.type;
        args.a_zero = run.input(a_zero).data;
        args.b_zero = run.input(b_zero).data;
        args.is_b_zero_per_column = args.b_zero && run.input(b_zero).count() != 1;
        args.is_a_zero_per_row = args.a_zero && run.input(a_zero).count() != 1;
        if ((args.is_b_zero_per_column && run.input(b_zero).count() != args.product.n) ||
            (args.is_a_zero_per_row && run.input(a_zero).count() != args.product.m))
            throw DeviceError(LP_UNSUPPORTED,
                              "zero points of a product that are not one for each row or column");
        args.requantize.type = output_type;
        if (requantizes) {
            args.requantize.x_scale = static_cast<const float*>(run.input(1).data);
            args.requantize.w_scale = static_cast<const float*>(run.input(4).data);
            args.requantize.y_scale = static_cast<const float*>(run.input(6).data);
            args.requantize.y_zero = run.input(7).data;
            args.requantize.is_per_filter = run.input(4).count() != 1;
            if (args.requantize.is_per_filter && run.input(4).count() != args.product.n)
                throw DeviceError(LP_UNSUPPORTED,
                                  "scales of a product that are not one for each column");
        }
        args.product.y = run.output(0, output_type, dims);
        if (args.product.y) launch_with_memory(run, args);
    }
};

/// com.microsoft's MatMulIntegerToFloat, and DynamicQuantizeMatMul, which quantizes its input
/// first.
class ScaledProduct final : public NodeKernel {
public:
    bool is_dynamic = false;

    void run(KernelRun& run) const override {
        const std::size_t b_scale = is_dynamic ? 2 : 3, b_zero = is_dynamic ? 3 : 5,
                          bias = is_dynamic ? 4 : 6;
        Array a = run.input(0);
        const Array b = run.input(1);
        IntegerProductArgs args;
        const Dims dims = set_product(args.product, a.dims, b.dims, false, false);
        args.requantize.type = f32;
        args.requantize.x_scale = static_cast<const float*>(run.input(2).data);
        args.a_zero = is_dynamic ? nullptr : run.input(4).data;
        if (is_dynamic) quantize(run, a, args);
        args.product.a = a.data;
        args.product.b = b.data;
        args.a_type = a.type;
        args.b_type = b.type;
        args.b_zero = run.input(b_zero).data;
        args.is_b_zero_per_column = args.b_zero && run.input(b_zero).count() != 1;
        args.requantize.w_scale = static_cast<const float*>(run.input(b_scale).data);
        args.requantize.is_per_filter = run.input(b_scale).count() != 1;
        args.requantize.float_bias = static_cast<const float*>(run.input(bias).data);
        for (std::size_t i : {b_scale, b_zero, bias})
            if (run.has(i) && run.input(i).count() != args.product.n &&
                (i == bias || run.input(i).count() != 1))
                throw DeviceError(LP_UNSUPPORTED,
                                  "input " + std::to_string(i) + " is not one for each column");
        args.product.y = run.output(0, f32, dims);
        if (args.product.y) launch_with_memory(run, args);
    }

private:
    static void quantize(KernelRun& run, Array& a, IntegerProductArgs& args) {
        auto* const partial = static_cast<float*>(run.scratch(8 * range_blocks + 8));
        float* const scale = partial + 2 * range_blocks;
        auto* zero = reinterpret_cast<std::uint8_t*>(scale + 1);
        launch_dynamic_range(run.queue(), static_cast<const float*>(a.data), count_32(a.dims),
                             scale, zero, partial);
        QuantizeArgs q;
        q.x = a.data;
        q.y = run.scratch(std::max<std::int64_t>(a.count(), 1));
        q.scale = scale;
        q.zero = zero;
        q.count = count_32(a.dims);
        launch_quantize(run.queue(), q);
        a.data = q.y;
        a.type = u8;
        args.a_zero = zero;
        args.requantize.x_scale = scale;
    }
};

/// ConvInteger and QLinearConv.
class IntegerConvolution final : public NodeKernel {
public:
    explicit IntegerConvolution(const NodeView& node) : window(node) {}
    WindowAttributes window;
    std::int64_t groups = 1;
    bool requantizes = false;
    std::int32_t output_type = i32;

    void run(KernelRun& run) const override {
        const std::size_t w_input = requantizes ? 3 : 1, w_zero = requantizes ? 5 : 3;
        const Array x = run.input(0), w = run.input(w_input);
        IntegerConvolutionArgs args;
        ConvolutionArgs& c = args.convolution;
        const Dims taps = spatial_of(w.dims);
        if (x.dims.size() != w.dims.size() || groups <= 0 || x.dims[1] != w.dims[1] * groups ||
            w.dims[0] % groups != 0)
            KernelRun::fail("channels of input and weight do not fit");
        c.window = window.window(spatial_of(x.dims), taps);
        c.groups = static_cast<std::int32_t>(groups);
        c.batch = static_cast<std::int32_t>(x.dims[0]);
        c.channels = static_cast<std::int32_t>(w.dims[1]);
        c.filters = static_cast<std::int32_t>(w.dims[0] / groups);
        c.x = x.data;
        c.w = w.data;
        args.x_type = x.type;
        args.w_type = w.type;
        args.x_zero = run.input(2).data;
        args.w_zero = run.input(w_zero).data;
        Requantize& r = args.requantize;
        r.type = output_type;
        const std::int64_t zeros = args.w_zero ? run.input(w_zero).count() : 1;
        r.is_per_filter = zeros != 1;
        if (requantizes) set_scales(run, r, w.dims[0]);
        if (args.w_zero && zeros != (r.is_per_filter ? w.dims[0] : 1))
            throw DeviceError(LP_UNSUPPORTED,
                              "scales and zero points of filters of which one alone is by filter");
        const Dims dims = with_spatial(x.dims[0], w.dims[0], c.window, x.dims.size());
        count_32(x.dims);
        count_32(dims);
        c.y = run.output(0, output_type, dims);
        if (c.y) launch_with_memory(run, args);
    }

private:
    static void set_scales(KernelRun& run, Requantize& r, std::int64_t filters) {
        const std::int64_t scales = run.input(4).count();
        r.x_scale = static_cast<const float*>(run.input(1).data);
        r.w_scale = static_cast<const float*>(run.input(4).data);
        r.y_scale = static_cast<const float*>(run.input(6).data);
        r.y_zero = run.input(7).data;
        r.bias = static_cast<const std::int32_t*>(run.input(8).data);
        r.is_per_filter = scales != 1;
        if (scales != 1 && scales != filters)
            KernelRun::fail("the scales are not one for each filter");
        if (r.bias && run.input(8).count() != filters)
            KernelRun::fail("the bias is not one of the filters");
    }
};

class BlockProduct final : public NodeKernel {
public:
    std::int64_t k = 0, n = 0, bits = 4, block = 0;
    Arithmetic arithmetic = Arithmetic::exact;

    void run(KernelRun& run) const override {
        const Array a = run.input(0), b = run.input(1), scales = run.input(2), zeros = run.input(3),
                    bias = run.input(5);
        if (a.dims.empty() || a.dims.back() != k) KernelRun::fail("input 0 has not K columns");
        Dims dims = a.dims;
        dims.back() = n;
        BlockProductArgs args;
        const std::int64_t per_byte = 8 / bits, blocks = (k + block - 1) / block;
        args.blocks = static_cast<std::int32_t>(blocks);
        args.blob = static_cast<std::int32_t>((block + per_byte - 1) / per_byte);
        args.zero_row = static_cast<std::int32_t>((blocks + per_byte - 1) / per_byte);
        if (b.count() != n * blocks * args.blob || scales.count() != n * blocks ||
            (zeros.data && zeros.count() != n * args.zero_row))
            KernelRun::fail("weights, scales and zero points do not fit K, N and block_size");
        run.require_dims(5, {n});
        args.a = a.data;
        args.b = static_cast<const std::uint8_t*>(b.data);
        args.scales = scales.data;
        args.zeros = static_cast<const std::uint8_t*>(zeros.data);
        args.bias = bias.data;
        args.type = a.type;
        args.m = count_32(a.dims) / static_cast<std::int32_t>(k);
        args.n = static_cast<std::int32_t>(n);
        args.k = static_cast<std::int32_t>(k);
        args.bits = static_cast<std::int32_t>(bits);
        args.block = static_cast<std::int32_t>(block);
        count_32(b.dims);
        count_32(dims);
        args.y = run.output(0, a.type, dims);
        if (!args.y) return;
        if (args.m <= few_block_rows) return launch_block_product(run.queue(), args);
        count_32({n, k});
        void* const weights = run.scratch(n * k * bytes_of(a.type));
        launch_block_weights(run.queue(), args, weights);
        launch_split_product(
            run, linear_product(args.a, weights, args.bias, args.y, args.type, args.m, n, k),
            arithmetic);
    }
};

void require_bytes(const NodeView& node, std::initializer_list<std::size_t> inputs) {
    for (std::size_t i : inputs)
        if (node.has_input(i)) require_type(node, i, is_byte(node.input_type(i)));
}

/// Scales of QLinear operators: one float for the whole tensor.
void require_scalars(const NodeView& node, std::initializer_list<std::size_t> inputs) {
    for (std::size_t i : inputs) {
        const auto dims = node.dims(i);
        if (!dims || count_of(*dims) != 1)
            throw Refusal("input " + std::to_string(i) + " is not known to be one number");
    }
}

}  // namespace

Made make_quantization(const NodeView& node, Making& making) {
    auto kernel = std::make_unique<Quantization>();
    kernel->quantizes = node.op() == "QuantizeLinear";
    kernel->axis = node.integer("axis", 1);
    kernel->output_type = node.output_type(0);
    if (node.integer("block_size", 0) != 0) throw Refusal("its scales are of blocks");
    const std::int32_t integers = kernel->quantizes ? kernel->output_type : node.input_type(0);
    if (!is_byte(integers) && !(integers == i32 && !kernel->quantizes))
        throw Refusal("its integers are of " + type_name(integers));
    require_type(node, 1, node.input_type(1) == f32);
    if (kernel->quantizes) require_type(node, 0, node.input_type(0) == f32);
    else if (kernel->output_type != f32)
        throw Refusal("its result is of " + type_name(kernel->output_type));
    if (node.has_input(2)) require_type(node, 2, node.input_type(2) == integers);
    const auto scales = node.dims(1);
    if (!scales || scales->size() > 1) throw Refusal("its scales are not known to be of one axis");
    if (node.has("precision") && node.integer("precision", 0) > f32)
        throw Refusal("attribute precision is given");
    making.kernel = kernel->quantizes ? "quantize" : "dequantize";
    return kernel;
}

Made make_dynamic_quantization(const NodeView& node, Making& making) {
    require_type(node, 0, node.input_type(0) == f32);
    making.kernel = "quantize_dynamic";
    return std::make_unique<DynamicQuantization>();
}

Made make_integer_product(const NodeView& node, Making& making) {
    auto kernel = std::make_unique<IntegerProduct>();
    kernel->requantizes = node.op() == "QLinearMatMul";
    kernel->output_type = node.output_type(0);
    if (kernel->requantizes) {
        require_bytes(node, {0, 2, 3, 5, 7});
        require_scalars(node, {1, 2, 6, 7});
        for (std::size_t i : {1, 4, 6}) require_type(node, i, node.input_type(i) == f32);
        const auto scales = node.dims(4), zeros = node.dims(5);
        if (!scales || !zeros || scales->size() > 1 || zeros->size() > 1)
            throw Refusal("its scales are of more than one axis");
    } else {
        require_bytes(node, {0, 1, 2, 3});
        for (std::size_t i : {2, 3})
            if (node.has_input(i) && (node.rank(i) < 0 || node.rank(i) > (i == 2 ? 0 : 1)))
                throw Refusal("a zero point is of more axes than the kernel knows");
    }
    making.kernel = "product_i8";
    return kernel;
}

Made make_scaled_product(const NodeView& node, Making& making) {
    auto kernel = std::make_unique<ScaledProduct>();
    kernel->is_dynamic = node.op() == "DynamicQuantizeMatMul";
    if (kernel->is_dynamic) {
        require_type(node, 0, node.input_type(0) == f32);
        require_bytes(node, {1, 3});
    } else {
        require_bytes(node, {0, 1, 4, 5});
        require_scalars(node, {2});
        if (node.has_input(4)) require_scalars(node, {4});
    }
    const std::size_t first = kernel->is_dynamic ? 2 : 3, step = kernel->is_dynamic ? 1 : 0,
                      bias = first + 3 - step;
    for (std::size_t i : {first, first + 2 - step, bias})
        if (node.has_input(i) && (node.rank(i) < (i == bias ? 1 : 0) || node.rank(i) > 1))
            throw Refusal("input " + std::to_string(i) + " is not known to be of one axis");
    const std::size_t scale = kernel->is_dynamic ? 2 : 3;
    require_type(node, scale, node.input_type(scale) == f32);
    if (node.output_type(0) != f32)
        throw Refusal("its result is of " + type_name(node.output_type(0)));
    making.kernel = "product_i8";
    return kernel;
}

Made make_integer_convolution(const NodeView& node, Making& making) {
    require_spatial(node);
    auto kernel = std::make_unique<IntegerConvolution>(node);
    kernel->requantizes = node.op() == "QLinearConv";
    kernel->groups = node.integer("group", 1);
    kernel->output_type = node.output_type(0);
    if (node.integer("channels_last", 0) != 0) throw Refusal("its channels are last");
    if (kernel->requantizes) {
        require_bytes(node, {0, 2, 3, 5, 7});
        require_scalars(node, {1, 2, 6, 7});
        const auto scales = node.dims(4), zeros = node.dims(5);
        if (!scales || !zeros || count_of(*scales) != count_of(*zeros))
            throw Refusal("scales and zero points of filters are not known to be as many");
    } else {
        require_bytes(node, {0, 1, 2, 3});
    }
    making.kernel = "convolution_i8";
    return kernel;
}

Made make_block_product(const NodeView& node, Making& making) {
    auto kernel = std::make_unique<BlockProduct>();
    kernel->k = node.integer("K", 0);
    kernel->n = node.integer("N", 0);
    kernel->bits = node.integer("bits", 4);
    kernel->block = node.integer("block_size", 0);
    for (std::int64_t size : {kernel->k, kernel->n, kernel->block})
        if (size <= 0 || size > INT32_MAX)
            throw Refusal("K, N or block_size is " + std::to_string(size));
    if (kernel->bits != 2 && kernel->bits != 4 && kernel->bits != 8)
        throw Refusal("its weights are of other bits than 2, 4 or 8");
    require_type(node, 0, is_float(node.input_type(0)));
    require_type(node, 2, node.input_type(2) == node.input_type(0));
    if (node.has_input(3)) require_type(node, 3, node.input_type(3) == u8);
    if (node.has_input(4)) throw Refusal("it has group indices");
    if (node.integer("weight_prepacked", 0) != 0)
        throw Refusal("its weights are packed for another kernel");
    kernel->arithmetic = arithmetic_of(node.input_type(0), making.precision);
    making.kernel = "product_blocks";
    return kernel;
}

}  // namespace lapidary::cuda
