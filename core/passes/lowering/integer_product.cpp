// SPDX-License-Identifier: Apache-2.0
// MatMulIntegerToFloat, DynamicQuantizeMatMul, QGemm: MatMulInteger and what scales it. MatMulNBits: its weight
// unpacked.
#include "passes/lowering/lowering.h"
#include "passes/lowering/plain_nodes.h"

namespace lapidary::lowering {
namespace {

/// (a - a_zero) x (b - b_zero) as i32.
ValueId integer_product(PlainNodes& plain, ValueId a, ValueId b, ValueId a_zero, ValueId b_zero) {
    std::vector<ValueId> inputs{a, b};
    if (a_zero || b_zero) inputs.push_back(a_zero);
    if (b_zero) inputs.push_back(b_zero);
    return plain.op("MatMulInteger", std::move(inputs));
}

bool is_one_element(const PassContext& context, ValueId v) {
    const int rank = context.scope().rank(v);
    return rank == 0 || (rank == 1 && context.scope().dim(v, 0) == 1);
}

}  // namespace

Outcome matmul_integer_to_float(const Node& node, PassContext& context) {
    if (context.opset() < 10)
        return declined("MatMulInteger needs opset 10, the model has " + std::to_string(context.opset()));
    if (!is_one_element(context, node.inputs.at(2)))
        return declined("the scale of its first operand is not known to be a single one");
    PlainNodes plain(node, context);
    const DType type = plain.dtype(node.inputs[2]);
    const ValueId sums = plain.cast(
        integer_product(plain, node.inputs.at(0), node.inputs.at(1), input_of(node, 4), input_of(node, 5)), DType::f32);
    ValueId y =
        plain.mul(sums, plain.mul(plain.cast(node.inputs[2], DType::f32), plain.cast(node.inputs.at(3), DType::f32)));
    if (const ValueId bias = input_of(node, 6)) y = plain.add(y, plain.cast(bias, DType::f32));
    return plain.finish({plain.cast(y, type)}, "wrote out MatMulIntegerToFloat");
}

Outcome dynamic_quantize_matmul(const Node& node, PassContext& context) {
    if (context.opset() < 11)
        return declined("DynamicQuantizeLinear needs opset 11, the model has " + std::to_string(context.opset()));
    PlainNodes plain(node, context);
    Type quantized = context.scope().type(node.inputs.at(0));
    quantized.dtype = DType::u8;
    const auto a =
        plain.op_many("DynamicQuantizeLinear", {node.inputs[0]}, {},
                      {quantized, Type::tensor(DType::f32, SymbolicShape{}), Type::tensor(DType::u8, SymbolicShape{})});
    const ValueId sums =
        plain.cast(integer_product(plain, a[0], node.inputs.at(1), a[2], input_of(node, 3)), DType::f32);
    ValueId y = plain.mul(sums, plain.mul(a[1], node.inputs.at(2)));
    if (const ValueId bias = input_of(node, 4)) y = plain.add(y, bias);
    return plain.finish({y}, "wrote out DynamicQuantizeMatMul");
}

Outcome qgemm(const Node& node, PassContext& context) {
    if (context.opset() < 10)
        return declined("MatMulInteger needs opset 10, the model has " + std::to_string(context.opset()));
    PlainNodes plain(node, context);
    const auto operand = [&](std::size_t index, const char* flag) {
        return node.int_attribute(flag, 0) != 0 ? plain.transpose(node.inputs.at(index), {1, 0})
                                                : node.inputs.at(index);
    };
    ValueId sums =
        integer_product(plain, operand(0, "transA"), operand(3, "transB"), input_of(node, 2), input_of(node, 5));
    if (const ValueId c = input_of(node, 6)) sums = plain.add(sums, c);
    ValueId y = plain.mul(plain.cast(sums, DType::f32), plain.mul(node.inputs.at(1), node.inputs.at(4)));
    if (const float alpha = node.float_attribute("alpha", 1.0f); alpha != 1.0f)
        y = plain.mul(y, static_cast<double>(alpha));
    if (const ValueId scale = input_of(node, 7))
        y = plain.quantize(y, scale, input_of(node, 8), plain.dtype(node.inputs[0]));
    return plain.finish({y}, "wrote out QGemm");
}

/// y = A x W (+ bias) with the weight W [K, N] as floats: as large as it was before it was quantized.
Outcome matmul_nbits(const Node& node, PassContext& context) {
    const Scope& scope = context.scope();
    const Tensor *b = scope.constant(node.inputs.at(1)), *scales = scope.constant(node.inputs.at(2));
    const ValueId zero_input = input_of(node, 3), group_input = input_of(node, 4);
    const Tensor *zeros = zero_input ? scope.constant(zero_input) : nullptr,
                 *groups = group_input ? scope.constant(group_input) : nullptr;
    if (!b || !scales || (zero_input && !zeros) || (group_input && !groups))
        return declined("its weight is not constant");
    const std::int64_t k = node.int_attribute("K", 0), n = node.int_attribute("N", 0),
                       bits = node.int_attribute("bits", 4), block = node.int_attribute("block_size", 0);
    if ((bits != 2 && bits != 4 && bits != 8) || k < 1 || n < 1 || block < 1)
        return declined("its bits, sizes or block size are out of range");
    const std::int64_t per_byte = 8 / bits, blocks = (k + block - 1) / block, blob = (block + per_byte - 1) / per_byte,
                       zero_row = (blocks + per_byte - 1) / per_byte;
    const bool packed_zeros = zeros && zeros->dtype() == DType::u8;
    if (b->dtype() != DType::u8 || b->size() != n * blocks * blob || scales->size() != n * blocks ||
        (zeros && zeros->size() != n * (packed_zeros ? zero_row : blocks)) || (groups && groups->size() < k))
        return declined("its weight does not have the size that its attributes ask for");
    if (static_cast<std::uint64_t>(k) * static_cast<std::uint64_t>(n) * sizeof(float) >
        context.options().limits.tensor_bytes)
        return declined("its weight would be too large unpacked");
    const auto unpacked = [&](const std::uint8_t* from, std::int64_t i) {
        return (from[i / per_byte] >> (i % per_byte * bits)) & ((1 << bits) - 1);
    };
    const std::vector<double> scale = to_doubles(*scales);
    const std::vector<double> zero = zeros && !packed_zeros ? to_doubles(*zeros) : std::vector<double>();
    const std::vector<std::int64_t> group_of = groups ? to_int64s(*groups) : std::vector<std::int64_t>();
    for (std::int64_t g : group_of)
        if (g < 0 || g >= blocks) return declined("its group indices are out of range");
    Tensor weight(DType::f32, {k, n});
    float* w = weight.mutable_data<float>().data();
    const std::uint8_t* bytes = b->data<std::uint8_t>().data();
    for (std::int64_t column = 0; column < n; ++column)
        for (std::int64_t row = 0; row < k; ++row) {
            const std::int64_t group = group_of.empty() ? row / block : group_of[static_cast<std::size_t>(row)];
            const auto at = static_cast<std::size_t>(column * blocks + group);
            double z = static_cast<double>(std::int64_t{1} << (bits - 1));
            if (packed_zeros) z = unpacked(zeros->data<std::uint8_t>().data() + column * zero_row, group);
            else if (zeros) z = zero[at];
            w[row * n + column] = static_cast<float>(
                (unpacked(bytes + (column * blocks + row / block) * blob, row % block) - z) * scale[at]);
        }
    PlainNodes plain(node, context);
    const DType type = plain.dtype(node.inputs.at(0));
    const std::string name = scope.value(node.inputs[1]).name;
    ValueId y =
        plain.matmul(plain.cast(node.inputs[0], DType::f32), context.constant(name + "_unpacked", std::move(weight)));
    if (const ValueId bias = input_of(node, 5)) y = plain.add(y, plain.cast(bias, DType::f32));
    return plain.finish({plain.cast(y, type)}, "unpacked the weight of MatMulNBits");
}

}  // namespace lapidary::lowering
