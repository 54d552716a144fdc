// SPDX-License-Identifier: Apache-2.0
// MatMulIntegerToFloat, DynamicQuantizeMatMul, QGemm: MatMulInteger and what scales it.
// MatMulNBits: its weight unpacked.
#include "base/at.h"
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

/// The constant weight [K, N] of a MatMulNBits: its constants, and how they are packed. Every
/// column has `blocks` of `block` rows, each of `blob` bytes and one scale.
struct PackedWeight {
    // the last two may be absent
    const Tensor *data = nullptr, *scales = nullptr, *zeros = nullptr, *groups = nullptr;
    std::int64_t k = 0, n = 0, bits = 0, block = 0;
    // zero_row: bytes of packed zero points a column
    std::int64_t per_byte = 0, blocks = 0, blob = 0, zero_row = 0;

    bool has_packed_zeros() const { return zeros && zeros->dtype() == DType::u8; }
    std::int64_t unpacked(const std::uint8_t* from, std::int64_t i) const {
        return (from[i / per_byte] >> (i % per_byte * bits)) & ((1 << bits) - 1);
    }
    std::string find_constants(const Scope& scope, const Node& node);
    std::string read_sizes(const Node& node);
    Tensor to_floats() const;
};

/// Why the weight cannot be read, or empty.
std::string PackedWeight::find_constants(const Scope& scope, const Node& node) {
    const ValueId zero_input = input_of(node, 3), group_input = input_of(node, 4);
    data = scope.constant(node.inputs.at(1));
    scales = scope.constant(node.inputs.at(2));
    if (zero_input) zeros = scope.constant(zero_input);
    if (group_input) groups = scope.constant(group_input);
    const bool all = data && scales && (!zero_input || zeros) && (!group_input || groups);
    return all ? "" : "its weight is not constant";
}

/// Why the attributes do not fit the constants, or empty.
std::string PackedWeight::read_sizes(const Node& node) {
    k = node.int_attribute("K", 0);
    n = node.int_attribute("N", 0);
    bits = node.int_attribute("bits", 4);
    block = node.int_attribute("block_size", 0);
    if ((bits != 2 && bits != 4 && bits != 8) || k < 1 || n < 1 || block < 1)
        return "its bits, sizes or block size are out of range";
    per_byte = 8 / bits;
    blocks = (k + block - 1) / block;
    blob = (block + per_byte - 1) / per_byte;
    zero_row = (blocks + per_byte - 1) / per_byte;
    if (data->dtype() != DType::u8 || data->size() != n * blocks * blob ||
        scales->size() != n * blocks ||
        (zeros && zeros->size() != n * (has_packed_zeros() ? zero_row : blocks)) ||
        (groups && groups->size() < k))
        return "its weight does not have the size that its attributes ask for";
    return {};
}

/// [K, N] in f32; absent when a group index is out of range.
Tensor PackedWeight::to_floats() const {
    const std::vector<double> scale = to_doubles(*scales);
    const bool packed_zeros = has_packed_zeros();
    const std::vector<double> zero =
        zeros && !packed_zeros ? to_doubles(*zeros) : std::vector<double>();
    const std::vector<std::int64_t> group_of =
        groups ? to_int64s(*groups) : std::vector<std::int64_t>();
    for (std::int64_t g : group_of)
        if (g < 0 || g >= blocks) return {};
    Tensor weight(DType::f32, {k, n});
    float* w = weight.mutable_data<float>().data();
    const std::uint8_t* bytes = data->data<std::uint8_t>().data();
    for (std::int64_t column = 0; column < n; ++column)
        for (std::int64_t row = 0; row < k; ++row) {
            const std::int64_t group = group_of.empty() ? row / block : at(group_of, row);
            const auto at = static_cast<std::size_t>(column * blocks + group);
            double z = static_cast<double>(std::int64_t{1} << (bits - 1));
            if (packed_zeros)
                z = static_cast<double>(
                    unpacked(zeros->data<std::uint8_t>().data() + column * zero_row, group));
            else if (zeros) z = zero[at];
            const std::int64_t q =
                unpacked(bytes + (column * blocks + row / block) * blob, row % block);
            w[row * n + column] = static_cast<float>((static_cast<double>(q) - z) * scale[at]);
        }
    return weight;
}

}  // namespace

Outcome matmul_integer_to_float(const Node& node, PassContext& context) {
    if (context.opset() < 10)
        return declined("MatMulInteger needs opset 10, the model has " +
                        std::to_string(context.opset()));
    if (!is_one_element(context, node.inputs.at(2)))
        return declined("the scale of its first operand is not known to be a single one");
    PlainNodes plain(node, context);
    const DType type = plain.dtype(node.inputs[2]);
    const ValueId sums = plain.cast(integer_product(plain, node.inputs.at(0), node.inputs.at(1),
                                                    input_of(node, 4), input_of(node, 5)),
                                    DType::f32);
    ValueId y = plain.mul(sums, plain.mul(plain.cast(node.inputs[2], DType::f32),
                                          plain.cast(node.inputs.at(3), DType::f32)));
    if (const ValueId bias = input_of(node, 6)) y = plain.add(y, plain.cast(bias, DType::f32));
    return plain.finish({plain.cast(y, type)}, "wrote out MatMulIntegerToFloat");
}

Outcome dynamic_quantize_matmul(const Node& node, PassContext& context) {
    if (context.opset() < 11)
        return declined("DynamicQuantizeLinear needs opset 11, the model has " +
                        std::to_string(context.opset()));
    PlainNodes plain(node, context);
    Type quantized = context.scope().type(node.inputs.at(0));
    quantized.dtype = DType::u8;
    const auto a = plain.op_many("DynamicQuantizeLinear", {node.inputs[0]}, {},
                                 {quantized, Type::tensor(DType::f32, SymbolicShape{}),
                                  Type::tensor(DType::u8, SymbolicShape{})});
    const ValueId sums = plain.cast(
        integer_product(plain, a[0], node.inputs.at(1), a[2], input_of(node, 3)), DType::f32);
    ValueId y = plain.mul(sums, plain.mul(a[1], node.inputs.at(2)));
    if (const ValueId bias = input_of(node, 4)) y = plain.add(y, bias);
    return plain.finish({y}, "wrote out DynamicQuantizeMatMul");
}

Outcome qgemm(const Node& node, PassContext& context) {
    if (context.opset() < 10)
        return declined("MatMulInteger needs opset 10, the model has " +
                        std::to_string(context.opset()));
    PlainNodes plain(node, context);
    const auto operand = [&](std::size_t index, const char* flag) {
        return node.int_attribute(flag, 0) != 0 ? plain.transpose(node.inputs.at(index), {1, 0})
                                                : node.inputs.at(index);
    };
    ValueId sums = integer_product(plain, operand(0, "transA"), operand(3, "transB"),
                                   input_of(node, 2), input_of(node, 5));
    if (const ValueId c = input_of(node, 6)) sums = plain.add(sums, c);
    ValueId y =
        plain.mul(plain.cast(sums, DType::f32), plain.mul(node.inputs.at(1), node.inputs.at(4)));
    if (const float alpha = node.float_attribute("alpha", 1.0f); alpha != 1.0f)
        y = plain.mul(y, static_cast<double>(alpha));
    if (const ValueId scale = input_of(node, 7))
        y = plain.quantize(y, scale, input_of(node, 8), plain.dtype(node.inputs[0]));
    return plain.finish({y}, "wrote out QGemm");
}

/// y = A x W (+ bias) with the weight W [K, N] as floats: as large as it was before it was
/// quantized.
Outcome matmul_nbits(const Node& node, PassContext& context) {
    const Scope& scope = context.scope();
    PackedWeight packed;
    std::string problem = packed.find_constants(scope, node);
    if (problem.empty()) problem = packed.read_sizes(node);
    if (!problem.empty()) return declined(std::move(problem));
    if (static_cast<std::uint64_t>(packed.k) * static_cast<std::uint64_t>(packed.n) *
            sizeof(float) >
        context.options().limits.tensor_bytes)
        return declined("its weight would be too large unpacked");
    Tensor weight = packed.to_floats();
    if (!weight) return declined("its group indices are out of range");
    PlainNodes plain(node, context);
    const DType type = plain.dtype(node.inputs.at(0));
    const std::string name = scope.value(node.inputs[1]).name;
    ValueId y = plain.matmul(plain.cast(node.inputs[0], DType::f32),
                             context.constant(name + "_unpacked", std::move(weight)));
    if (const ValueId bias = input_of(node, 5)) y = plain.add(y, plain.cast(bias, DType::f32));
    return plain.finish({plain.cast(y, type)}, "unpacked the weight of MatMulNBits");
}

}  // namespace lapidary::lowering
