// SPDX-License-Identifier: Apache-2.0
#include "passes/basic/folding/constant_evaluation.h"

#include <algorithm>

#include <lapidary/base/error.h>

#include "base/threads/cancellable_threads.h"
#include "base/threads/serial_threads.h"
#include "base/threads/task_threads.h"
#include "kernels/kernel.h"
#include "ops/operator_traits.h"

namespace lapidary {
namespace {

class ConstantContext final : public KernelContext {
public:
    ConstantContext(const Node& node, const std::vector<const Tensor*>& inputs,
                    const Limits& limits, ThreadPool& threads, const CancelToken& cancel)
        : node_(node), inputs_(inputs.size()), outputs_(node.outputs.size()), dropped_(16),
          limits_(limits), cancel_(cancel), threads_(threads, cancel) {
        // limit on outputs of kernels
        limits_.tensor_bytes = std::min(limits_.tensor_bytes, limits_.fold_bytes);
        for (std::size_t i = 0; i < inputs.size(); ++i)
            if (inputs[i]) inputs_[i] = RuntimeValue(*inputs[i]);
    }
    const Node& node() const override { return node_; }
    std::size_t input_count() const override { return inputs_.size(); }
    const RuntimeValue* input_value(std::size_t i) const override {
        return i < inputs_.size() && !inputs_[i].is_empty() ? &inputs_[i] : nullptr;
    }
    std::size_t output_count() const override { return outputs_.size(); }
    bool wants_output(std::size_t i) const override {
        return i < outputs_.size() && node_.outputs[i];
    }
    Tensor& output(std::size_t i, DType dtype, Shape shape) override {
        RuntimeValue& slot = wants_output(i) ? outputs_[i] : dropped_.at(i);
        slot = RuntimeValue(bounded(dtype, std::move(shape), limits_.fold_bytes));
        return slot.tensor();
    }
    void set_output(std::size_t i, RuntimeValue value) override {
        (wants_output(i) ? outputs_[i] : dropped_.at(i)) = std::move(value);
    }
    RuntimeValue keep(const RuntimeValue& value) override { return value; }
    Tensor scratch(DType dtype, Shape shape) override {
        return bounded(dtype, std::move(shape), 4 * limits_.fold_bytes);
    }
    ThreadPool& threads() override { return threads_; }
    const CancelToken& cancel() const override { return cancel_; }
    const Limits& limits() const override { return limits_; }
    std::vector<RuntimeValue> run_subgraph(std::string_view,
                                           std::span<const RuntimeValue>) override {
        fail("has a subgraph");
    }
    std::uint64_t random_seed() const override { return 0; }

    std::vector<RuntimeValue>& outputs() { return outputs_; }

private:
    static Tensor bounded(DType dtype, Shape shape, std::uint64_t most) {
        if (storage_bytes(dtype, element_count(shape)) > most)
            fail_limit("a constant " + std::string(name_of(dtype)) + to_string(shape) +
                       " is larger than the folding budget of " + std::to_string(most) + " bytes");
        return Tensor(dtype, std::move(shape));
    }
    const Node& node_;
    std::vector<RuntimeValue> inputs_, outputs_, dropped_;
    Limits limits_;
    const CancelToken& cancel_;
    CancellableThreads threads_;
};

/// True if the work justifies more than one thread.
bool is_large(const std::vector<const Tensor*>& inputs) {
    constexpr std::uint64_t least = std::uint64_t{4} << 20;
    std::uint64_t bytes = 0;
    for (const Tensor* input : inputs)
        if (input != nullptr) bytes += storage_bytes(input->dtype(), input->size());
    return bytes >= least;
}

}  // namespace

Evaluation evaluate(const Graph& graph, const Node& node, const std::vector<const Tensor*>& inputs,
                    const Limits& limits, const CancelToken& cancel) {
    Evaluation result;
    try {
        KernelOptions options;
        options.reference_only = true;  // what is folded must not depend on the CPU
        WeightStore unused;
        const KernelChoice kernel = choose_kernel({graph, node, options, unused, {}});
        if (!kernel) return {{}, "there is no kernel to compute it with"};
        SerialThreads alone;
        const auto all = is_large(inputs) ? task_threads_if_any() : nullptr;
        ConstantContext context(node, inputs, limits, all ? static_cast<ThreadPool&>(*all) : alone,
                                cancel);
        if (all) all->execute([&] { kernel.run(context); });
        else kernel.run(context);
        for (std::size_t i = 0; i < node.outputs.size(); ++i) {
            RuntimeValue& value = context.outputs()[i];
            if (node.outputs[i] && !value.is_tensor())
                return {{}, "output " + std::to_string(i) + " is no tensor"};
            result.outputs.push_back(node.outputs[i] ? std::move(value.tensor()) : Tensor());
        }
    } catch (const Error& error) {
        if (error.code() == ErrorCode::cancelled) throw;
        result.problem = "computing it fails: " + error.message();
    }
    return result;
}

bool is_deterministic(const Node& node) {
    if (node.domain.empty()) return !traits_of(node).has(OperatorFact::random);
    return node.domain == "ai.onnx.ml" ||
           (node.domain == "com.microsoft" &&
            (node.op_type == "QuantizeLinear" || node.op_type == "DequantizeLinear"));
}

}  // namespace lapidary
