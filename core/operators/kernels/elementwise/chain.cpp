// SPDX-License-Identifier: Apache-2.0
// lapidary::ElementwiseChain: runs a program over blocks that stay in the first-level cache, so
// that memory is read and written once however many nodes the chain stands for.
#include <algorithm>
#include <cstring>
#include <span>

#include "kernels/elementwise/broadcast_walk.h"
#include "kernels/elementwise/chain_program.h"
#include "kernels/widened_kernel.h"
#include "ops/geometry/broadcast.h"

namespace lapidary {
namespace {

constexpr std::int64_t block = 512;  // elements
// below it a call per row costs more than spreading the operands
constexpr std::int64_t short_row = 32;
constexpr int registers = static_cast<int>(ChainProgram::registers);

using ChainWalk = BroadcastWalk<static_cast<int>(ChainProgram::max_inputs)>;

/// A step with its functions looked up and its result in a register (-1: the output).
struct Instruction {
    UnaryFunction unary = nullptr;
    RowFunction binary[static_cast<int>(OperandForm::count)] = {};
    std::int32_t a = 0, b = 0;  // an input (>= 0), -1 - register, or ChainProgram::constant
    int target = -1;
    float alpha = 0, beta = 0;
};

struct Source {
    const float* data;
    bool repeats;  // one element stands for all
};

class ChainKernel final : public Kernel {
public:
    explicit ChainKernel(std::size_t inputs) : inputs_(inputs) {}

    /// False when the program needs too many registers.
    bool compile(const ChainProgram& program) {
        const auto place = program.places();
        if (!place) return false;
        const ElementwiseKernels& table = elementwise_kernels();
        std::int64_t cost = 0;
        for (std::size_t i = 0; i < program.steps.size(); ++i) {
            const ChainProgram::Step& step = program.steps[i];
            Instruction in;
            const auto operand = [&](std::int32_t o) {
                return o < 0 ? -1 - (*place)[static_cast<std::size_t>(-1 - o)] : o;
            };
            in.a = operand(step.a);
            if (step.is_binary) {
                in.b = operand(step.b);
                std::copy_n(table.binary[step.kind], static_cast<int>(OperandForm::count),
                            in.binary);
            } else in.unary = table.unary[step.kind];
            in.alpha = step.alpha;
            in.beta = step.beta;
            in.target = (*place)[i];
            cost += step.is_binary ? 1 : 4;
            instructions_.push_back(in);
        }
        grain_ = std::max<std::int64_t>(2048, cheap_grain / cost);
        return true;
    }

    void run(KernelContext& context) const override {
        const Tensor* inputs[ChainProgram::max_inputs];
        Shape shape;
        for (std::size_t i = 0; i < inputs_; ++i) {
            inputs[i] = &context.input(i);
            if (inputs[i]->dtype() != DType::f32)
                context.fail("input " + std::to_string(i) + ": expected f32, found " +
                             std::string(name_of(inputs[i]->dtype())));
            if (i == 0) shape = inputs[0]->shape();
            else if (inputs[i]->shape() != shape)
                shape = broadcast_shapes(shape, inputs[i]->shape());
        }
        Tensor& y = context.output(0, DType::f32, std::move(shape));
        auto* out = static_cast<float*>(y.mutable_raw());
        const std::int64_t size = y.size();
        bool plain = true;  // every input is whole or a scalar
        for (std::size_t i = 0; i < inputs_; ++i)
            plain = plain && (inputs[i]->size() == size || inputs[i]->size() == 1);
        if (plain) {
            for_elements(context, size, grain_, [&](std::int64_t begin, std::int64_t end) {
                Source sources[ChainProgram::max_inputs];
                for (std::size_t i = 0; i < inputs_; ++i) {
                    const bool repeats = inputs[i]->size() != size;
                    sources[i] = {
                        static_cast<const float*>(inputs[i]->raw()) + (repeats ? 0 : begin),
                        repeats};
                }
                run_row(sources, out + begin, end - begin);
            });
            return;
        }
        const Shape scalar{};
        const Shape* shapes[ChainProgram::max_inputs];
        for (std::size_t i = 0; i < ChainProgram::max_inputs; ++i)
            shapes[i] = i < inputs_ ? &inputs[i]->shape() : &scalar;
        ChainWalk walk;
        if (!walk.resolve(y.shape(), shapes)) context.fail("the inputs have too many dimensions");
        if (walk.dim(0) < short_row ||
            (walk.dim(0) <= block / 2 && shares_rows(walk, inputs, size)))
            return run_short_rows(context, walk, inputs, out, size);
        for_elements(context, size, grain_, [&](std::int64_t begin, std::int64_t end) {
            walk.rows(begin, end, [&](const typename ChainWalk::Row& row) {
                Source sources[ChainProgram::max_inputs];
                for (std::size_t i = 0; i < inputs_; ++i)
                    sources[i] = {static_cast<const float*>(inputs[i]->raw()) + row.offsets[i],
                                  walk.stride(0, static_cast<int>(i)) == 0};
                run_row(sources, out + row.output, row.count);
            });
        });
    }

    StorageSharing sharing() const override {
        return {StorageSharing::overwrite, (1u << inputs_) - 1};
    }

private:
    /// An input of a few elements that all rows share.
    static bool is_same_in_rows(const ChainWalk& walk, int input) {
        for (int axis = 1; axis < walk.rank(); ++axis)
            if (walk.stride(axis, input) != 0) return false;
        return walk.stride(0, input) == 1;
    }

    /// True where every input is whole, a scalar, or such a one.
    bool shares_rows(const ChainWalk& walk, const Tensor* const* inputs, std::int64_t size) const {
        for (std::size_t i = 0; i < inputs_; ++i)
            if (inputs[i]->size() != size && inputs[i]->size() != 1 &&
                !is_same_in_rows(walk, static_cast<int>(i)))
                return false;
        return true;
    }

    /// Elements of output [begin, begin + count) that such an input of `period` elements meets.
    static void repeat(const float* from, std::int64_t period, std::int64_t begin,
                       std::int64_t count, float* to) {
        const std::int64_t first = std::min(period, count);
        for (std::int64_t i = 0; i < first; ++i) to[i] = from[(begin + i) % period];
        for (std::int64_t done = first; done < count; done *= 2)
            std::memcpy(to + done, to,
                        static_cast<std::size_t>(std::min(done, count - done)) * sizeof(float));
    }

    /// Rows of a few elements: inputs that are neither whole nor a scalar are spread over blocks of
    /// whole rows first, those that all rows share once for all blocks.
    void run_short_rows(KernelContext& context, const ChainWalk& walk, const Tensor* const* inputs,
                        float* out, std::int64_t size) const {
        const std::int64_t step = block - block % walk.dim(0);
        for_elements(context, size, grain_, [&](std::int64_t begin, std::int64_t end) {
            alignas(64) float spread[ChainProgram::max_inputs][block];
            int partial[ChainProgram::max_inputs], partials = 0;
            bool is_whole[ChainProgram::max_inputs] = {};
            Source sources[ChainProgram::max_inputs];
            for (std::size_t i = 0; i < inputs_; ++i) {
                const auto* data = static_cast<const float*>(inputs[i]->raw());
                is_whole[i] = inputs[i]->size() == size;
                if (is_whole[i]) sources[i] = {data + begin, false};
                else if (inputs[i]->size() == 1) sources[i] = {data, true};
                else sources[i] = {spread[i], false};
                if (is_whole[i] || inputs[i]->size() == 1) continue;
                if (is_same_in_rows(walk, static_cast<int>(i)))
                    repeat(data, walk.dim(0), begin, step, spread[i]);
                else partial[partials++] = static_cast<int>(i);
            }
            for (; begin < end; begin += step) {
                const std::int64_t n = std::min(step, end - begin);
                if (partials > 0)
                    spread_rows(walk, inputs, {partial, static_cast<std::size_t>(partials)}, begin,
                                n, spread);
                run_row(sources, out + begin, n);
                for (std::size_t i = 0; i < inputs_; ++i)
                    if (is_whole[i]) sources[i].data += step;
            }
        });
    }

    /// Expands inputs that broadcast to the output elements [begin, begin + count).
    static void spread_rows(const ChainWalk& walk, const Tensor* const* inputs,
                            std::span<const int> partial, std::int64_t begin, std::int64_t count,
                            float (*spread)[block]) {
        walk.rows(begin, begin + count, [&](const typename ChainWalk::Row& row) {
            for (const int i : partial) {
                const float* from = static_cast<const float*>(inputs[i]->raw()) + row.offsets[i];
                float* to = spread[i] + (row.output - begin);
                if (walk.stride(0, i) == 0)
                    for (std::int64_t j = 0; j < row.count; ++j) to[j] = *from;
                else
                    for (std::int64_t j = 0; j < row.count; ++j) to[j] = from[j];
            }
        });
    }

    void run_row(Source* sources, float* out, std::int64_t count) const {
        alignas(64) float values[registers][block];
        for (std::int64_t begin = 0; begin < count; begin += block) {
            const std::int64_t n = std::min(block, count - begin);
            bool repeats[registers];
            for (const Instruction& in : instructions_) {
                const auto source = [&](std::int32_t operand) -> Source {
                    if (operand == ChainProgram::constant) return {&in.alpha, true};
                    if (operand < 0) return {values[-1 - operand], repeats[-1 - operand]};
                    return {sources[operand].data + (sources[operand].repeats ? 0 : begin),
                            sources[operand].repeats};
                };
                float* target = in.target < 0 ? out + begin : values[in.target];
                const Source a = source(in.a);
                bool one;
                if (in.unary) {
                    one = a.repeats;
                    in.unary(a.data, target, one ? 1 : n, in.alpha, in.beta);
                } else {
                    const Source b = source(in.b);
                    one = a.repeats && b.repeats;
                    const OperandForm form = one || a.repeats == b.repeats ? OperandForm::both
                                             : b.repeats ? OperandForm::second_repeats
                                                         : OperandForm::first_repeats;
                    in.binary[static_cast<int>(form)](a.data, b.data, target, one ? 1 : n);
                }
                if (in.target >= 0) repeats[in.target] = one;
            }
        }
    }

    std::size_t inputs_;
    std::vector<Instruction> instructions_;
    std::int64_t grain_ = cheap_grain;
};

}  // namespace

std::unique_ptr<Kernel> make_elementwise_chain(const KernelRequest& request, std::string& reason) {
    std::size_t inputs = request.node.inputs.size();
    while (inputs > 0 && !request.node.inputs[inputs - 1]) --inputs;
    auto kernel = std::make_unique<ChainKernel>(inputs);
    const bool is_compiled = kernel->compile(ChainProgram::of(request.node));
    const DType result = request.output_type(0).dtype;
    const bool is_wide = result != DType::f16 && result != DType::bf16 &&
                         std::ranges::none_of(request.node.inputs, [&](ValueId v) {
                             return v && request.graph.value(v).type.dtype != DType::f32;
                         });
    if (is_compiled && is_wide) return kernel;
    if (is_compiled) return widened_kernel(std::move(kernel), result, Widened::halves_and_masks);
    reason = "the chain keeps more than 8 results at once";
    return nullptr;
}

}  // namespace lapidary
