// SPDX-License-Identifier: Apache-2.0
//   before:  QLinearConv -> QLinearAdd -> QLinearConv ...   channels second
//   after:   Transpose -> QLinearConv {channels_last: 1} ... -> Transpose channels last, as integer
//            kernels want them
// Whole neighbourhoods change: convolutions, pools, and between them elementwise operators, also of
// floats that are computed from bytes and rounded to bytes again. The criterion: the bytes that
// Transposes at its border move (those that cancel against Transposes and reorders there not
// counted) are at most three quarters of those that its convolutions read and write, which these
// would transpose themselves. The border lies behind the float operators that Transposes go
// through, where that is so with them. Sizes that are not known count as 1.
#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include <fmt/format.h>

#include "ops/operator_traits.h"
#include "passes/byte_function.h"
#include "passes/layout/blocked_region.h"
#include "passes/layout/layout_operator.h"
#include "passes/layout/reorder_transposes.h"
#include "passes/permuted_operator.h"
#include "passes/transpose_region.h"
#include "rewrite/pass.h"

namespace lapidary::passes {
namespace {

std::vector<std::int64_t> to_last(int rank) {
    std::vector<std::int64_t> p{0};
    for (int i = 2; i < rank; ++i) p.push_back(i);
    p.push_back(1);
    return p;
}

std::vector<std::int64_t> to_second(int rank) {
    std::vector<std::int64_t> p{0, rank - 1};
    for (int i = 1; i < rank - 1; ++i) p.push_back(i);
    return p;
}

/// The new form of an operator; `data`: its inputs that change layout.
struct Conversion {
    std::string op;
    std::vector<std::size_t> data;
    std::vector<Attribute> attributes;
    bool is_conv = false;
};

bool is_byte(DType t) { return t == DType::u8 || t == DType::i8; }

/// Operators with an attribute channels_last, or with a corresponding operator that has one.
std::optional<std::string> channels_last_operator(const Scope& scope, const Node& node,
                                                  const std::string& op) {
    if (op == "QLinearConv" || op == "com.microsoft::QLinearConv")
        return "com.microsoft::QLinearConv";
    if (op == "com.microsoft::QLinearAveragePool" ||
        op == "com.microsoft::QLinearGlobalAveragePool")
        return op;
    if (op != "MaxPool") return std::nullopt;
    if (!is_byte(scope.dtype(node.inputs[0])) || (node.outputs.size() > 1 && node.outputs[1]))
        return std::nullopt;
    return "com.microsoft::NhwcMaxPool";
}

/// True if each size is that of the result or 1.
bool is_spread_to(const Type& operand, const Type& result) {
    if (!operand.shape || !result.shape || operand.shape->size() != result.shape->size())
        return false;
    for (std::size_t i = 0; i < result.shape->size(); ++i) {
        const Dim& own = (*operand.shape)[i];
        const bool is_one = own.is_known() && own.value() == 1;
        if (!is_one && (own.is_unknown() || !(own == (*result.shape)[i]))) return false;
    }
    return true;
}

/// The operands of QLinearAdd or QLinearMul that change layout, one of them with the shape of the
/// result. None: another operand has more than one element.
std::vector<std::size_t> whole_operands(const Scope& scope, const Node& node) {
    std::vector<std::size_t> data;
    bool is_whole = false;
    for (const std::size_t i : {std::size_t{0}, std::size_t{3}}) {
        const Tensor* constant = scope.constant(node.inputs[i]);
        const Type &operand = scope.type(node.inputs[i]), &result = scope.type(node.outputs[0]);
        if (!constant && (same_shape(operand, result) || is_spread_to(operand, result))) {
            data.push_back(i);
            is_whole = is_whole || same_shape(operand, result);
        } else if (!constant || constant->size() != 1) return {};
    }
    return is_whole ? data : std::vector<std::size_t>{};
}

/// Operators that work on any layout; nothing where this one depends on it.
std::optional<Conversion> any_layout_conversion(const Scope& scope, const Node& node,
                                                Conversion c) {
    if (c.op == "com.microsoft::QLinearLeakyRelu" || c.op == "com.microsoft::QLinearSigmoid") {
        c.data = {0};
        return c;
    }
    if (c.op == "com.microsoft::QLinearAdd" || c.op == "com.microsoft::QLinearMul") {
        c.data = whole_operands(scope, node);
        return c.data.empty() ? std::nullopt : std::optional(c);
    }
    const bool is_plain = c.op == "Concat" && is_byte(scope.dtype(node.outputs[0]));
    if (!is_plain && c.op != "com.microsoft::QLinearConcat") return std::nullopt;
    const std::int64_t axis = node.int_attribute("axis", is_plain ? 1 : 0),
                       rank = scope.rank(node.outputs[0]);
    if (axis != 1 && axis != 1 - rank) return std::nullopt;
    c.attributes = {attr("axis", rank - 1)};
    for (std::size_t i = is_plain ? 0 : 2; i < node.inputs.size(); i += is_plain ? 1 : 3)
        c.data.push_back(i);
    return c;
}

std::optional<Conversion> conversion_of(const Scope& scope, const Node& node) {
    if (node.outputs.empty() || !node.outputs[0] || node.inputs.empty() || !node.inputs[0])
        return std::nullopt;
    const std::string op = node.qualified_op();
    if (scope.rank(node.outputs[0]) < 3 || scope.rank(node.inputs[0]) < 0) return std::nullopt;
    if (node.int_attribute("channels_last", 0) != 0) return std::nullopt;
    Conversion c;
    for (const Attribute& a : node.attributes)
        if (a.name != "channels_last" && a.name != "storage_order") c.attributes.push_back(a);
    if (const auto last = channels_last_operator(scope, node, op)) {
        c.op = *last;
        c.data = {0};
        c.is_conv = c.op == "com.microsoft::QLinearConv";
        if (c.op != "com.microsoft::NhwcMaxPool") c.attributes.push_back(attr("channels_last", 1));
        return c;
    }
    c.op = op;
    return any_layout_conversion(scope, node, std::move(c));
}

/// The nodes from a DequantizeLinear to a QuantizeLinear, if nothing else reads the floats between
/// them: they work on any layout. Inputs of more than one element are data.
std::map<NodeId, Conversion> conversions_between_bytes(const Scope& scope,
                                                       const std::vector<NodeId>& nodes) {
    std::map<NodeId, Conversion> found;
    for (NodeId id : nodes) {
        if (scope.node(id).op_type != "QuantizeLinear" || scope.rank(scope.node(id).outputs[0]) < 3)
            continue;
        const auto function = byte_function_of(scope.graph, id);
        if (!function) continue;
        const std::set<NodeId> inside(function->nodes.begin(), function->nodes.end());
        const bool is_shared = std::ranges::any_of(inside, [&](NodeId member) {
            return member != id &&
                   !std::ranges::all_of(scope.value(scope.node(member).outputs[0]).uses,
                                        [&](const Use& use) { return inside.contains(use.node); });
        });
        if (is_shared) continue;
        for (NodeId member : function->nodes) {
            const Node& node = scope.node(member);
            Conversion c{node.qualified_op(), {}, node.attributes, false};
            for (std::size_t i = 0; i < node.inputs.size(); ++i)
                if (node.inputs[i] && !scope.constant(node.inputs[i])) c.data.push_back(i);
            found.emplace(member, std::move(c));
        }
    }
    return found;
}

/// Of a Transpose of the value.
double bytes_moved(const Scope& scope, ValueId v) {
    double n = static_cast<double>(std::max<std::size_t>(8, bit_width(scope.type(v).dtype))) / 8;
    if (const auto& shape = scope.type(v).shape)
        for (const Dim& d : *shape) n *= d.is_known() ? static_cast<double>(d.value()) : 1;
    return n;
}

/// Inputs of a float operator, or of one at the border of integers, that Transposes go through to
/// its result; empty: they stop there.
std::vector<std::size_t> carried_inputs(const Scope& scope, const Node& node) {
    using enum OperatorLayout;
    const OperatorLayout layout = traits_of(node).layout;
    const bool may_be = node.domain.empty() && node.outputs.size() == 1 && node.outputs[0] &&
                        (layout == unary || layout == binary || layout == quantize ||
                         layout == resize || layout == global_pool);
    const int rank = may_be ? scope.rank(node.outputs[0]) : 0;
    if (rank < 3) return {};
    const Carried carried = carry(scope, node, true, 0, to_second(rank));
    std::vector<std::size_t> data;
    for (std::size_t i = 0; carried.supported && i < node.inputs.size(); ++i) {
        if (carried.inputs[i].empty() || scope.constant(node.inputs[i])) continue;
        if (carried.inputs[i] != to_second(rank)) return {};
        data.push_back(i);
    }
    return data;
}

/// Nodes that stand together.
class JoinedNodes {
public:
    void add(NodeId id) { parents_.emplace(id, id); }
    bool contains(NodeId id) const { return parents_.contains(id); }
    void join(NodeId a, NodeId b) { parents_[root(a)] = root(b); }
    NodeId root(NodeId id) const {
        while (parents_.at(id) != id) id = parents_.at(id);
        return id;
    }

private:
    std::map<NodeId, NodeId> parents_;
};

class Nhwc {
public:
    explicit Nhwc(PassContext& context) : context_(context), scope_(context.scope()) {
        conversions_ = conversions_between_bytes(scope_, context.nodes());
        for (NodeId id : context.nodes()) {
            if (auto c = conversion_of(scope_, scope_.node(id)))
                conversions_.insert_or_assign(id, std::move(*c));
            if (conversions_.contains(id)) near_.add(id);
            else if (auto data = carried_inputs(scope_, scope_.node(id)); !data.empty())
                carried_[id] = std::move(data);
            else continue;
            order_.push_back(id);
            far_.add(id);
        }
        for (NodeId id : order_)
            for (const std::size_t i : data_of(id)) {
                const Node* const producer = scope_.producer(scope_.node(id).inputs[i]);
                if (!producer || !far_.contains(producer->id)) continue;
                far_.join(id, producer->id);
                if (near_.contains(id) && near_.contains(producer->id))
                    near_.join(id, producer->id);
            }
    }

    void run() {
        bool has_carried = false;
        for (const auto& group : groups(order_, far_)) {
            if (!has_convolution(group)) continue;
            if (!context_.may_rewrite()) break;
            const std::vector<NodeId> converted = converted_of(group);
            if (converted.size() < group.size() && problem(group).empty()) {
                has_carried = true;
                convert(converted);
                continue;
            }
            for (const auto& part : groups(converted, near_))
                if (has_convolution(part) && context_.may_rewrite()) convert_where_it_pays(part);
        }
        if (!has_carried) return;
        context_.edit().finish();
        settle_transposes(context_);
        merge_transposes_with_reorders(context_);
    }

private:
    using Group = std::vector<NodeId>;

    const std::vector<std::size_t>& data_of(NodeId id) const {
        const auto at = conversions_.find(id);
        return at != conversions_.end() ? at->second.data : carried_.at(id);
    }

    static std::vector<Group> groups(const Group& nodes, const JoinedNodes& of) {
        std::map<NodeId, std::size_t> places;
        std::vector<Group> found;
        for (NodeId id : nodes) {
            const auto [at, is_new] = places.try_emplace(of.root(id), found.size());
            if (is_new) found.emplace_back();
            found[at->second].push_back(id);
        }
        return found;
    }

    bool is_convolution(NodeId id) const {
        const auto at = conversions_.find(id);
        return at != conversions_.end() && at->second.is_conv;
    }
    bool has_convolution(const Group& group) const {
        return std::ranges::any_of(group, [&](NodeId id) { return is_convolution(id); });
    }
    Group converted_of(const Group& group) const {
        Group converted;
        std::ranges::copy_if(group, std::back_inserter(converted),
                             [&](NodeId id) { return conversions_.contains(id); });
        return converted;
    }

    void convert_where_it_pays(const Group& group) {
        const auto conv =
            std::ranges::find_if(group, [&](NodeId id) { return is_convolution(id); });
        if (std::string why = problem(group); !why.empty()) context_.miss(*conv, why, 1, group);
        else convert(group);
    }

    /// The existing value with channels last, which then costs nothing.
    bool comes_last(ValueId v) const {
        const Node* const producer = scope_.producer(v);
        return is_transpose(producer, to_second(scope_.rank(v))) ||
               is_reorder(producer, "ReorderOutput");
    }
    bool wants_last(const Node& reader, ValueId v) const {
        return is_transpose(&reader, to_last(scope_.rank(v))) ||
               is_reorder(&reader, "ReorderInput");
    }

    std::string problem(const Group& group) const {
        const std::set<NodeId> inside(group.begin(), group.end());
        std::set<ValueId> counted;
        double work = 0, moved = 0;
        int transposes = 0;
        const auto count = [&](ValueId v) {
            if (!counted.insert(v).second) return;
            moved += bytes_moved(scope_, v);
            ++transposes;
        };
        for (NodeId id : group) {
            const Node& node = scope_.node(id);
            if (is_convolution(id))
                work += bytes_moved(scope_, node.inputs[0]) + bytes_moved(scope_, node.outputs[0]);
            for (const std::size_t i : data_of(id)) {
                const Node* producer = scope_.producer(node.inputs[i]);
                if (producer && inside.contains(producer->id)) continue;
                if (!comes_last(node.inputs[i])) count(node.inputs[i]);
            }
            const Value& y = scope_.value(node.outputs[0]);
            bool outside = y.output_uses > 0 || !y.captured_by.empty();
            for (const Use& use : y.uses)
                outside = outside ||
                          (!inside.contains(use.node) && !wants_last(scope_.node(use.node), y.id));
            if (outside) count(node.outputs[0]);
        }
        if (moved * 4 <= work * 3) return {};
        return fmt::format(
            "with channels last it would need {} {} of {:g} bytes, more than three quarters of the "
            "{:g} that its "
            "convolutions read and write",
            transposes, transposes == 1 ? "Transpose" : "Transposes", moved, work);
    }

    ValueId last_of(ValueId v) {
        if (const auto known = twins_.find(v); known != twins_.end()) return known->second;
        const int rank = scope_.rank(v);
        const Node* producer = scope_.producer(v);
        if (is_transpose(producer, to_second(rank))) {
            cancelled_.push_back(producer->id);
            return twins_[v] = producer->inputs[0];
        }
        return twins_[v] = context_.node("Transpose", {v}, {attr("perm", to_last(rank))},
                                         scope_.value(v).name + "_channels_last");
    }

    void convert(const std::vector<NodeId>& group) {
        const std::set<NodeId> inside(group.begin(), group.end());
        std::map<NodeId, std::vector<NodeId>> origins;
        const auto stands_for = [&](ValueId v, const std::vector<NodeId>& from) {
            if (const Node* node = scope_.producer(v)) origins.emplace(node->id, from);
        };
        std::size_t before = scope_.graph.node_slots();
        for (NodeId id : group) {
            const std::vector<NodeId> from = scope_.node(id).origins;
            const Conversion& c = conversions_.at(id);
            std::vector<ValueId> inputs = scope_.node(id).inputs;
            for (const std::size_t i : c.data) {
                inputs[i] = last_of(inputs[i]);
                if (const Node* node = scope_.producer(inputs[i]); node && node->id.index >= before)
                    stands_for(inputs[i], from);
            }
            const ValueId y = scope_.node(id).outputs[0];
            const std::string name = scope_.node(id).name;  // which a Transpose may take over
            const ValueId twin = context_.node(c.op, std::move(inputs), c.attributes,
                                               name.empty() ? name : name + "_channels_last");
            stands_for(twin, from);
            twins_[y] = twin;
        }
        for (NodeId id : group) {
            const Value& y = scope_.value(scope_.node(id).outputs[0]);
            const ValueId twin = twins_.at(y.id);
            const bool outside = y.output_uses > 0 || !y.captured_by.empty() ||
                                 std::ranges::any_of(y.uses, [&](const Use& use) {
                                     return !inside.contains(use.node);
                                 });
            if (!outside) continue;
            const std::vector<NodeId> from = scope_.node(id).origins;
            const int rank = scope_.rank(y.id);
            origins.emplace(
                context_.replace(id, "Transpose", {twin}, {attr("perm", to_second(rank))}), from);
        }
        context_.erase_unused(group);
        context_.erase_unused(cancelled_);
        cancelled_.clear();
        context_.record(fmt::format("{} {} work with the channels last", group.size(),
                                    group.size() == 1 ? "operator" : "operators"));
        for (auto& [id, from] : origins)
            if (scope_.graph.is_alive(id)) context_.edit().set_origins(id, from);
    }

    PassContext& context_;
    const Scope& scope_;
    std::vector<NodeId> order_;
    std::map<NodeId, Conversion> conversions_;
    std::map<NodeId, std::vector<std::size_t>>
        carried_;             // by what Transposes go through: the inputs they come from
    JoinedNodes near_, far_;  // of what is converted; of what is carried as well
    std::map<ValueId, ValueId> twins_;
    std::vector<NodeId> cancelled_;  // Transposes at the border whose input is read instead
};

}  // namespace

PassBody convert_quantized_to_nhwc() {
    return {.run = [](PassContext& context) { Nhwc(context).run(); }};
}

}  // namespace lapidary::passes
