// SPDX-License-Identifier: Apache-2.0
// Mode half: nodes compute in float16 if their operator allows it and their values fit. Casts are
// added between them and nodes that stay float32, and at inputs and outputs.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include <lapidary/base/error.h>
#include <lapidary/base/quantity_text.h>

#include "quantize/writers/quantize_writer.h"
#include "rewrite/half_floats.h"
#include "rewrite/half_guards.h"

namespace lapidary {
namespace {

constexpr float smallest_normal = 0x1p-14f;

class HalfWriter final : public QuantizeWriter {
public:
    HalfWriter(Model& model, const QuantizeOptions& options, const Calibration* calibration)
        : QuantizeWriter(model, options), calibration_(calibration), rewriter_(edit(), DType::f16) {
    }

private:
    void write_all(const Progress& progress) override {
        guards_ = half_guards(graph());
        for (NodeId id : graph().nodes()) {
            cancel().throw_if_cancelled();
            choose(graph().node(id));
        }
        for (NodeId id : rewriter_.drop_islands())
            reasons_[id] = "stands between nodes that stay float32";
        write_nodes(progress);
        edit().record("float16 with Casts where float32 stays");
        rewriter_.erase_replaced();
        if (rewriter_.subnormal() > 0)
            note(fmt::format(
                "{} so small that float16 holds fewer digits of them, {} to 0",
                count_text(std::int64_t(rewriter_.subnormal()), "weight is", "weights are"),
                count_text(std::int64_t(rewriter_.lost()), "is rounded", "are rounded")));
        report_guards();
        if (!calibration_)
            note(
                "no samples were looked at: nodes whose values float16 has no room for are not "
                "known");
    }

    void choose(const Node& node) {
        if (const std::string* const pattern = keeping_pattern(graph(), node, options())) {
            reasons_[node.id] = "kept float as asked for (" + *pattern + ")";
            return;
        }
        HalfPorts ports = half_ports(graph(), node);
        if (const auto guard = guards_.find(node.id);
            guard != guards_.end() && ports.problem.empty())
            ports.problem = guard->second;
        if (ports.problem.empty()) ports.problem = range_problem(node, ports);
        if (ports.problem.empty()) rewriter_.take(node.id, std::move(ports));
        else reasons_[node.id] = ports.problem;
    }

    void report_guards() {
        if (guards_.empty()) return;
        note(
            fmt::format("{} float32 around constants that float16 rounds to 0 and that keep "
                        "divisors, roots, powers "
                        "and logarithms off 0",
                        count_text(std::ssize(guards_), "node stays", "nodes stay")));
    }

    std::string range_problem(const Node& node, const HalfPorts& ports) const {
        const auto problem_of = [&](ValueId id) -> std::string {
            const Value& value = graph().value(id);
            if (value.is_constant() && value.constant) return half_constant_problem(value);
            const ObservedTensor* seen = calibration_ ? calibration_->find(value.name) : nullptr;
            if (!seen) return {};
            if (seen->not_finite > 0) return quote(value.name) + " is not finite in some samples";
            const float peak = std::max(std::abs(seen->low), std::abs(seen->high));
            // such as products of scales, which later factors make large again
            if (peak > 0 && peak < smallest_normal)
                return fmt::format(
                    "protected: {} reaches no more than {:.3g}, below {:.3g} float16 loses digits",
                    quote(value.name), peak, smallest_normal);
            return half_range_problem(value.name, peak);
        };
        for (std::size_t i : ports.inputs)
            if (std::string problem = problem_of(node.inputs[i]); !problem.empty()) return problem;
        for (std::size_t i : ports.outputs)
            if (std::string problem = problem_of(node.outputs[i]); !problem.empty()) return problem;
        return {};
    }

    void write_node(NodeId id) override {
        const Node node = graph().node(id);
        if (!rewriter_.is_taken(id)) return decide(node, false, reasons_[id]);
        rewriter_.write(id);
        decide(node, true, "computes in float16");
    }

    const Calibration* calibration_;
    HalfRewriter rewriter_;
    std::map<NodeId, std::string> reasons_;
    std::map<NodeId, std::string> guards_;  // nodes that a small constant keeps in float32
};

}  // namespace

std::vector<WatchedValue> half_candidates(const Graph& graph) {
    std::set<ValueId> values;
    for (NodeId id : graph.nodes()) {
        const Node& node = graph.node(id);
        const HalfPorts ports = half_ports(graph, node);
        if (!ports.problem.empty()) continue;
        for (std::size_t i : ports.inputs)
            if (!graph.value(node.inputs[i]).is_constant()) values.insert(node.inputs[i]);
        for (std::size_t i : ports.outputs) values.insert(node.outputs[i]);
    }
    std::vector<WatchedValue> watched;
    for (ValueId id : values) watched.push_back({graph.value(id).name, -1});
    return watched;
}

void write_half(Model& model, const QuantizeOptions& options, const Calibration* calibration,
                QuantizeResult& result, const Progress& progress) {
    HalfWriter writer(model, options, calibration);
    writer.write(result, progress);
}

}  // namespace lapidary
