// SPDX-License-Identifier: Apache-2.0
//   before:  y = MatMul(a, DequantizeLinear(w) {axis: 0, block_size: 32})   w constant, 4 bits (or
//            8), scales constant
//   after:   y = com.microsoft::MatMulNBits(a, packed w, scales, zero points)
// Also of Gemm, whose C of one row becomes the bias. Blocks run along the inner dimension K, from
// either layout of w. Signed weights move up by half their range, which the zero points undo:
// exact. accuracy_level stays 0, so that `a` is read as it is.
#include <algorithm>

#include <fmt/format.h>

#include "base/at.h"
#include "rewrite/constant_math.h"
#include "passes/qdq/node_unit.h"

namespace lapidary::passes {
namespace {

struct Packed {
    std::int64_t k = 0, n = 0, bits = 4;
    Tensor weight, scales;
    std::optional<Tensor> zeros;  // none: the operator's default, half the range
};

/// `by_rows`: w is [K, N], else [N, K].
Packed pack(const Tensor& w, const Quantization& q, bool by_rows) {
    Packed p;
    p.k = w.dim(by_rows ? 0 : 1);
    p.n = w.dim(by_rows ? 1 : 0);
    p.bits = static_cast<std::int64_t>(bit_width(q.dtype));
    const std::int64_t block = q.block_size, blocks = (p.k + block - 1) / block,
                       per_byte = 8 / p.bits, blob = block / per_byte,
                       zero_row = (blocks + per_byte - 1) / per_byte;
    const int half = 1 << (p.bits - 1), shift = is_signed_integer(q.dtype) ? half : 0;
    const std::vector<double> values = to_doubles(w),
                              zeros = q.zero_point ? to_doubles(*q.zeros) : std::vector<double>(),
                              scales = to_doubles(*q.scales);
    p.weight = Tensor(DType::u8, {p.n, blocks, blob});
    auto bytes = p.weight.mutable_data<std::uint8_t>();
    std::ranges::fill(bytes, std::uint8_t{0});
    const auto put = [&](std::span<std::uint8_t> to, std::int64_t row, std::int64_t i,
                         double value) {
        at(to, row + i / per_byte) |=
            static_cast<std::uint8_t>((static_cast<int>(value) + shift) << (i % per_byte * p.bits));
    };
    std::vector<double> scale_values(static_cast<std::size_t>(p.n * blocks));
    const bool has_zeros = !zeros.empty() || shift == 0;
    if (has_zeros) {
        p.zeros = Tensor(DType::u8, {p.n, zero_row});
        std::ranges::fill(p.zeros->mutable_data<std::uint8_t>(), std::uint8_t{0});
    }
    for (std::int64_t n = 0; n < p.n; ++n) {
        for (std::int64_t k = 0; k < p.k; ++k)
            put(bytes, (n * blocks + k / block) * blob, k % block,
                at(values, by_rows ? k * p.n + n : n * p.k + k));
        for (std::int64_t b = 0; b < blocks; ++b) {
            const auto place = static_cast<std::size_t>(by_rows ? b * p.n + n : n * blocks + b);
            at(scale_values, n * blocks + b) = scales[place];
            if (has_zeros)
                put(p.zeros->mutable_data<std::uint8_t>(), n * zero_row, b,
                    zeros.empty() ? 0.0 : zeros[place]);
        }
    }
    p.scales = tensor_of_doubles(q.scales->dtype(), {p.n, blocks},
                                 scale_values.empty() ? std::vector<double>{0} : scale_values);
    return p;
}

std::string weight_problem(const PassContext& context, const Quantization& w, bool by_rows) {
    const Scope& scope = context.scope();
    const Tensor* stored = scope.constant(w.stored);
    if (!stored) return "the weight is no constant";
    if (stored->rank() != 2 || stored->size() == 0)
        return fmt::format("the weight has rank {}, needs 2", stored->rank());
    if (bit_width(w.dtype) != 4 && w.dtype != DType::u8 && w.dtype != DType::i8)
        return fmt::format("the weight is {}, needs 4 or 8 bits", name_of(w.dtype));
    if (w.dtype == DType::f4e2m1) return "the weight is f4e2m1, needs integers";
    if (!w.is_constant()) return "the scales or zero points of the weight are no constants";
    if (w.block_size < 16 || (w.block_size & (w.block_size - 1)) != 0)
        return fmt::format("block_size is {}, needs a power of two from 16 on", w.block_size);
    if (w.axis != (by_rows ? 0 : 1))
        return fmt::format(
            "the blocks run along axis {}, need to run along the inner dimension, axis {}", w.axis,
            by_rows ? 0 : 1);
    const DType real = scope.dtype(w.real);
    if (real != w.scales->dtype() || (real != DType::f32 && real != DType::f16))
        return fmt::format("the weight is dequantized to {}, needs f32 or f16", name_of(real));
    return {};
}

Outcome fuse_nbits(const NodeUnit& unit, PassContext& context) {
    const Node& node = unit.node();
    if (node.inputs.size() < 2 || !unit.input(1)) return not_concerned();
    const Quantization& w = *unit.input(1);
    if (w.block_size == 0 && !is_packed(w.dtype)) return not_concerned();
    const bool gemm = node.op_type == "Gemm";
    const bool by_rows = !gemm || node.int_attribute("transB", 0) == 0;
    if (std::string p = weight_problem(context, w, by_rows); !p.empty()) return declined(p);
    ValueId bias;
    if (gemm) {
        if (node.int_attribute("transA", 0) != 0)
            return declined("A is transposed, MatMulNBits has no attribute for it");
        if (node.float_attribute("alpha", 1.0f) != 1.0f) return declined("alpha is not 1");
        bias = node.inputs.size() > 2 ? node.inputs[2] : ValueId{};
        if (bias && node.float_attribute("beta", 1.0f) != 1.0f) return declined("beta is not 1");
        const std::int64_t n = context.scope().dim(w.stored, by_rows ? 1 : 0);
        if (bias && (context.scope().rank(bias) != 1 || context.scope().dim(bias, 0) != n))
            return declined("C has shape " + to_string(context.scope().type(bias)) +
                            ", needs one row of " + std::to_string(n));
    }
    const Packed p = pack(*context.scope().constant(w.stored), w, by_rows);
    const std::string name = context.graph().value(w.stored).name;
    std::vector<ValueId> inputs{node.inputs[0], context.constant(name + "_packed", p.weight),
                                context.constant(name + "_scales", p.scales)};
    if (p.zeros || bias)
        inputs.push_back(p.zeros ? context.constant(name + "_zero_points", *p.zeros) : ValueId{});
    if (bias) inputs.insert(inputs.end(), {ValueId{}, bias});
    const std::vector<NodeId> nodes{unit.target(), w.node};
    context.replace(
        unit.target(), "com.microsoft::MatMulNBits", std::move(inputs),
        {attr("K", p.k), attr("N", p.n), attr("bits", p.bits), attr("block_size", w.block_size)},
        nodes);
    return applied(fmt::format("{} with a weight of {} bits in blocks became MatMulNBits",
                               gemm ? "Gemm" : "MatMul", p.bits));
}

}  // namespace

PassBody fuse_matmul_nbits() { return at_units("Gemm|MatMul", fuse_nbits); }

}  // namespace lapidary::passes
