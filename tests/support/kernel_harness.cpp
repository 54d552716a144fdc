// SPDX-License-Identifier: Apache-2.0
#include "support/kernel_harness.h"

#include <algorithm>
#include <cstring>

#include <lapidary/base/error.h>
#include <lapidary/graph/graph.h>
#include <lapidary/graph/graph_edit.h>

#include "kernels/kernel.h"

namespace lapidary::test {
namespace {

class BackwardPool final : public ThreadPool {
public:
    int threads() const override { return 2; }
    void parallel_for(std::int64_t count, std::int64_t grain, const RangeBody& body) override {
        if (count <= 0) return;
        grain = std::max<std::int64_t>(grain, 1);
        const std::int64_t pieces =
            std::max<std::int64_t>(1, std::min<std::int64_t>(count / grain, 7));
        for (std::int64_t i = pieces - 1; i >= 0; --i)
            body(count / pieces * i, i + 1 == pieces ? count : count / pieces * (i + 1));
    }
    void parallel_tasks(std::int64_t count, const TaskBody& body) override {
        for (std::int64_t task = count - 1; task >= 0; --task)
            body(task, static_cast<int>(task % 2));
    }
};

class HarnessContext final : public KernelContext {
public:
    HarnessContext(Node node, std::vector<RuntimeValue> inputs, const KernelRun& run)
        : node_(std::move(node)), inputs_(std::move(inputs)), run_(run), outputs_(run.outputs),
          dropped_(64) {}

    const Node& node() const override { return node_; }
    std::size_t input_count() const override { return inputs_.size(); }
    const RuntimeValue* input_value(std::size_t index) const override {
        if (index >= inputs_.size()) return nullptr;
        return inputs_[index].is_empty() && !run_.empty_optionals.contains(index) ? nullptr
                                                                                  : &inputs_[index];
    }
    std::size_t output_count() const override { return outputs_.size(); }
    bool wants_output(std::size_t index) const override {
        return index < outputs_.size() && !run_.unwanted_outputs.contains(index);
    }
    Tensor& output(std::size_t index, DType dtype, Shape shape) override {
        RuntimeValue& slot = wants_output(index) ? outputs_[index] : dropped_.at(index);
        slot = scratch(dtype, std::move(shape));
        return slot.tensor();
    }
    void set_output(std::size_t index, RuntimeValue value) override {
        (wants_output(index) ? outputs_[index] : dropped_.at(index)) = std::move(value);
    }
    RuntimeValue keep(const RuntimeValue& value) override { return value; }
    Tensor scratch(DType dtype, Shape shape) override {
        const std::int64_t count = element_count(shape);
        if (storage_bytes(dtype, count) > run_.limits.tensor_bytes)
            fail_limit("a tensor " + to_string(shape) + " is larger than the limit for one tensor");
        Tensor tensor(dtype, std::move(shape));
        // Poison, so that a kernel that leaves an element unwritten is found out.
        if (dtype != DType::string && tensor.byte_size() > 0)
            std::memset(tensor.mutable_raw(), 0xcd, tensor.byte_size());
        return tensor;
    }
    ThreadPool& threads() override { return pool_; }
    const CancelToken& cancel() const override { return run_.cancel; }
    const Limits& limits() const override { return run_.limits; }
    std::vector<RuntimeValue> run_subgraph(std::string_view attribute,
                                           std::span<const RuntimeValue> inputs) override {
        if (!run_.subgraph)
            fail_unsupported("the test gave no subgraph for attribute " + quote(attribute));
        return run_.subgraph(attribute, inputs);
    }
    std::uint64_t random_seed() const override { return run_.seed; }

    std::vector<RuntimeValue> take_outputs() { return std::move(outputs_); }

private:
    Node node_;
    std::vector<RuntimeValue> inputs_;
    const KernelRun& run_;
    std::vector<RuntimeValue> outputs_, dropped_;
    BackwardPool pool_;
};

const KernelEntry& find_entry(const Node& node, const std::string& name) {
    const KernelEntry* found = nullptr;
    for (const KernelEntry& entry : kernel_entries()) {
        if (entry.domain != node.domain || entry.op_type != node.op_type) continue;
        if (name.empty() && !entry.function) continue;
        if (node.version < entry.min_version || node.version > entry.max_version) continue;
        if (name.empty() || entry.name == name) found = &entry;
    }
    if (!found)
        fail_unsupported("no plain kernel for " + node.qualified_op() + " at version " +
                         std::to_string(node.version));
    return *found;
}

Type type_of(const Tensor& tensor, bool with_shape) {
    return with_shape ? Type::tensor(tensor.dtype(),
                                     SymbolicShape(tensor.shape().begin(), tensor.shape().end()))
                      : Type::tensor(tensor.dtype());
}

}  // namespace

Attribute attribute(std::string name, AttributeValue value) {
    return {std::move(name), std::move(value), {}, {}};
}
Attribute attribute(std::string name, int value) {
    return attribute(std::move(name), AttributeValue(std::int64_t{value}));
}
Attribute attribute(std::string name, float value) {
    return attribute(std::move(name), AttributeValue(value));
}
Attribute attribute(std::string name, const char* value) {
    return attribute(std::move(name), AttributeValue(std::string(value)));
}

std::vector<RuntimeValue> run_kernel(std::string_view domain, std::string_view op_type,
                                     std::int64_t version, std::vector<RuntimeValue> inputs,
                                     std::vector<Attribute> attributes, const KernelRun& run) {
    Node node;
    node.id = NodeId(0);
    node.name = "node";
    node.domain = domain;
    node.op_type = op_type;
    node.version = version;
    for (std::size_t i = 0; i < inputs.size(); ++i)
        node.inputs.push_back(inputs[i].is_empty() && !run.empty_optionals.contains(i)
                                  ? ValueId()
                                  : ValueId(static_cast<std::uint32_t>(i)));
    for (std::size_t i = 0; i < run.outputs; ++i)
        node.outputs.push_back(run.unwanted_outputs.contains(i)
                                   ? ValueId()
                                   : ValueId(static_cast<std::uint32_t>(inputs.size() + i)));
    node.attributes = std::move(attributes);
    const KernelEntry& entry = find_entry(node, run.kernel);
    std::unique_ptr<Kernel> kernel;
    Graph graph;
    if (entry.factory) {
        GraphEdit edit(graph);
        NodeSpec spec{node.op_type, {}, {}, node.attributes, node.name, node.domain, node.version};
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            if (!node.inputs[i]) spec.inputs.push_back({});
            else if (!inputs[i].is_tensor())
                spec.inputs.push_back(edit.add_input("input" + std::to_string(i), {}));
            else if (run.constants.contains(i))
                spec.inputs.push_back(
                    edit.add_initializer("input" + std::to_string(i), inputs[i].tensor()));
            else
                spec.inputs.push_back(edit.add_input(
                    "input" + std::to_string(i), type_of(inputs[i].tensor(), run.static_shapes)));
        }
        for (std::size_t i = 0; i < run.outputs; ++i)
            spec.outputs.push_back(run.unwanted_outputs.contains(i)
                                       ? ValueId()
                                       : edit.add_value("output" + std::to_string(i)));
        const NodeId id = edit.add_node(std::move(spec));
        edit.finish();
        KernelOptions options;
        options.threads = 2;
        WeightStore weights;
        const KernelRequest request{graph, graph.node(id), options, weights, {}};
        std::string reason;
        kernel = entry.factory(request, reason);
        if (!kernel) fail_unsupported(std::string(entry.name) + " declines: " + reason);
        BackwardPool pool;
        weights.fill(pool, {});
        for (std::size_t i : request.unread_inputs) inputs.at(i) = RuntimeValue();
    }
    HarnessContext context(std::move(node), std::move(inputs), run);
    if (kernel) kernel->run(context);
    else entry.function(context);
    return context.take_outputs();
}

void for_each_isa(const std::function<void(Isa)>& body) {
    struct Restore {
        Isa before = active_isa();
        ~Restore() { limit_isa(before); }
    } const restore;
    for (Isa isa : {Isa::baseline, Isa::avx2, Isa::avx512, Isa::avx512_vnni, Isa::avx512_fp16,
                    Isa::avx512_amx}) {
        if (isa > restore.before) break;
        limit_isa(isa);
        body(isa);
    }
}

Tensor run_kernel_tensor(std::string_view domain, std::string_view op_type, std::int64_t version,
                         std::vector<RuntimeValue> inputs, std::vector<Attribute> attributes,
                         const KernelRun& run) {
    return run_kernel(domain, op_type, version, std::move(inputs), std::move(attributes), run)
        .at(0)
        .tensor();
}

}  // namespace lapidary::test
