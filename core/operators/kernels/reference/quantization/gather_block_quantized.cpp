// SPDX-License-Identifier: Apache-2.0
// com.microsoft GatherBlockQuantized: rows of a table that is quantized in blocks. Only what is
// gathered is read back to float.
#include "kernels/input_index.h"
#include "kernels/reference/control_flow/nested_kernel.h"
#include "kernels/reference/quantization/quantization.h"
#include "ops/geometry/broadcast.h"

namespace lapidary::reference {

void gather(KernelContext&);

namespace {

/// u8 elements of `bits` bits each, low bits first, along the last axis; cut to `last` of them.
Tensor unpacked(KernelContext& context, const Tensor& packed, std::int64_t bits,
                std::int64_t last) {
    const std::int64_t per_byte = 8 / bits, bytes = packed.shape().back();
    if (last > bytes * per_byte)
        context.fail(to_string(packed.shape()) + " hold less than " + std::to_string(last) +
                     " elements of " + std::to_string(bits) + " bits");
    Shape shape = packed.shape();
    shape.back() = last;
    Tensor out = context.scratch(DType::u8, shape);
    const auto* from = packed.data<std::uint8_t>().data();
    auto* to = out.mutable_data<std::uint8_t>().data();
    const std::int64_t rows = last == 0 ? 0 : out.size() / last;
    for (std::int64_t row = 0; row < rows; ++row)
        for (std::int64_t i = 0; i < last; ++i, ++to)
            *to = static_cast<std::uint8_t>(
                (from[row * bytes + i / per_byte] >> (i % per_byte * bits)) & ((1 << bits) - 1));
    return out;
}

}  // namespace

void gather_block_quantized(KernelContext& context) {
    const Node& node = context.node();
    const Tensor &data = context.input(0), &indices = context.input(1), &scales = context.input(2);
    const Tensor* zero_points = context.optional_input(gather_block_quantized_input::zero_points);
    const std::int64_t bits = node.int_attribute("bits", 4),
                       block = node.int_attribute("block_size", 128);
    if (block < 1)
        fail_model("attribute block_size: expected at least 1, found " + std::to_string(block));
    const bool is_u8 = data.dtype() == DType::u8;
    if (is_u8 && bits != 2 && bits != 4 && bits != 8)
        fail_unsupported(
            "attribute bits: GatherBlockQuantized is supported with 2, 4 and 8 bits, found " +
            std::to_string(bits));
    const int axis =
        normalize_axis(node.int_attribute("gather_axis", 0), data.rank(), "gather_axis");
    int quantized =
        normalize_axis(node.int_attribute("quantize_axis", 1), data.rank(), "quantize_axis");
    if (axis == quantized)
        fail_model("attributes gather_axis and quantize_axis must differ, both are " +
                   std::to_string(axis));
    const bool packed = is_u8 && bits != 8;
    if (packed && (quantized != data.rank() - 1 || axis == data.rank() - 1))
        fail_unsupported("packed u8 data is supported with quantize_axis as the last axis");
    if (scales.rank() != data.rank())
        context.fail("input 2: expected scales of rank " + std::to_string(data.rank()) +
                     ", found " + to_string(scales.shape()));
    const auto gathered = [&](const Tensor& t) {
        return run_nested_one(context, gather, NestedNode{"Gather"}.set("axis", std::int64_t{axis}),
                              {t, indices});
    };
    if (quantized > axis) quantized += indices.rank() - 1;
    Tensor x = gathered(data);
    const Tensor scale = gathered(scales);
    if (packed) x = unpacked(context, x, bits, x.shape().back() * (8 / bits));
    Tensor zero;
    if (zero_points) {
        zero = gathered(*zero_points);
        if (packed) zero = unpacked(context, zero, bits, scale.shape().back());
    } else if (is_u8) {
        zero = context.scratch(DType::u8, scale.shape());
        for (auto& z : zero.mutable_data<std::uint8_t>())
            z = static_cast<std::uint8_t>(1 << (bits - 1));
    }
    const Granularity granularity(x.shape(), scale.shape(), quantized, block);
    dequantize(context, x, scale, zero ? &zero : nullptr, granularity,
               context.output(0, scales.dtype(), x.shape()));
}

}  // namespace lapidary::reference
