// SPDX-License-Identifier: Apache-2.0
#include "exec/memory/expected_memory.h"

#include <algorithm>

#include <lapidary/base/error.h>

#include "exec/plan/type_bytes.h"

namespace lapidary {
namespace {

/// The type with numbers for known dimensions; unknown ones stay symbolic. Nothing: it is no
/// tensor.
std::optional<Type> sized(const Type& type, const DimensionSizes& sizes) {
    if (!type.is_tensor() || type.dtype == DType::undefined) return std::nullopt;
    Type result = type;
    if (!result.shape) return result;
    for (Dim& dim : *result.shape)
        if (!dim.is_known())
            if (const auto size = sizes(dim); size && *size >= 0) dim = *size;
    return result;
}

/// Kernels that move or combine elements in place never need working memory.
bool takes_none(const std::string& kernel) {
    return (kernel.starts_with("movement.") && kernel != "movement.non_max_suppression") ||
           kernel.starts_with("elementwise.") || kernel == "reference.clip" ||
           kernel == "reference.crop";
}

class Expectation {
public:
    Expectation(const Plan& plan, const DimensionSizes& sizes, const Graph* concrete,
                StepSurvey& survey, const CancelToken& cancel)
        : plan_(plan), sizes_(sizes), concrete_(concrete), survey_(survey), cancel_(cancel) {}

    ExpectedMemory make() {
        const Graph& graph = *plan_.graph;
        MemoryTrace& trace = expected_.trace;
        trace.value_bytes.assign(graph.value_slots(), MemoryTrace::nothing);
        trace.shapes.resize(graph.value_slots());
        trace.is_planned.assign(graph.value_slots(), 0);
        expected_.is_free.assign(graph.value_slots(), 0);
        expected_.types.resize(graph.value_slots());
        for (ValueId v : graph.values()) {
            if (v.index % 1024 == 0) cancel_.throw_if_cancelled();
            expected_.types[v.index] = type_of(v);
        }
        for (ValueId v : graph.inputs()) set_bytes(v);
        for (std::size_t v = 0; v < plan_.constants.size(); ++v)
            if (plan_.constants[v].is_tensor())
                trace.value_bytes[v] = plan_.constants[v].tensor().byte_size();
        for (std::size_t i = 0; i < plan_.steps.size(); ++i) look_into(i);
        return std::move(expected_);
    }

private:
    std::optional<Type> type_of(ValueId v) const {
        const Value& value = plan_.graph->value(v);
        std::optional<Type> type = sized(value.type, sizes_);
        if ((type && type->is_static()) || !concrete_ || !concrete_->is_alive(v)) return type;
        const Value& same = concrete_->value(v);
        return same.name == value.name && same.type.is_static() ? same.type : type;
    }

    /// The same subgraph of `concrete_`, if it is there.
    GraphPtr concrete_body(NodeId node, const std::string& attribute) const {
        if (!concrete_ || !concrete_->is_alive(node) ||
            !concrete_->node(node).has_attribute(attribute))
            return nullptr;
        return concrete_->node(node).graph_attribute(attribute);
    }

    void set_bytes(ValueId v) {
        const std::optional<Type>& type = expected_.types[v.index];
        const auto bytes = type ? bytes_of(*type) : std::nullopt;
        if (!bytes) return;
        expected_.trace.value_bytes[v.index] = *bytes;
    }

    void look_into(std::size_t index) {
        if (index % 64 == 0) cancel_.throw_if_cancelled();
        const Step& step = plan_.steps[index];
        const Node& node = plan_.graph->node(step.node);
        StepRequests requests = survey_.survey(plan_, index, expected_.types);
        auto& scratch = expected_.trace.scratch_bytes.emplace_back();
        for (const StepRequests::Request& r : requests.in_order)
            if (r.output == StepRequests::scratch && scratch.size() < MemoryTrace::most_scratch)
                scratch.push_back(r.bytes);
        std::uint64_t inner = 0;
        for (const auto& [name, sub] : step.subgraphs) {
            const GraphPtr same = concrete_body(step.node, name);
            ExpectedMemory body = Expectation(*sub, sizes_, same.get(), survey_, cancel_).make();
            inner = std::max(inner, make_pattern(*sub, body.trace, true, cancel_).total_bytes);
            std::ranges::move(body.unknown, std::back_inserter(expected_.unknown));
        }
        if (inner != 0) scratch.push_back(inner);
        expected_.inner.push_back(inner);

        bool reports_sizes = true;
        for (std::size_t o = 0; o < node.outputs.size(); ++o) {
            const ValueId v = node.outputs[o];
            if (!v) continue;
            set_bytes(v);
            const std::optional<Type>& type = expected_.types[v.index];
            const bool is_text = type && type->dtype == DType::string;
            const bool is_known =
                expected_.trace.value_bytes[v.index] != MemoryTrace::nothing && !is_text;
            const bool stays_out = requests.outputs[o] >= StepRequests::Written::otherwise ||
                                   !step.subgraphs.empty() ||
                                   (requests.is_complete && !requests.in_order.empty() &&
                                    requests.outputs[o] == StepRequests::Written::unknown);
            if (is_known && !stays_out) {
                expected_.trace.is_planned[v.index] = 1;
                expected_.trace.shapes[v.index] = type->static_shape();
            }
            expected_.is_free[v.index] = requests.outputs[o] == StepRequests::Written::borrowed;
            if (!is_known) {
                expected_.unknown.push_back(plan_.path + plan_.graph->value(v).name);
                reports_sizes = false;
            }
        }
        if (!requests.is_complete && step.subgraphs.empty() && reports_sizes &&
            !takes_none(step.kernel.name))
            expected_.unknown.push_back("working memory of " + step_name(plan_, step) + " (" +
                                        step.kernel.name + ")");
        expected_.steps.push_back(std::move(requests));
    }

    const Plan& plan_;
    const DimensionSizes& sizes_;
    const Graph* concrete_;
    StepSurvey& survey_;
    const CancelToken& cancel_;
    ExpectedMemory expected_;
};

}  // namespace

ExpectedMemory expect_memory(const Plan& plan, const DimensionSizes& sizes, const Graph* concrete,
                             StepSurvey& survey, const CancelToken& cancel) {
    return Expectation(plan, sizes, concrete, survey, cancel).make();
}

}  // namespace lapidary
