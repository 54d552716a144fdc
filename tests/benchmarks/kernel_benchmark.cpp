// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/kernel_benchmark.h"

#include <cstring>
#include <random>

#include <lapidary/base/error.h>
#include <lapidary/graph/graph.h>
#include <lapidary/graph/graph_edit.h>

#include "benchmarks/machine_peak.h"
#include "base/threads/session_threads.h"
#include "kernels/kernel.h"

namespace lapidary::bench {
namespace {

/// Hands the same storage out in every run.
class SteadyContext final : public KernelContext {
public:
    SteadyContext(const Node& node, const std::vector<Tensor>& inputs, ThreadPool& threads)
        : node_(node), threads_(threads), outputs_(node.outputs.size()) {
        for (const Tensor& t : inputs) inputs_.push_back(t ? RuntimeValue(t) : RuntimeValue());
    }
    void begin_run() { next_scratch_ = 0; }

    const Node& node() const override { return node_; }
    std::size_t input_count() const override { return inputs_.size(); }
    const RuntimeValue* input_value(std::size_t index) const override {
        return index < inputs_.size() && !inputs_[index].is_empty() ? &inputs_[index] : nullptr;
    }
    std::size_t output_count() const override { return outputs_.size(); }
    bool wants_output(std::size_t index) const override { return index < outputs_.size(); }
    Tensor& output(std::size_t index, DType dtype, Shape shape) override {
        return kept(outputs_.at(index), dtype, std::move(shape));
    }
    void set_output(std::size_t, RuntimeValue) override {}
    RuntimeValue keep(const RuntimeValue& value) override { return value; }
    Tensor scratch(DType dtype, Shape shape) override {
        if (next_scratch_ == scratch_.size()) scratch_.emplace_back();
        return kept(scratch_[next_scratch_++], dtype, std::move(shape));
    }
    ThreadPool& threads() override { return threads_; }
    const CancelToken& cancel() const override { return cancel_; }
    const Limits& limits() const override { return limits_; }
    std::vector<RuntimeValue> run_subgraph(std::string_view,
                                           std::span<const RuntimeValue>) override {
        fail_unsupported("no subgraphs here");
    }
    std::uint64_t random_seed() const override { return 1; }

private:
    static Tensor& kept(Tensor& slot, DType dtype, Shape shape) {
        if (slot.dtype() != dtype || slot.shape() != shape) {
            slot = Tensor(dtype, std::move(shape));
            if (slot.byte_size() > 0) std::memset(slot.mutable_raw(), 0, slot.byte_size());
        }
        return slot;
    }

    const Node& node_;
    ThreadPool& threads_;
    std::vector<RuntimeValue> inputs_;
    std::vector<Tensor> outputs_, scratch_;
    std::size_t next_scratch_ = 0;
    CancelToken cancel_;
    Limits limits_;
};

Node& add_node(Graph& graph, const KernelCase& kernel) {
    GraphEdit edit(graph);
    NodeSpec spec{kernel.op_type, {}, {}, kernel.attributes, "node", kernel.domain, kernel.version};
    for (std::size_t i = 0; i < kernel.inputs.size(); ++i) {
        const Tensor& t = kernel.inputs[i];
        const std::string name = "input" + std::to_string(i);
        if (!t) spec.inputs.push_back({});
        else if (kernel.constants.contains(i)) spec.inputs.push_back(edit.add_initializer(name, t));
        else
            spec.inputs.push_back(edit.add_input(
                name, Type::tensor(t.dtype(), SymbolicShape(t.shape().begin(), t.shape().end()))));
    }
    spec.outputs.push_back(edit.add_value("output"));
    const NodeId id = edit.add_node(std::move(spec));
    edit.finish();
    return const_cast<Node&>(graph.node(id));
}

void report(benchmark::State& state, const KernelCase& kernel, int threads,
            const std::string& name) {
    using benchmark::Counter;
    const MachinePeak& peak = machine_peak();
    const auto runs = static_cast<double>(state.iterations());
    if (kernel.operations > 0) {
        const double limit =
            threads * (kernel.integer ? peak.integer_gops : peak.float_gflops) * 1e9;
        state.counters[kernel.integer ? "GOP/s" : "GFLOP/s"] =
            Counter(kernel.operations * runs / 1e9, Counter::kIsRate);
        if (limit > 0)
            state.counters["peak"] = Counter(kernel.operations * runs / limit, Counter::kIsRate);
    }
    if (kernel.bytes > 0) {
        state.counters["GB/s"] = Counter(kernel.bytes * runs / 1e9, Counter::kIsRate);
        state.counters["memory"] =
            Counter(kernel.bytes * runs / (peak.memory_gbs[threads > 1] * 1e9), Counter::kIsRate);
    }
    state.SetLabel(name);
}

}  // namespace

void run_kernel_benchmark(benchmark::State& state, const KernelCase& kernel) {
    machine_peak();  // before the clock runs
    const int threads = static_cast<int>(state.range(0));
    Graph graph;
    const Node& node = add_node(graph, kernel);
    KernelOptions options;
    options.threads = threads;
    WeightStore weights;
    const KernelChoice choice = choose_kernel(KernelRequest{graph, node, options, weights, {}});
    if (!choice) return state.SkipWithError("no kernel");
    const auto pool = make_session_threads(threads);
    pool->execute([&] { weights.fill(*pool, {}); });
    SteadyContext context(node, kernel.inputs, *pool);
    try {
        pool->execute([&] {
            choice.run(context);
            for ([[maybe_unused]] auto _ : state) {
                context.begin_run();
                choice.run(context);
            }
        });
    } catch (const Error& error) { return state.SkipWithError(error.what()); }
    report(state, kernel, threads, choice.name);
}

Tensor random_tensor(DType dtype, Shape shape) {
    Tensor tensor(dtype, std::move(shape));
    std::mt19937_64 random(1);
    if (dtype == DType::f32) {
        std::normal_distribution<float> normal;
        for (float& v : tensor.mutable_data<float>()) v = normal(random);
    } else {
        auto* bytes = static_cast<unsigned char*>(tensor.mutable_raw());
        for (std::size_t i = 0; i < tensor.byte_size(); ++i)
            bytes[i] = static_cast<unsigned char>(random());
    }
    return tensor;
}

}  // namespace lapidary::bench
