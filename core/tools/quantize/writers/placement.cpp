// SPDX-License-Identifier: Apache-2.0
#include "quantize/writers/placement.h"

#include <algorithm>
#include <span>

#include "ops/operator_traits.h"
#include "quantize/writers/quantize_writer.h"

namespace lapidary {
namespace {

class Placer {
public:
    Placer(const Graph& graph, const QuantizeOptions& options) : graph_(graph), options_(options) {}

    Placement run() {
        for (NodeId id : graph_.nodes()) choose(graph_.node(id));
        for (const auto& [id, product] : out_.products) {
            add_pair(product.data);
            out_.readers.insert(id);
            if (product.is_convolution && !traits_of(graph_.node(id)).quantizing.static_8.empty())
                add_output_pair(graph_.node(id));
        }
        // wider integers stay between pairs
        const bool is_bytes = bit_width(options_.activation) == 8;
        if (is_bytes) {
            for (NodeId id : graph_.nodes()) quantize_split(graph_.node(id));
            quantize_concats();
        }
        for (NodeId id : graph_.nodes()) keep_from_pairs(graph_.node(id));
        if (is_bytes)
            for (NodeId id : graph_.nodes()) quantize_moved(graph_.node(id));
        if (is_bytes) quantize_operands();
        for (NodeId id : graph_.nodes()) add_reader(graph_.node(id));
        explain();
        return std::move(out_);
    }

private:
    void choose(const Node& node) {
        if (const std::string* const pattern = keeping_pattern(graph_, node, options_)) {
            out_.reasons[node.id] = "kept float as asked for (" + *pattern + ")";
            return;
        }
        std::string reason;
        const auto product = weighted_product(graph_, node, reason);
        if (!product) out_.reasons[node.id] = reason;
        else if (!product->plain)
            out_.reasons[node.id] =
                "alpha, beta or a transposed first operand have no place in the integer product";
        else if (wants_weight_alone(graph_, node, options_) || !has_integer_product(node))
            out_.weights_alone[node.id] = *product;
        else out_.products[node.id] = *product;
    }

    /// The value itself, or the one that operators like Reshape only moved to it.
    ValueId source_of(ValueId value) const {
        while (graph_.value(value).kind == ValueKind::node_output) {
            const Node& producer = graph_.node(graph_.value(value).producer);
            if (!moves_values(producer) || !is_f32(graph_, producer.inputs[0]) ||
                graph_.value(producer.inputs[0]).is_constant())
                break;
            value = producer.inputs[0];
        }
        return value;
    }

    void add_pair(ValueId value) {
        const ValueId source = source_of(value);
        for (ValueId at = value;; at = graph_.node(graph_.value(at).producer).inputs[0]) {
            out_.pairs[at] = source;
            if (at == source) break;
            out_.readers.insert(graph_.value(at).producer);
        }
    }

    /// Adds a pair after a convolution, behind an activation that the rounding absorbs.
    void add_output_pair(const Node& node) {
        ValueId value = node.outputs[0];
        if (graph_.value(value).read_once()) {
            const Node& next = graph_.node(graph_.value(value).uses[0].node);
            if (is_absorbed(next) && graph_.value(value).uses[0].input == 0)
                value = next.outputs[0];
        }
        if (leads_out(value)) return;
        add_pair(value);
        out_.for_all.insert(value);
    }

    /// True if the value is a graph output, directly or after operators that only move values.
    bool leads_out(ValueId value) const {
        const Value& found = graph_.value(value);
        if (found.output_uses > 0) return true;
        return std::ranges::any_of(found.uses, [&](const Use& use) {
            const Node& reader = graph_.node(use.node);
            return moves_values(reader) && use.input == 0 && leads_out(reader.outputs[0]);
        });
    }

    /// True if the value gets a pair, perhaps behind activations that the rounding absorbs.
    bool leads_to_pair(ValueId value) const {
        while (!out_.pairs.contains(value)) {
            if (!graph_.value(value).read_once()) return false;
            const Node& next = graph_.node(graph_.value(value).uses[0].node);
            if (!is_absorbed(next) || graph_.value(value).uses[0].input != 0) return false;
            value = next.outputs[0];
        }
        return graph_.value(value).kind == ValueKind::node_output;
    }

    /// See Placement::float_readers. An operator that only moves values in front of the node must
    /// read the float too, since ONNX Runtime moves pairs behind it.
    void keep_from_pairs(const Node& node) {
        if (!is_product(node) || node.op_type == "MatMul" || out_.products.contains(node.id))
            return;
        if (!leads_to_pair(node.outputs[0])) return;
        NodeId reader = node.id;
        ValueId value = node.inputs[0];
        while (!out_.for_all.contains(value)) {
            const Value& found = graph_.value(value);
            if (found.kind != ValueKind::node_output || !found.read_once()) return;
            if (!moves_values(graph_.node(found.producer))) return;
            reader = found.producer;
            value = graph_.node(reader).inputs[0];
        }
        out_.float_readers.insert(reader);
        const bool is_read = std::ranges::any_of(graph_.value(value).uses, [&](const Use& use) {
            return !out_.float_readers.contains(use.node);
        });
        if (is_read) return;
        out_.pairs.erase(value);
        out_.for_all.erase(value);
    }

    bool is_kept(const Node& node) const {
        const auto reason = out_.reasons.find(node.id);
        return reason != out_.reasons.end() && reason->second.starts_with("kept");
    }

    /// If all readers of a value read its pair, the outputs of a Split of it have the same steps:
    /// they get pairs too.
    void quantize_split(const Node& node) {
        if (traits_of(node).layout != OperatorLayout::split || is_kept(node)) return;
        if (!out_.for_all.contains(node.inputs[0])) return;
        for (ValueId part : node.outputs)
            if (part && graph_.value(part).output_uses > 0) return;
        const ValueId source = out_.pairs.at(node.inputs[0]);
        for (ValueId part : node.outputs) {
            if (!part || graph_.value(part).is_unused()) continue;
            for (auto& [value, of] : out_.pairs)
                if (of == part) of = source;
            out_.pairs[part] = source;
            out_.for_all.insert(part);
        }
    }

    /// Adds pairs behind operators that only move quantized values to an operator that runs in
    /// integers otherwise.
    void quantize_moved(const Node& node) {
        if (!has_integer_form(node) || is_kept(node)) return;
        const auto has_pair = [&](ValueId v) { return !v || out_.pairs.contains(v); };
        if (!std::ranges::all_of(node.outputs, has_pair)) return;
        std::vector<ValueId> moved;
        for (ValueId input : node.inputs) {
            if (!is_f32(graph_, input) || graph_.value(input).is_constant() || has_pair(input))
                continue;
            if (!out_.for_all.contains(source_of(input))) return;
            moved.push_back(input);
        }
        for (ValueId input : moved) add_pair(input);
    }

    /// True for a Concat of floats whose result has a pair that every reader may read.
    bool may_join_integers(const Node& node) const {
        return traits_of(node).layout == OperatorLayout::concat &&
               out_.pairs.contains(node.outputs[0]) && !is_kept(node) &&
               !leads_out(node.outputs[0]) && std::ranges::all_of(node.inputs, [&](ValueId input) {
                   return is_f32(graph_, input) && !graph_.value(input).is_constant();
               });
    }

    /// A Concat in front of a pair runs in integers if it reads at least one pair. Its other inputs
    /// are then rounded before it instead of after it, to the same steps. Pairs of inputs that
    /// nothing else reads get its steps too: then values are rounded once instead of twice, and the
    /// Concat only copies.
    void quantize_concats() {
        const std::span<const NodeId> nodes = graph_.nodes();
        std::set<ValueId>
            rounded;  // to the steps of a Concat; between two Concats with separate steps
        for (auto id = nodes.rbegin(); id != nodes.rend(); ++id) {
            const Node& node = graph_.node(*id);
            if (!may_join_integers(node)) continue;
            for (ValueId input : node.inputs)
                if (!out_.pairs.contains(input) && out_.pairs.contains(source_of(input)))
                    add_pair(input);
            if (std::ranges::none_of(node.inputs,
                                     [&](ValueId input) { return out_.pairs.contains(input); }))
                continue;
            const ValueId joined = out_.pairs.at(node.outputs[0]);
            out_.for_all.insert(node.outputs[0]);
            for (ValueId input : node.inputs) {
                const auto [pair, is_new] = out_.pairs.try_emplace(input, joined);
                if (is_new) rounded.insert(input);
                else if (pair->second == joined) continue;
                else if (rounded.contains(input)) pair->second = input;
                else if (is_read_by(pair->second, node.id))
                    out_.joined.try_emplace(pair->second, joined);
            }
        }
    }

    /// True if only that node reads the value, directly or behind operators that only move values.
    bool is_read_by(ValueId value, NodeId node) const {
        const Value& found = graph_.value(value);
        if (found.output_uses > 0 || !found.captured_by.empty()) return false;
        return std::ranges::all_of(found.uses, [&](const Use& use) {
            if (use.node == node) return true;
            const Node& reader = graph_.node(use.node);
            return moves_values(reader) && use.input == 0 && is_read_by(reader.outputs[0], node);
        });
    }

    /// Collects the values with pairs from which `value` is computed elementwise. False: it has
    /// other inputs.
    bool has_sources(ValueId value, std::set<ValueId>& sources, int depth = 0) const {
        constexpr int deepest = 16;
        if (out_.pairs.contains(value)) {
            sources.insert(value);
            return true;
        }
        const Value& found = graph_.value(value);
        if (found.is_constant() && found.constant) return found.constant->size() == 1;
        if (found.kind != ValueKind::node_output || depth == deepest) return false;
        const Node& producer = graph_.node(found.producer);
        return traits_of(producer).is_elementwise() && !is_kept(producer) &&
               std::ranges::all_of(producer.inputs, [&](ValueId input) {
                   return !input || has_sources(input, sources, depth + 1);
               });
    }

    /// Operands without a pair of a pool, or of an operator on several quantized values. Empty if
    /// the operator would not run in integers with such pairs, or if all comes from one value: then
    /// one table look-up gives the result.
    std::vector<ValueId> unrounded_operands(const Node& node) const {
        const OperatorLayout layout = traits_of(node).layout;
        const bool is_pool =
            layout == OperatorLayout::pool || layout == OperatorLayout::global_pool;
        if ((layout != OperatorLayout::binary && !is_pool) || !has_integer_form(node) ||
            is_kept(node) || !leads_to_pair(node.outputs[0]))
            return {};
        std::set<ValueId> sources;
        std::vector<ValueId> open;
        for (ValueId input : node.inputs) {
            if (!is_f32(graph_, input) || graph_.value(input).is_constant()) continue;
            if (!has_sources(input, sources) || leads_out(input)) return {};
            if (!out_.pairs.contains(input)) open.push_back(input);
        }
        const bool is_function_of_one = !is_pool && sources.size() < 2;
        return is_function_of_one ? std::vector<ValueId>{} : open;
    }

    /// Pools, and sums and products of several quantized values, run in integers in front of a
    /// pair: their operands get pairs too.
    void quantize_operands() {
        const std::span<const NodeId> nodes = graph_.nodes();
        for (auto id = nodes.rbegin(); id != nodes.rend(); ++id)
            for (ValueId input : unrounded_operands(graph_.node(*id))) {
                add_pair(input);
                out_.for_all.insert(input);
            }
    }

    /// True for a result with a pair. That of a sum or product may have it behind an activation
    /// that the rounding absorbs, as in residual blocks.
    bool has_rounded_result(const Node& node) const {
        const bool is_binary = traits_of(node).layout == OperatorLayout::binary;
        return std::ranges::all_of(node.outputs, [&](ValueId v) {
            return !v || out_.pairs.contains(v) || (is_binary && leads_to_pair(v));
        });
    }

    /// An operator with pairs at all inputs and outputs runs in integers.
    void add_reader(const Node& node) {
        if (!has_integer_form(node) || node.outputs.empty() ||
            out_.reasons[node.id].starts_with("kept"))
            return;
        bool any = false;
        for (std::size_t i = 0; i < node.inputs.size(); ++i) {
            if (!is_f32(graph_, node.inputs[i]) || graph_.value(node.inputs[i]).is_constant())
                continue;
            if (!out_.pairs.contains(node.inputs[i])) return;
            any = true;
        }
        if (any && has_rounded_result(node)) out_.readers.insert(node.id);
    }

    void explain() {
        for (NodeId id : graph_.nodes())
            if (!out_.products.contains(id) && !out_.weights_alone.contains(id) &&
                !out_.reasons[id].starts_with("kept"))
                explain(graph_.node(id));
    }

    void explain(const Node& node) {
        std::string& reason = out_.reasons[node.id];
        const bool reads = out_.readers.contains(node.id);
        if (moves_values(node))
            reason = reads ? "moves quantized values as they are" : "no integer product follows";
        else if (reads) reason = "its inputs and outputs are quantized";
        else if (has_integer_form(node))
            reason = "an input or its result stays float: integers would be made for it alone";
        else if (is_product(node)) return;  // weighted_product() has said why it has no weight
        else if (is_absorbed(node))
            reason = "goes into the rounding after it where that follows, else stays float";
        else if (has_plain_integer_form(node))
            reason = "its integer kernel is the plain one, slower than that of floats";
        else reason = "there is no integer kernel for " + node.qualified_op();
    }

    const Graph& graph_;
    const QuantizeOptions& options_;
    Placement out_;
};

}  // namespace

Placement place_by_benefit(const Graph& graph, const QuantizeOptions& options) {
    return Placer(graph, options).run();
}

std::vector<WatchedValue> values_to_watch(const Graph& graph, const Placement& placement) {
    std::map<ValueId, std::int64_t> axes;
    for (const auto& [value, source] : placement.pairs) axes.try_emplace(source, -1);
    for (const auto* products : {&placement.products, &placement.weights_alone})
        for (const auto& [id, product] : *products) axes[product.data] = product.data_axis;
    std::vector<WatchedValue> values;
    for (const auto& [value, axis] : axes) values.push_back({graph.value(value).name, axis});
    return values;
}

}  // namespace lapidary
