// SPDX-License-Identifier: Apache-2.0
#include "passes/transpose_region.h"

#include <algorithm>

#include "ops/schemas/schema.h"
#include "passes/carried_call.h"
#include "passes/minimum_cut.h"
#include "rewrite/constant_math.h"

namespace lapidary {
namespace {

constexpr std::size_t most_operators = 4000;
constexpr std::int64_t one_node = std::int64_t{1} << 44, most_bytes = std::int64_t{1} << 28;

bool is_transpose(const Node* node) {
    return node && node->domain.empty() && node->op_type == "Transpose";
}

/// The permutation of a Transpose of something carried by one of `rank` axes; nothing when the two
/// do not go together.
std::optional<Ints> permutation_of_rank(const Scope& scope, const Node& transpose,
                                        std::size_t rank) {
    if (transpose.ints_attribute("perm").empty()) {
        Ints reversed(rank);
        for (std::size_t i = 0; i < rank; ++i)
            reversed[i] = static_cast<std::int64_t>(rank - 1 - i);
        return reversed;
    }
    auto permutation = permutation_of(scope, transpose);
    if (!permutation || permutation->size() != rank) return {};
    return permutation;
}

/// Whether a Transpose of that opset may stand before or behind a value of the type. Casts give
/// types that younger versions of it alone take.
bool is_transposable(DType dtype, std::int64_t opset) {
    const OpSchema* schema = find_schema("", "Transpose", opset);
    const TypeConstraint* types = schema ? schema->constraint(schema->inputs[0].type) : nullptr;
    return dtype == DType::undefined || !types || types->allows(dtype);
}

}  // namespace

TransposeRegion::TransposeRegion(PassContext& context, ValueId seed, const Ints& permutation)
    : context_(context) {
    assign(seed, permutation);
    grow();
    std::vector<NodeId> sorted;
    for (NodeId id : context.graph().nodes())
        if (operators_.contains(id)) sorted.push_back(id);
    order_ = std::move(sorted);
}

void TransposeRegion::assign(ValueId value, const Ints& permutation) {
    if (permutation.empty() || !permutations_.emplace(value, permutation).second) return;
    values_.push_back(value);
}

void TransposeRegion::stop(const Node& node, std::string reason) {
    if (std::ranges::none_of(stops_, [&](const Stop& s) { return s.node == node.id; }))
        stops_.push_back({node.id, std::move(reason)});
}

void TransposeRegion::grow() {
    for (std::size_t i = 0; i < values_.size(); ++i) {
        const ValueId v = values_[i];
        const Ints permutation = permutations_.at(v);
        const auto transpose = [&](const Node& node) {
            if (std::ranges::find(transposes_, node.id) == transposes_.end())
                transposes_.push_back(node.id);
        };
        const Value& value = context_.graph().value(v);
        for (const Use& use : value.uses) {
            const Node& reader = context_.graph().node(use.node);
            if (is_transpose(&reader)) transpose(reader);
            else visit(use.node, false, use.input, permutation);
        }
        if (const Node* writer = context_.scope().producer(v)) {
            if (is_transpose(writer)) transpose(*writer);
            else visit(writer->id, true, value.producer_output, permutation);
        }
    }
}

bool TransposeRegion::fits(const Node& node, const Carried& carried) const {
    const auto agree = [&](ValueId v, const Ints& p) {
        const auto known = permutations_.find(v);
        return known == permutations_.end() || known->second == p;
    };
    for (std::size_t i = 0; i < node.inputs.size(); ++i)
        if (!carried.inputs[i].empty() && !context_.scope().constant(node.inputs[i]) &&
            !agree(node.inputs[i], carried.inputs[i]))
            return false;
    for (std::size_t i = 0; i < node.outputs.size(); ++i)
        if (!carried.outputs[i].empty() && !agree(node.outputs[i], carried.outputs[i]))
            return false;
    return true;
}

/// What keeps an operator that can be carried from being so here, or empty.
std::string TransposeRegion::problem_of(const Node& node, const Carried& carried) const {
    if (node.domain.empty() && node.version != context_.opset())
        return "it is of opset " + std::to_string(node.version);
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
        const Tensor* t =
            carried.inputs[i].empty() ? nullptr : context_.scope().constant(node.inputs[i]);
        if (t && (is_packed(t->dtype()) || t->byte_size() > context_.options().limits.fold_bytes))
            return "its constant " + context_.graph().value(node.inputs[i]).name +
                   " is too large or of 4-bit type";
    }
    const auto problem_of_type = [&](ValueId v, const Ints& permutation) {
        const DType dtype = permutation.empty() ? DType::undefined : context_.scope().type(v).dtype;
        return is_transposable(dtype, context_.opset())
                   ? std::string()
                   : "a Transpose of opset " + std::to_string(context_.opset()) + " takes no " +
                         std::string(name_of(dtype));
    };
    for (std::size_t i = 0; i < node.outputs.size(); ++i)
        if (std::string problem =
                node.outputs[i] ? problem_of_type(node.outputs[i], carried.outputs[i]) : "";
            !problem.empty())
            return problem;
    if (!fits(node, carried)) return "it meets tensors in other orders";
    return operators_.size() >= most_operators ? "the region is too large" : "";
}

void TransposeRegion::visit(NodeId id, bool is_output, std::size_t port, const Ints& permutation) {
    if (operators_.contains(id) || refused_.contains(id)) return;
    const Node& node = context_.graph().node(id);
    if (node.domain.empty() && node.op_type == "Shape" && !is_output &&
        node.version == context_.opset()) {
        operators_[id] = {
            .carried = {.inputs = {permutation}, .outputs = {{}}, .supported = true, .problem = {}},
            .is_shape = true};
        return;
    }
    Carried carried = carry(context_.scope(), node, is_output, port, permutation);
    std::string problem = carried.supported ? problem_of(node, carried) : carried.problem;
    if (!carried.supported || !problem.empty()) {
        refused_[id] = true;
        return stop(node, std::move(problem));
    }
    for (std::size_t i = 0; i < node.inputs.size(); ++i)
        if (node.inputs[i] && !context_.scope().constant(node.inputs[i]))
            assign(node.inputs[i], carried.inputs[i]);
    for (std::size_t i = 0; i < node.outputs.size(); ++i)
        assign(node.outputs[i], carried.outputs[i]);
    operators_[id] = {.carried = std::move(carried)};
}

bool TransposeRegion::is_chosen(NodeId op) const { return operators_.at(op).chosen; }

TransposeRegion::Supply TransposeRegion::supply_of(ValueId value) const {
    const Node* writer = context_.scope().producer(value);
    if (!writer) return {.plain = true};
    if (is_transpose(writer)) {
        const Ints& permutation = permutations_.at(value);
        if (const auto p = permutation_of_rank(context_.scope(), *writer, permutation.size()))
            return {.plain = false, .carried = *p == permutation};
        return {.plain = true};
    }
    const auto op = operators_.find(writer->id);
    const std::uint32_t port = context_.graph().value(value).producer_output;
    if (op != operators_.end() && !op->second.carried.outputs.at(port).empty())
        return {.op = writer->id};
    return {.plain = true};
}

TransposeRegion::Demand TransposeRegion::demand_of(ValueId value) const {
    Demand demand;
    const Value& v = context_.graph().value(value);
    const Ints& permutation = permutations_.at(value);
    demand.plain = v.output_uses > 0 || !v.captured_by.empty();
    for (const Use& use : v.uses) {
        const Node& reader = context_.graph().node(use.node);
        if (is_transpose(&reader)) {
            // counted as what writes that value, from this one in plain order
            if (permutations_.contains(reader.outputs.at(0))) {
                demand.plain = true;
                continue;
            }
            const auto q = permutation_of_rank(context_.scope(), reader, permutation.size());
            if (!q) demand.plain = true;
            else if (*q == inverse(permutation)) demand.carried = true;
            continue;  // by another permutation: one Transpose either way
        }
        const auto op = operators_.find(use.node);
        if (op == operators_.end() || op->second.carried.inputs[use.input].empty())
            demand.plain = true;
        else demand.ops.push_back(use.node);
    }
    return demand;
}

/// A Transpose of the value: one node, then its bytes; unknown dimensions count as 64.
std::int64_t TransposeRegion::weight(ValueId value) const {
    const Type& type = context_.scope().type(value);
    std::int64_t bytes =
        static_cast<std::int64_t>(std::max<std::size_t>(1, bit_width(type.dtype) / 8));
    if (type.shape)
        for (const Dim& d : *type.shape)
            bytes = std::min(most_bytes,
                             bytes * std::max<std::int64_t>(
                                         1, d.is_known() ? std::min(d.value(), most_bytes) : 64));
    return one_node + bytes;
}

std::int64_t TransposeRegion::cost(bool chosen) const {
    std::int64_t sum = 0;
    for (ValueId v : values_) {
        const Supply supply = supply_of(v);
        const Demand demand = demand_of(v);
        bool plain = demand.plain, carried = demand.carried;
        for (NodeId op : demand.ops) (chosen && is_chosen(op) ? carried : plain) = true;
        const bool op_carried = chosen && supply.op && is_chosen(supply.op);
        if (plain && !(supply.op ? !op_carried : supply.plain)) sum += weight(v);
        if (carried && !(supply.op ? op_carried : supply.carried)) sum += weight(v);
    }
    for (const auto& [id, op] : operators_)
        if (op.is_shape && chosen && op.chosen) sum += one_node;
    return sum;
}

bool TransposeRegion::choose() {
    if (operators_.empty()) return false;
    MinimumCut cut;
    for (NodeId id : order_) {
        Operator& op = operators_.at(id);
        op.vertex = cut.add_vertex();
        if (op.is_shape) cut.add_edge(op.vertex, MinimumCut::sink, one_node);
    }
    for (ValueId v : values_) {
        const Supply supply = supply_of(v);
        const Demand demand = demand_of(v);
        const std::size_t writer = supply.op        ? operators_.at(supply.op).vertex
                                   : supply.carried ? MinimumCut::source
                                                    : MinimumCut::sink;
        // `wanted` is on the carried side as soon as one reader is, `all` as long as every reader
        // is.
        const std::size_t wanted = cut.add_vertex(), all = cut.add_vertex();
        for (NodeId op : demand.ops) {
            cut.add_edge(operators_.at(op).vertex, wanted, MinimumCut::unbounded);
            cut.add_edge(all, operators_.at(op).vertex, MinimumCut::unbounded);
        }
        if (demand.carried) cut.add_edge(MinimumCut::source, wanted, MinimumCut::unbounded);
        if (demand.plain) cut.add_edge(all, MinimumCut::sink, MinimumCut::unbounded);
        if (supply.op || !supply.carried) cut.add_edge(wanted, writer, weight(v));
        if (supply.op || !supply.plain)
            cut.add_edge(supply.op ? writer : MinimumCut::source, all, weight(v));
    }
    const std::vector<bool> side = cut.source_side();
    for (auto& [id, op] : operators_) op.chosen = side[op.vertex];
    return cost(true) < cost(false);
}

ValueId TransposeRegion::add(const Node& origin, Call call, std::vector<ValueId> outputs) {
    NodeSpec spec;
    const std::size_t at = call.op.find("::");
    spec.domain = at == std::string::npos ? std::string() : call.op.substr(0, at);
    spec.op_type = at == std::string::npos ? call.op : call.op.substr(at + 2);
    spec.version = origin.domain == spec.domain ? origin.version : context_.opset();
    spec.inputs = std::move(call.inputs);
    spec.attributes = std::move(call.attributes);
    spec.outputs = outputs;
    if (spec.op_type == origin.op_type) spec.name = origin.name;
    std::vector<NodeId> origins = origin.origins;
    origins_.emplace_back(context_.edit().add_node(std::move(spec)), std::move(origins));
    return outputs.at(0);
}

ValueId TransposeRegion::carried_constant(ValueId value, const Ints& permutation) {
    auto& known = carried_constants_[{value, permutation}];
    if (!known) {
        const Tensor& t = *context_.scope().constant(value);
        Shape shape = t.shape();
        shape.insert(shape.begin(), permutation.size() - shape.size(), 1);
        known = context_.constant(context_.graph().value(value).name,
                                  transposed(t.reshaped(shape), inverse(permutation)));
    }
    return known;
}

/// The value in the carried order; what is not there yet is made by a Transpose.
ValueId TransposeRegion::carried_value(ValueId value) {
    if (const auto known = carried_values_.find(value); known != carried_values_.end())
        return known->second;
    const Ints permutation = permutations_.at(value), back = inverse(permutation);
    const Type type = carried_type(context_.scope().type(value), permutation);
    const std::string name = context_.graph().value(value).name + "_carried";
    const Node* writer = context_.scope().producer(value);
    ValueId result;
    if (const auto own = is_transpose(writer)
                             ? permutation_of_rank(context_.scope(), *writer, permutation.size())
                             : std::nullopt) {
        const Node copy = *writer;
        const Ints both = compose(*own, back);
        result = is_identity(both)
                     ? copy.inputs[0]
                     : add(copy, {"Transpose", {copy.inputs[0]}, {attr("perm", both)}},
                           {context_.edit().add_value(name, type)});
    } else {
        for (const Use& use : context_.graph().value(value).uses)
            if (const Node& reader = context_.graph().node(use.node);
                is_transpose(&reader) &&
                permutation_of_rank(context_.scope(), reader, back.size()) == back)
                result = reader.outputs[0];
        if (!result) {
            Node joint;  // replaces no single node: it gets the origins of the Transposes
            joint.origins = context_.graph().node(transposes_.at(0)).origins;
            result = add(joint, {"Transpose", {value}, {attr("perm", back)}},
                         {context_.edit().add_value(name, type)});
        }
    }
    return carried_values_[value] = result;
}

void TransposeRegion::add_carried(NodeId id) {
    const Node node = context_.graph().node(id);
    const Operator& op = operators_.at(id);
    if (op.is_shape) {
        const std::int64_t rank = static_cast<std::int64_t>(op.carried.inputs[0].size());
        const auto bound = [&](const char* name, std::int64_t fallback) {
            const std::int64_t given = node.int_attribute(name, fallback);
            return std::clamp<std::int64_t>(given < 0 ? given + rank : given, 0, rank);
        };
        const std::int64_t start = bound("start", 0), end = std::max(start, bound("end", rank));
        const ValueId whole =
            context_.edit().add_value(context_.graph().value(node.outputs[0]).name + "_carried",
                                      Type::tensor(DType::i64, {Dim(rank)}));
        add(node, {"Shape", {carried_value(node.inputs[0])}, {}}, {whole});
        const ValueId indices = context_.constant_ints(
            "axes", Ints(op.carried.inputs[0].begin() + start, op.carried.inputs[0].begin() + end));
        const std::vector<ValueId> outputs = context_.edit().take_outputs(id);
        context_.edit().erase(id);
        add(node, {"Gather", {whole, indices}, {attr("axis", 0)}}, outputs);
        return;
    }
    std::vector<ValueId> inputs = node.inputs;
    for (std::size_t i = 0; i < inputs.size(); ++i)
        if (inputs[i] && !op.carried.inputs[i].empty())
            inputs[i] = context_.scope().constant(inputs[i])
                            ? carried_constant(inputs[i], op.carried.inputs[i])
                            : carried_value(inputs[i]);
    Call call = carried_call(context_, node, op.carried, std::move(inputs));
    if (op.carried.outputs[0].empty()) {  // the result is the same in any order
        const std::vector<ValueId> outputs = context_.edit().take_outputs(id);
        context_.edit().erase(id);
        add(node, std::move(call), outputs);
        return;
    }
    std::vector<ValueId> outputs;
    for (std::size_t i = 0; i < node.outputs.size(); ++i) {
        const Value& v = context_.graph().value(node.outputs[i]);
        const Type type = carried_type(v.type, op.carried.outputs[i]);
        outputs.push_back(context_.edit().add_value(std::string(v.name) + "_carried", type));
        carried_values_[node.outputs[i]] = outputs.back();
    }
    add(node, std::move(call), outputs);
}

/// Transposes that read the value read the carried one instead, and go where the two cancel.
void TransposeRegion::redirect_transposes(ValueId value) {
    const Ints permutation = permutations_.at(value);
    const std::vector<Use> uses = context_.graph().value(value).uses;
    for (const Use& use : uses) {
        const Node reader = context_.graph().node(use.node);
        if (!is_transpose(&reader)) continue;
        const auto own = permutation_of_rank(context_.scope(), reader, permutation.size());
        if (!own) continue;
        const Ints both = compose(permutation, *own);
        const ValueId carried = carried_values_.at(value);
        if (is_identity(both) && context_.bypass(reader.id, carried).empty()) continue;
        const std::vector<ValueId> outputs = context_.edit().take_outputs(reader.id);
        context_.edit().erase(reader.id);
        if (is_identity(both)) add(reader, {"Identity", {carried}, {}}, outputs);
        else add(reader, {"Transpose", {carried}, {attr("perm", both)}}, outputs);
    }
}

/// Takes the operator out; results that somebody still reads in plain order come from a Transpose.
void TransposeRegion::retire(NodeId id) {
    if (!context_.graph().is_alive(id)) return;
    const Node node = context_.graph().node(id);
    const std::vector<ValueId> outputs = context_.edit().take_outputs(id);
    context_.edit().erase(id);
    for (ValueId v : outputs) {
        if (context_.graph().value(v).is_unused()) context_.edit().erase_value(v);
        else
            add(node, {"Transpose", {carried_values_.at(v)}, {attr("perm", permutations_.at(v))}},
                {v});
    }
}

std::string TransposeRegion::apply() {
    const auto count = [&] {
        return std::ranges::count_if(context_.graph().nodes(), [&](NodeId id) {
            return context_.graph().is_alive(id) && is_transpose(&context_.graph().node(id));
        });
    };
    const auto before = count();
    std::vector<NodeId> chosen;
    for (NodeId id : order_)
        if (operators_.at(id).chosen) chosen.push_back(id);
    std::vector<ValueId> results;
    for (NodeId id : chosen)
        for (ValueId v : context_.graph().node(id).outputs)
            if (v && permutations_.contains(v) && supply_of(v).op) results.push_back(v);
    for (NodeId id : chosen) add_carried(id);
    for (ValueId v : results) redirect_transposes(v);
    for (std::size_t i = chosen.size(); i-- > 0;) retire(chosen[i]);
    context_.erase_unused(transposes_);
    const auto after = count();
    return "carrying " + std::to_string(chosen.size()) +
           (chosen.size() == 1 ? " operator" : " operators") +
           " in the other order of axes leaves " + std::to_string(after) + " of " +
           std::to_string(before) + " Transposes";
}

void TransposeRegion::settle_origins() {
    for (const auto& [node, origins] : origins_)
        if (context_.graph().is_alive(node)) context_.edit().set_origins(node, origins);
}

}  // namespace lapidary
