// SPDX-License-Identifier: Apache-2.0
//   before:  DequantizeLinear(QuantizeLinear(x))   i8
//   after:   the same in u8, the zero points 128 higher: the same floats, and the products of u8
//            and i8 that CPUs have
// Values that meet in an integer operator need the same type, so whole neighbourhoods change or
// none. One with an i8 input or output of the graph does not change.
#include <algorithm>
#include <map>
#include <set>

#include "rewrite/constant_math.h"
#include "passes/qdq/node_unit.h"
#include "passes/qdq/shifted_to_u8.h"

namespace lapidary::passes {
namespace {

/// Stored i8 values that have to change together.
class Neighbourhoods {
public:
    explicit Neighbourhoods(const Scope& scope, const std::vector<NodeId>& nodes) : scope_(scope) {
        for (NodeId id : nodes) {
            const Node& node = scope.node(id);
            if ((is_dequantize(node) || is_quantize(node)) && node.outputs[0]) add(node);
        }
        for (NodeId id : nodes)
            if (const Node& node = scope.node(id); !is_dequantize(node) && !is_quantize(node) &&
                                                   !node.outputs.empty() && node.outputs[0])
                join(node);
    }

    /// Values of each neighbourhood that can change, in order of their first.
    std::vector<std::vector<ValueId>> convertible() {
        std::map<ValueId, std::vector<ValueId>> groups;
        for (const auto& [value, parent] : parents_) groups[root(value)].push_back(value);
        std::vector<std::vector<ValueId>> result;
        for (auto& [first, group] : groups) {
            const bool pinned =
                std::ranges::any_of(group, [&](ValueId v) { return pinned_.contains(v); });
            const bool computed = std::ranges::any_of(
                group, [&](ValueId v) { return scope_.producer(v) != nullptr; });
            if (!pinned && computed) result.push_back(std::move(group));
        }
        return result;
    }

private:
    void add(const Node& node) {
        const Quantization q = quantization_of(scope_, node);
        if (q.dtype != DType::i8) return;
        parents_.emplace(q.stored, q.stored);
        const Value& v = scope_.value(q.stored);
        const Node* producer = scope_.producer(q.stored);
        bool free = q.zeros.has_value() && v.output_uses == 0 && v.captured_by.empty();
        free = free && (v.is_constant() || (producer && is_quantize(*producer)));
        for (const Use& use : v.uses)
            free = free && use.input == 0 && is_dequantize(scope_.node(use.node));
        if (!free) pinned_.insert(q.stored);
    }

    /// The values that meet in one integer operator: activations and the result. Constant weights
    /// may stay i8.
    void join(const Node& node) {
        const bool product = node.op_type == "Conv" || node.op_type == "ConvTranspose" ||
                             node.op_type == "MatMul" || node.op_type == "Gemm";
        const NodeUnit unit(scope_, node.id);
        ValueId first = unit.output() ? unit.output()->stored : ValueId{};
        for (std::size_t i = 0; i < unit.input_count(); ++i) {
            if (!unit.input(i) || unit.input(i)->dtype != DType::i8) continue;
            const ValueId v = unit.input(i)->stored;
            if (product && i > 0 && scope_.constant(v)) continue;
            if (first) unite(first, v);
            else first = v;
        }
    }

    ValueId root(ValueId v) {
        while (parents_.at(v) != v) v = parents_.at(v);
        return v;
    }
    void unite(ValueId a, ValueId b) {
        if (!parents_.contains(a) || !parents_.contains(b)) return;  // u8 already
        const ValueId x = root(a), y = root(b);
        if (x != y) parents_[std::max(x, y)] = std::min(x, y);
    }

    const Scope& scope_;
    std::map<ValueId, ValueId> parents_;
    std::set<ValueId> pinned_;
};

void convert_node(PassContext& context, NodeId id, ValueId stored) {
    const Node& node = context.graph().node(id);
    const Quantization q = quantization_of(context.scope(), node);
    const std::string op = node.qualified_op(),
                      name = context.graph().value(q.zero_point ? q.zero_point : q.scale).name;
    std::vector<ValueId> inputs = node.inputs;
    if (stored) inputs[0] = stored;
    inputs.resize(3);
    inputs[2] = context.constant(
        name + "_u8",
        shifted_to_u8(q.zero_point ? *q.zeros
                                   : tensor_of_doubles(
                                         DType::i8, q.scales ? q.scales->shape() : Shape(), {0})));
    std::vector<Attribute> attributes;
    for (const Attribute& a : node.attributes)
        if (a.name != "output_dtype" || is_dequantize(node)) attributes.push_back(a);
    if (is_quantize(node))
        context.edit().set_type(q.stored, [&] {
            Type t = context.graph().value(q.stored).type;
            t.dtype = DType::u8;
            return t;
        }());
    context.replace(id, op, std::move(inputs), std::move(attributes));
}

void convert(PassContext& context, ValueId stored) {
    const Scope& scope = context.scope();
    std::vector<NodeId> readers;
    for (const Use& use : scope.value(stored).uses) readers.push_back(use.node);
    ValueId constant;
    if (const Tensor* t = scope.constant(stored))
        constant = context.constant(scope.value(stored).name + "_u8", shifted_to_u8(*t));
    else convert_node(context, scope.producer(stored)->id, {});
    for (NodeId id : readers) convert_node(context, id, constant);
}

}  // namespace

PassBody convert_quantization_to_u8() {
    return {.run = [](PassContext& context) {
        Neighbourhoods neighbourhoods(context.scope(), context.nodes());
        for (const auto& group : neighbourhoods.convertible()) {
            if (!context.may_rewrite()) return;
            for (ValueId v : group) convert(context, v);
            context.record("i8 became u8, zero points 128 higher");
        }
    }};
}

}  // namespace lapidary::passes
