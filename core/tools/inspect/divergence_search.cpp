// SPDX-License-Identifier: Apache-2.0
#include "inspect/divergence_search.h"

#include <algorithm>
#include <set>
#include <utility>

#include <lapidary/base/error.h>

#include "inspect/node_sequence.h"
#include "inspect/rounding_noise.h"
#include "inspect/value_judge.h"

namespace lapidary {
namespace {

void add_bodies(const Node& node, std::set<const Graph*>& bodies) {
    for (const Attribute& attribute : node.attributes)
        if (const auto* const body = std::get_if<GraphPtr>(&attribute.value);
            body && *body && bodies.insert(body->get()).second)
            for (NodeId id : (*body)->nodes()) add_bodies((*body)->node(id), bodies);
}

/// By pair: whether `output` of the main graph is computed from it. Bodies count as a whole.
std::vector<bool> pairs_before(const MatchedValues& values, const Graph& graph,
                               const std::string& output) {
    const ValueId end = graph.find_value(output);
    const auto outputs = graph.outputs();
    if (!end || std::ranges::find(outputs, end) == outputs.end())
        fail_input("A has no output " + quote(output));
    std::set<ValueId> before{end};
    std::set<const Graph*> bodies;
    for (std::vector<ValueId> left{end}; !left.empty();) {
        const Value& value = graph.value(left.back());
        left.pop_back();
        if (value.kind != ValueKind::node_output) continue;
        const Node& node = graph.node(value.producer);
        add_bodies(node, bodies);
        for (const std::vector<ValueId>* read : {&node.inputs, &node.captures})
            for (ValueId id : *read)
                if (id && before.insert(id).second) left.push_back(id);
    }
    std::vector<bool> wanted;
    for (const MatchedValue& pair : values.pairs())
        wanted.push_back(pair.graph_a == &graph ? before.contains(pair.a)
                                                : bodies.contains(pair.graph_a));
    return wanted;
}

}  // namespace

Comparison compare_in_runs(const RuntimeValue& a, const RuntimeValue& b,
                           const Tolerance& tolerance) {
    if (overflows_in(a, b)) return compare(as_type_of(b, a), a, tolerance);
    const Comparison in_b = compare(b, as_type_of(a, b), tolerance);
    if (in_b.matches || overflows_in(b, a)) return in_b;
    // The rule allows more of narrower floats.
    return compare(as_type_of(b, a), a, tolerance);
}

std::string_view name_of(DivergenceVerdict verdict) {
    switch (verdict) {
    case DivergenceVerdict::same: return "same";
    case DivergenceVerdict::rounding: return "rounding";
    case DivergenceVerdict::differs: break;
    }
    return "differs";
}

DivergenceRecord::DivergenceRecord(const DivergenceSide& a, const Graph& graph_a,
                                   const DivergenceSide& b, const Graph& graph_b,
                                   const DivergenceOptions& options)
    : a_(a), b_(b), options_(options),
      values_(graph_a, graph_b,
              options.is_one_model || (!a.model->path.empty() && a.model->path == b.model->path)),
      place_(values_.pairs().size(), MatchedValues::none) {
    if (std::ranges::none_of(values_.pairs(), [](const MatchedValue& pair) {
            return pair.graph_a->value(pair.a).kind == ValueKind::node_output;
        }))
        fail_input("the models have no value in common: neither names nor operators match");
    if (!options.output.empty()) wanted_ = pairs_before(values_, graph_a, options.output);
}

ValuePair DivergenceRecord::pair_of(std::size_t pair, const std::string& path) const {
    const MatchedValue& matched = values_.pairs()[pair];
    ValuePair value;
    value.name_a = matched.graph_a->value(matched.a).name;
    value.name_b = matched.graph_b->value(matched.b).name;
    value.path = path;
    value.matched_by = matched.by;
    return value;
}

void DivergenceRecord::note(std::size_t pair, const std::string& path, const Comparison& comparison,
                            double rounding) {
    std::size_t& place = place_[pair];
    if (place == MatchedValues::none) {
        place = result_.values.size();
        result_.values.push_back(pair_of(pair, path));
    }
    ValuePair& value = result_.values[place];
    value.relative = std::max(value.relative, comparison.relative());
    value.matches = value.matches && comparison.matches;
    value.rounding = std::max(value.rounding, rounding);
    is_any_beyond_ = is_any_beyond_ || !comparison.matches;
}

void DivergenceRecord::note_alone(std::size_t pair, const Comparison& alone,
                                  std::optional<double> explained) {
    if (place_[pair] == MatchedValues::none) return;
    ValuePair& value = result_.values[place_[pair]];
    value.alone = std::max(value.alone.value_or(0), alone.relative());
    if (explained && alone.magnitude > 0)
        value.rounding = std::max(value.rounding, allowed_noise * *explained / alone.magnitude);
}

bool DivergenceRecord::has_cause(std::size_t pair) const {
    const auto writer = [&](std::size_t of) {
        const MatchedValue& matched = values_.pairs()[of];
        return writer_of(*matched.graph_b, matched.b);
    };
    return std::ranges::any_of(caused_,
                               [&](std::size_t known) { return writer(known) == writer(pair); });
}

NodeRegion DivergenceRecord::region_a(std::size_t pair) const {
    const MatchedValue& matched = values_.pairs()[pair];
    return region_of(*matched.graph_a, a_.model->graph, matched.a, values_, true);
}

NodeRegion DivergenceRecord::region_b(std::size_t pair) const {
    const MatchedValue& matched = values_.pairs()[pair];
    return region_of(*matched.graph_b, b_.model->graph, matched.b, values_, false);
}

void DivergenceRecord::add_cause(std::size_t pair, const std::string& path,
                                 std::vector<std::int64_t> iterations, const Comparison& comparison,
                                 std::optional<double> explained) {
    if (has_cause(pair) || !has_room()) return;
    caused_.push_back(pair);
    DivergenceCause cause;
    cause.value = pair_of(pair, path);
    cause.value.matches = false;
    cause.value.relative = comparison.relative();
    if (place_[pair] != MatchedValues::none) {
        cause.value.alone = result_.values[place_[pair]].alone;
        cause.value.rounding = result_.values[place_[pair]].rounding;
    }
    cause.iterations = std::move(iterations);
    cause.comparison = comparison;
    cause.explained = explained;
    const NodeRegion in_a = region_a(pair), in_b = region_b(pair);
    const auto describe = [&](const NodeRegion& region, bool is_a, std::vector<std::string>& nodes,
                              std::string& first, NodeSource& source) {
        for (NodeId id : suspects(region, values_, is_a)) {
            const Node& node = region.graph->node(id);
            if (nodes.empty()) {
                first = node.name.empty() ? node.describe() : node.name;
                source = source_of(node);
            }
            nodes.push_back(node.describe());
        }
    };
    describe(in_a, true, cause.nodes_a, cause.node_a, cause.source_a);
    describe(in_b, false, cause.nodes_b, cause.node_b, cause.source_b);
    cause.differences = differences_between(in_a, in_b);
    result_.causes.push_back(std::move(cause));
}

Divergence DivergenceRecord::finish(int runs, int engine_runs) {
    result_.runs = runs;
    result_.engine_runs = engine_runs;
    result_.unmatched_a = values_.unmatched_a();
    result_.unmatched_b = values_.unmatched_b();
    const auto beyond = std::ranges::find(result_.values, false, &ValuePair::matches);
    result_.first_beyond = static_cast<std::size_t>(beyond - result_.values.begin());
    if (beyond == result_.values.end()) result_.causes.clear();
    result_.verdict = beyond == result_.values.end() ? DivergenceVerdict::same
                      : result_.causes.empty()       ? DivergenceVerdict::rounding
                                                     : DivergenceVerdict::differs;
    return std::move(result_);
}

NamedValues inputs_of_b(const MatchedValues& values, const Graph& graph_a, const Graph& graph_b,
                        const NamedValues& inputs) {
    NamedValues of_b;
    for (ValueId id : graph_b.inputs()) {
        const Value& input = graph_b.value(id);
        const std::size_t pair = values.of_b(graph_b, id);
        const RuntimeValue* const given =
            pair == MatchedValues::none ? nullptr
                                        : find(inputs, graph_a.value(values.pairs()[pair].a).name);
        if (given == nullptr) {
            if (input.constant) continue;
            fail_input("the models cannot run on the same inputs: " + quote(input.name) +
                       " of B has no counterpart in A");
        }
        const bool is_tensor = input.type.is_tensor() && input.type.dtype != DType::undefined;
        of_b.emplace_back(input.name,
                          is_tensor ? as_type_of(*given, Tensor(input.type.dtype, {0})) : *given);
    }
    return of_b;
}

}  // namespace lapidary
