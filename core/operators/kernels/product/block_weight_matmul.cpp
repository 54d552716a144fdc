// SPDX-License-Identifier: Apache-2.0
// com.microsoft MatMulNBits in float32 and float16 on packed weights of 2, 4 or 8 bits, computed in
// float. Few rows multiply the weights as they are unpacked in registers, which takes their bytes
// alone from memory; many rows, and those with Inf or NaN, share panels that are unpacked for them
// one at a time. One row becomes integers of as many bits as floats have, where that is faster.
#include <algorithm>

#include "kernels/input_index.h"
#include "kernels/integer/workspace.h"
#include "kernels/product/block_weight_digits.h"
#include "kernels/product/block_weight_matrix.h"
#include "kernels/product/block_weight_unpacked.h"
#include "kernels/product/product_request.h"
#include "kernels/product/wide_operand.h"

namespace lapidary {
namespace {

constexpr std::int64_t many_rows = 64;

class BlockWeightMatMul final : public Kernel {
public:
    BlockWeightMatMul(DType dtype, std::unique_ptr<BlockWeightMatrix> weight)
        : dtype_(dtype), weight_(std::move(weight)), has_digits_(digits_pay(*weight_)) {}

    void run(KernelContext& context) const override {
        const BlockWeightMatrix& w = *weight_;
        const Tensor& a = context.input(0);
        Tensor& y = block_weight_output(context, w, dtype_);
        if (y.size() == 0) return;
        const WideOperand wide_a(context, &a),
            wide_bias(context, context.optional_input(block_weight_input::bias));
        WideResult result(context, y);
        const std::int64_t rows = a.size() / w.inner;
        if (rows == 1 && has_digits_ &&
            multiply_by_digits(context, w, wide_a.data(), wide_bias.data(), result.data()))
            return result.store();
        if (rows < many_rows)
            multiply_words(context, rows, wide_a.data(), wide_bias.data(), result.data());
        else multiply_unpacked(context, w, rows, wide_a.data(), wide_bias.data(), result.data());
        result.store();
    }

private:
    void multiply_words(KernelContext& context, std::int64_t rows, const float* a,
                        const float* bias, float* c) const {
        const BlockWeightMatrix& w = *weight_;
        const BlockWeightKernels& kernels = *w.kernels;
        const std::int64_t padded = w.padded_inner();
        enum class Part : std::uint8_t { prepared, sums };
        Workspace<Part> work(
            context, {{Part::prepared, static_cast<std::size_t>(rows * padded) * sizeof(float)},
                      {Part::sums, static_cast<std::size_t>(rows * w.blocks) * sizeof(float)}});
        float *prepared = work.part<float>(Part::prepared), *sums = work.part<float>(Part::sums);
        for (std::int64_t r = 0; r < rows; ++r)
            kernels.prepare(a + r * w.inner, w.inner, w.blocks, w.block, w.bits,
                            prepared + r * padded, sums + r * w.blocks);
        const double work_time = std::max(static_cast<double>(rows) / 100e3, 1 / 24e3) *
                                 static_cast<double>(padded) *
                                 static_cast<double>(w.columns);  // about microseconds
        for_each_group(context, w, work_time, [&](std::int64_t index) {
            BlockWeightTile t;
            t.weight = w.group(index);
            t.a_stride = padded;
            t.a_sums_stride = w.blocks;
            t.c_stride = w.columns;
            for_each_part(kernels, w, index, rows, [&](const BlockWeightPart& p) {
                t.rows = p.rows;
                t.first_vector = p.first_vector;
                t.vectors = p.vectors;
                t.columns = p.columns;
                t.a = prepared + p.row * padded;
                t.a_sums = sums + p.row * w.blocks;
                t.bias = bias ? bias + p.column : nullptr;
                t.c = c + p.row * w.columns + p.column;
                kernels.multiply(t);
            });
        });
        multiply_rows_that_are_not_finite(context, w, rows, a, bias, c);
    }

    DType dtype_;
    std::unique_ptr<BlockWeightMatrix> weight_;
    bool has_digits_;
};

}  // namespace

std::unique_ptr<Kernel> make_matmul_nbits(const KernelRequest& request, std::string& reason) {
    const DType dtype = product_type(request, 1, reason);
    if (dtype == DType::undefined) return nullptr;
    auto weight = pack_block_weight(request, reason);
    if (!weight) return nullptr;
    return std::make_unique<BlockWeightMatMul>(dtype, std::move(weight));
}

}  // namespace lapidary
