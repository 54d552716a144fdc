// SPDX-License-Identifier: Apache-2.0
// com.microsoft MatMulNBits where accuracy_level 4 lets the left operand be 8-bit integers: each
// block of a row of A is quantized with its own scale, and the sums of a block are exact integers.
// For packed weights of 4 or 8 bits.
#include <algorithm>

#include "kernels/input_index.h"
#include "kernels/integer/workspace.h"
#include "kernels/product/block_weight_matrix.h"
#include "kernels/product/block_weight_unpacked.h"
#include "kernels/product/product_request.h"
#include "kernels/product/wide_operand.h"
#include "kernels/vector/integer/block_weight_dot.h"

namespace lapidary {
namespace {

class BlockDotMatMul final : public Kernel {
public:
    BlockDotMatMul(DType dtype, std::unique_ptr<BlockWeightMatrix> weight)
        : dtype_(dtype), weight_(std::move(weight)), kernels_(block_dot_kernels()) {}

    void run(KernelContext& context) const override {
        const BlockWeightMatrix& w = *weight_;
        const Tensor& a = context.input(0);
        Tensor& y = block_weight_output(context, w, dtype_);
        if (y.size() == 0) return;
        const WideOperand wide_a(context, &a),
            wide_bias(context, context.optional_input(block_weight_input::bias));
        WideResult result(context, y);
        const std::int64_t rows = a.size() / w.inner, padded = w.padded_inner();
        const auto count = static_cast<std::size_t>(rows * w.blocks);
        enum class Part : std::uint8_t { bytes, scales, sums };
        Workspace<Part> work(context, {{Part::bytes, static_cast<std::size_t>(rows * padded)},
                                       {Part::scales, count * sizeof(float)},
                                       {Part::sums, count * sizeof(float)}});
        auto* const bytes = work.part<std::int8_t>(Part::bytes);
        float *const scales = work.part<float>(Part::scales), *const sums =
                                                                  work.part<float>(Part::sums);
        const auto prepare = [&](std::int64_t r) {
            kernels_.prepare(wide_a.data() + r * w.inner, w.inner, w.blocks, w.block, w.bits,
                             bytes + r * padded, scales + r * w.blocks, sums + r * w.blocks);
        };
        constexpr std::int64_t worth_threads = 64 << 10;  // elements
        if (rows * padded < worth_threads)
            for (std::int64_t r = 0; r < rows; ++r) prepare(r);
        else context.threads().parallel_tasks(rows, [&](std::int64_t r, int) { prepare(r); });

        const double work_time = std::max(static_cast<double>(rows) / 250e3, 1 / 60e3) *
                                 static_cast<double>(padded) *
                                 static_cast<double>(w.columns);  // about microseconds
        for_each_group(context, w, work_time, [&](std::int64_t index) {
            BlockDotTile t;
            t.weight = w.group(index);
            t.a_stride = padded;
            t.a_block_stride = w.blocks;
            t.c_stride = w.columns;
            for_each_part(kernels_, w, index, rows, [&](const BlockWeightPart& p) {
                if (p.row > 0) context.cancel().throw_if_cancelled();
                t.rows = p.rows;
                t.first_vector = p.first_vector;
                t.vectors = p.vectors;
                t.columns = p.columns;
                t.a = bytes + p.row * padded;
                t.a_scales = scales + p.row * w.blocks;
                t.a_sums = sums + p.row * w.blocks;
                t.bias = wide_bias.data() ? wide_bias.data() + p.column : nullptr;
                t.c = result.data() + p.row * w.columns + p.column;
                kernels_.multiply(t);
            });
        });
        multiply_rows_that_are_not_finite(context, w, rows, wide_a.data(), wide_bias.data(),
                                          result.data());
        result.store();
    }

private:
    DType dtype_;
    std::unique_ptr<BlockWeightMatrix> weight_;
    const BlockDotKernels& kernels_;
};

}  // namespace

std::unique_ptr<Kernel> make_matmul_nbits_int8(const KernelRequest& request, std::string& reason) {
    // largest_block: the largest one whose sums fit into 32 bits
    constexpr std::int64_t int8_level = 4, largest_block = 32768;
    const Node& node = request.node;
    const std::int64_t level = node.int_attribute("accuracy_level", 0),
                       bits = node.int_attribute("bits", 4),
                       block = node.int_attribute("block_size", 0);
    if (level != int8_level) {
        reason = "accuracy_level " + std::to_string(level) +
                 " does not allow A as 8-bit integers, 4 does";
        return nullptr;
    }
    if ((bits != 4 && bits != 8) || block > largest_block) {
        reason = "weights of " + std::to_string(bits) + " bits in blocks of " +
                 std::to_string(block) + " are multiplied in float";
        return nullptr;
    }
    const DType dtype = product_type(request, 1, reason);
    if (dtype == DType::undefined) return nullptr;
    auto weight = pack_block_weight(request, reason);
    if (!weight) return nullptr;
    return std::make_unique<BlockDotMatMul>(dtype, std::move(weight));
}

}  // namespace lapidary
