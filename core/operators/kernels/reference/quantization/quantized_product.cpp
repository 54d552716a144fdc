// SPDX-License-Identifier: Apache-2.0
// com.microsoft: DynamicQuantizeMatMul, MatMulIntegerToFloat, QGemm, QAttention, MatMulNBits,
// MatMulInteger16.
#include "kernels/input_index.h"
#include "kernels/reference/attention/fused_attention.h"
#include "kernels/reference/control_flow/nested_kernel.h"
#include "kernels/reference/elementwise/elementwise_binary.h"
#include "kernels/reference/quantization/integer_product.h"
#include "kernels/reference/quantization/quantization.h"

namespace lapidary::reference {

void matmul(KernelContext&);
void transpose(KernelContext&);

namespace {

/// sums * (a_scale * b_scale) (+ bias), in f32; the scales broadcast like zero points do.
Tensor scaled_sums(KernelContext& context, const Tensor& sums, const Tensor& a_scale,
                   const Tensor& b_scale, const Tensor* bias) {
    const Shape a_shape = a_scale.size() == 1 ? Shape() : row_parameter_shape(a_scale),
                b_shape = b_scale.size() == 1 ? Shape() : b_scale.shape();
    Tensor out = context.scratch(DType::f32, sums.shape());
    convert_into(context, sums, out);
    const auto times = [](float x, float s) { return x * s; };
    const auto apply = [&](const Tensor& scale, const Shape& shape, const auto& f) {
        if (broadcast_shapes(out.shape(), shape) != out.shape())
            context.fail("a scale or bias " + to_string(scale.shape()) + " does not broadcast to " +
                         to_string(out.shape()));
        combine<float, float>(context, out, shape, converted(context, scale, DType::f32), out, f);
    };
    if (a_shape.empty() && b_shape.empty()) {
        const float scale = static_cast<float>(scalar_of(a_scale, "a_scale")) *
                            static_cast<float>(scalar_of(b_scale, "b_scale"));
        apply(Tensor::scalar(scale), {}, times);
    } else {
        apply(a_scale, a_shape, times);
        apply(b_scale, b_shape, times);
    }
    if (bias) apply(*bias, bias->shape(), [](float x, float b) { return x + b; });
    return out;
}

}  // namespace

void dynamic_quantize_matmul(KernelContext& context) {
    const Tensor a = converted(context, context.input(0), DType::f32);
    const DynamicRange range = dynamic_range(a.data<float>().data(), a.size());
    const Tensor scale = Tensor::scalar(range.scale), zero = Tensor::scalar(range.zero_point);
    Tensor quantized = context.scratch(DType::u8, a.shape());
    quantize(context, a, scale, &zero, Granularity(a.shape(), {}, 0, 0), DType::f32, true,
             quantized);
    const Tensor sums = integer_matmul(context, quantized, &zero, context.input(1),
                                       context.optional_input(dynamic_matmul_input::b_zero_point));
    set_result(context, 0,
               scaled_sums(context, sums, scale, context.input(2),
                           context.optional_input(dynamic_matmul_input::bias)));
}

void matmul_integer_to_float(KernelContext& context) {
    namespace in = scaled_matmul_input;
    const Tensor sums =
        integer_matmul(context, context.input(0), context.optional_input(in::a_zero_point),
                       context.input(1), context.optional_input(in::b_zero_point));
    set_result(context, 0,
               scaled_sums(context, sums, context.input(2), context.input(in::b_scale),
                           context.optional_input(in::bias)),
               context.input(2).dtype());
}

void matmul_integer_16(KernelContext& context) {
    const Tensor sums =
        integer_matmul(context, context.input(0), nullptr, context.input(1), nullptr);
    Tensor& y = context.output(
        0,
        context.input(0).dtype() == DType::u16 && context.input(1).dtype() == DType::u16
            ? DType::u32
            : DType::i32,
        sums.shape());
    Tensor whole = context.scratch(DType::i64, sums.shape());
    convert_into(context, sums, whole);
    convert_into(context, whole, y);  // keeps the low 32 bits
}

void qgemm(KernelContext& context) {
    namespace in = qgemm_input;
    const Node& node = context.node();
    const auto operand = [&](std::size_t index, const char* attribute) {
        const Tensor& x = context.input(index);
        if (x.rank() != 2)
            context.fail("input " + std::to_string(index) + ": expected a matrix, found " +
                         to_string(x.shape()));
        if (node.int_attribute(attribute, 0) == 0) return x;
        return run_nested_one(context, transpose,
                              NestedNode{"Transpose"}.set("perm", std::vector<std::int64_t>{1, 0}),
                              {x});
    };
    Tensor sums = integer_matmul(context, operand(0, "transA"), context.optional_input(2),
                                 operand(3, "transB"), context.optional_input(in::b_zero_point));
    if (const Tensor* c = context.optional_input(in::c)) {
        if (broadcast_shapes(sums.shape(), c->shape()) != sums.shape())
            context.fail("input 6: C " + to_string(c->shape()) + " does not broadcast to " +
                         to_string(sums.shape()));
        combine<double, double>(context, sums, c->shape(), converted(context, *c, DType::f64), sums,
                                wrapped_sum);
    }
    const float alpha = node.float_attribute("alpha", 1.0f);
    const Tensor a_scale =
        Tensor::scalar(alpha * static_cast<float>(scalar_of(context.input(1), "a_scale")));
    const Tensor y = scaled_sums(context, sums, a_scale, context.input(in::b_scale), nullptr);
    if (const Tensor* y_scale = context.optional_input(in::y_scale)) {
        const Tensor* zero = context.optional_input(in::y_zero_point);
        set_quantized(context, 0, y, *y_scale, zero,
                      zero ? zero->dtype() : context.input(0).dtype());
    } else {
        set_result(context, 0, y);
    }
}

void qattention(KernelContext& context) {
    namespace in = quantized_attention_input;
    const Tensor& x = context.input(0);
    if (x.rank() != 3) context.fail("input 0: expected [B,S,I], found " + to_string(x.shape()));
    const Tensor sums =
        integer_matmul(context, x, context.optional_input(in::input_zero_point), context.input(1),
                       context.optional_input(in::weight_zero_point));
    const Tensor projected = scaled_sums(context, sums, context.input(in::input_scale),
                                         context.input(in::weight_scale), nullptr);
    attend_projected(context, projected, &context.input(2), context.optional_input(in::mask_index),
                     context.optional_input(in::past), nullptr, in::past + 1,
                     context.input(in::input_scale).dtype());
}

namespace {

/// The block of each of k rows.
void check_groups(const KernelContext& context, const std::vector<std::int64_t>& groups,
                  const Shape& shape, std::int64_t k, std::int64_t blocks) {
    if (static_cast<std::int64_t>(groups.size()) < k)
        context.fail("input 4: expected " + std::to_string(k) + " group indices, found " +
                     to_string(shape));
    for (const std::int64_t g : groups)
        if (g < 0 || g >= blocks)
            context.fail("input 4: group " + std::to_string(g) + " is outside of the " +
                         std::to_string(blocks) + " blocks");
}

/// A weight [K, N] whose columns are packed one after the other.
struct BlockWeight {
    // the last two: bytes of a block, of zero points
    std::int64_t k, n, bits, block, per_byte, blocks, blob, zero_row;
    const std::uint8_t* data;
    const std::uint8_t* packed_zeros;  // or
    const float* zeros;                // one per block; or neither: the middle of the range
    const float* scales;
    const std::vector<std::int64_t>& groups;  // the block of each row; empty: they are in order

    std::uint8_t unpacked(const std::uint8_t* from, std::int64_t i) const {
        return static_cast<std::uint8_t>((from[i / per_byte] >> (i % per_byte * bits)) &
                                         ((1 << bits) - 1));
    }
    void write_column(std::int64_t column, float* w) const {
        for (std::int64_t row = 0; row < k; ++row) {
            const std::int64_t group =
                groups.empty() ? row / block : groups[static_cast<std::size_t>(row)];
            float zero = static_cast<float>(1 << (bits - 1));
            if (packed_zeros) zero = unpacked(packed_zeros + column * zero_row, group);
            else if (zeros) zero = zeros[column * blocks + group];
            const float value =
                unpacked(data + (column * blocks + row / block) * blob, row % block);
            w[row * n + column] = (value - zero) * scales[column * blocks + group];
        }
    }
};

void check_sizes(std::int64_t k, std::int64_t n, std::int64_t block) {
    // keeps products of them from overflowing
    constexpr std::int64_t largest = std::int64_t{1} << 31;
    if (k < 1 || n < 1 || block < 1 || k > largest || n > largest || block > largest)
        fail_model("attributes K, N and block_size must be 1 to 2^31, found " + std::to_string(k) +
                   ", " + std::to_string(n) + ", " + std::to_string(block));
}

}  // namespace

/// Weights of 2, 4 or 8 bits in blocks along K, each with a scale and an optional zero point.
void matmul_nbits(KernelContext& context) {
    const Node& node = context.node();
    const Tensor &a = context.input(0), &b = context.input(1), &scales = context.input(2);
    const Tensor *zero_points = context.optional_input(block_weight_input::zero_points),
                 *group_index = context.optional_input(block_weight_input::g_idx),
                 *bias = context.optional_input(block_weight_input::bias);
    const std::int64_t k = node.int_attribute("K", 0), n = node.int_attribute("N", 0),
                       bits = node.int_attribute("bits", 4),
                       block = node.int_attribute("block_size", 0);
    if (bits != 2 && bits != 4 && bits != 8)
        fail_unsupported("attribute bits: MatMulNBits is supported with 2, 4 and 8 bits, found " +
                         std::to_string(bits));
    check_sizes(k, n, block);
    const std::int64_t per_byte = 8 / bits, blocks = k / block + (k % block != 0),
                       blob = (block + per_byte - 1) / per_byte;
    if (b.dtype() != DType::u8 || b.size() / n != blocks * blob || b.size() % n != 0)
        context.fail("input 1: expected u8[" + std::to_string(n) + "," + std::to_string(blocks) +
                     "," + std::to_string(blob) + "], found " + std::string(name_of(b.dtype())) +
                     to_string(b.shape()));
    if (scales.size() / n != blocks || scales.size() % n != 0)
        context.fail("input 2: expected " + std::to_string(n) + " x " + std::to_string(blocks) +
                     " scales, found " + to_string(scales.shape()));
    const std::int64_t zero_row = (blocks + per_byte - 1) / per_byte;
    const bool packed_zeros = zero_points && zero_points->dtype() == DType::u8;
    if (zero_points && (zero_points->size() % n != 0 ||
                        zero_points->size() / n != (packed_zeros ? zero_row : blocks)))
        context.fail("input 3: " + to_string(zero_points->shape()) +
                     " are not the zero points of " + std::to_string(n) + " x " +
                     std::to_string(blocks) + " blocks");
    const std::vector<std::int64_t> groups =
        group_index ? to_int64s(*group_index) : std::vector<std::int64_t>();
    if (group_index) check_groups(context, groups, group_index->shape(), k, blocks);
    const Tensor wide_scales = converted(context, scales, DType::f32);
    const Tensor wide_zeros =
        zero_points && !packed_zeros ? converted(context, *zero_points, DType::f32) : Tensor();
    const BlockWeight weight{
        k,
        n,
        bits,
        block,
        per_byte,
        blocks,
        blob,
        zero_row,
        b.data<std::uint8_t>().data(),
        packed_zeros ? zero_points->data<std::uint8_t>().data() : nullptr,
        zero_points && !packed_zeros ? wide_zeros.data<float>().data() : nullptr,
        wide_scales.data<float>().data(),
        groups};
    Tensor weights = context.scratch(DType::f32, {k, n});
    float* w = weights.mutable_data<float>().data();
    for_ranges(
        context, n,
        [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t column = begin; column < end; ++column)
                weight.write_column(column, w);
        },
        std::max<std::int64_t>(1, 16384 / k));
    Tensor y =
        run_nested_one(context, matmul, {"MatMul"}, {converted(context, a, DType::f32), weights});
    if (bias) {
        if (bias->shape() != Shape{n})
            context.fail("input 5: expected a bias [" + std::to_string(n) + "], found " +
                         to_string(bias->shape()));
        combine<float, float>(context, y, bias->shape(), converted(context, *bias, DType::f32), y,
                              [](float v, float c) { return v + c; });
    }
    set_result(context, 0, y, a.dtype());
}

}  // namespace lapidary::reference
