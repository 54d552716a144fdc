// SPDX-License-Identifier: Apache-2.0
// The plain kernel of com.microsoft MatMulBnb4: weights of four bits that index a fixed table of 16
// values, with a scale for each run of `block_size` of them (bitsandbytes' FP4 and NF4).
#include "base/checked.h"
#include "kernels/reference/control_flow/nested_kernel.h"
#include "kernels/reference/elementwise/elementwise_binary.h"
#include "kernels/reference/neural/matrix_product.h"

namespace lapidary::reference {
namespace {

constexpr float fp4_values[16] = {
    0.0f,  0.0052083333f,  0.6666667f,  1.0f,  0.33333334f,  0.5f,  0.16666667f,  0.25f,
    -0.0f, -0.0052083333f, -0.6666667f, -1.0f, -0.33333334f, -0.5f, -0.16666667f, -0.25f};
constexpr float nf4_values[16] = {-1.0f,        -0.6961928f,  -0.52507305f,  -0.3949175f,
                                  -0.28444138f, -0.18477343f, -0.091050036f, 0.0f,
                                  0.0795803f,   0.1609302f,   0.2461123f,    0.33791524f,
                                  0.44070983f,  0.562617f,    0.72295684f,   1.0f};

}  // namespace

void bnb4_matmul(KernelContext& context) {
    const Tensor &a = context.input(0), &b = context.input(1), &absmax = context.input(2);
    const Node& node = context.node();
    const std::int64_t k = node.int_attribute("K", 0), n = node.int_attribute("N", 0),
                       block = node.int_attribute("block_size", 0),
                       type = node.int_attribute("quant_type", -1);
    const auto count = checked_multiply(n, k);
    if (k < 1 || n < 1 || !count)
        fail_model("attributes K " + std::to_string(k) + " and N " + std::to_string(n) +
                   " are no matrix");
    if (block < 16 || (block & (block - 1)) != 0)
        fail_model("attribute block_size: expected a power of 2 from 16 on, found " +
                   std::to_string(block));
    if (type != 0 && type != 1)
        fail_model("attribute quant_type: expected 0 (FP4) or 1 (NF4), found " +
                   std::to_string(type));
    if (b.dtype() != DType::u8 || b.size() != (*count + 1) / 2)
        context.fail("B: expected " + std::to_string((*count + 1) / 2) + " bytes, found " +
                     std::string(name_of(b.dtype())) + to_string(b.shape()));
    if (absmax.size() != (*count + block - 1) / block)
        context.fail("absmax: expected " + std::to_string((*count + block - 1) / block) +
                     " scales, found " + to_string(absmax.shape()));
    // B is [N, K]; with transB, as it is by default, A has K columns.
    const bool transposes = node.int_attribute("transB", 1) != 0;
    const std::int64_t inner = transposes ? k : n, columns = transposes ? n : k;
    if (a.rank() < 1 || a.shape().back() != inner)
        context.fail("A: expected " + std::to_string(inner) + " columns, found " +
                     to_string(a.shape()));
    const std::int64_t rows = a.size() / inner;
    Tensor weights = context.scratch(DType::f32, {n, k});
    const Tensor scales = converted(context, absmax, DType::f32),
                 wide = converted(context, a, DType::f32);
    const auto* bytes = static_cast<const std::uint8_t*>(b.raw());
    float* to = weights.mutable_data<float>().data();
    for (std::int64_t i = 0; i < *count; ++i) {
        const int code = i % 2 == 0 ? bytes[i / 2] >> 4 : bytes[i / 2] & 15;
        to[i] = (type == 0 ? fp4_values : nf4_values)[code] *
                scales.data<float>()[static_cast<std::size_t>(i / block)];
    }
    Shape shape = a.shape();
    shape.back() = columns;
    Tensor y = context.scratch(DType::f32, shape);
    std::ranges::fill(y.mutable_data<float>(), 0.0f);
    multiply_add<float>(&context.threads(), context.cancel(), rows, columns, inner,
                        wide.data<float>().data(), inner, DenseMatrix<float>{to, k, transposes},
                        y.mutable_data<float>().data(), columns);
    set_result(context, 0, y, a.dtype());
}

}  // namespace lapidary::reference
