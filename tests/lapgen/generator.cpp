// SPDX-License-Identifier: Apache-2.0
#include "lapgen/generator.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <lapidary/base/error.h>
#include <lapidary/graph/graph_text.h>
#include <lapidary/ops/infer.h>

#include "graph/splice_graph.h"
#include "lapgen/model_builder.h"

namespace lapidary::lapgen {
namespace {

const std::set<std::string> linear_operators{"Add",     "Sub",       "Mul",       "MatMul",
                                             "Gemm",    "Conv",      "Relu",      "Clip",
                                             "Neg",     "Identity",  "Transpose", "Reshape",
                                             "Squeeze", "Unsqueeze", "Slice",     "Concat",
                                             "Split",   "Gather",    "Pad",       "Max",
                                             "Min",     "MaxPool",   "Expand",    "Flatten",
                                             "Tile",    "Sum",       "Not",       "Where",
                                             "Shape",   "Dropout",   "Constant",  "ConstantOfShape",
                                             "Range",   "Cast"};

Graph parsed(const test::PassCase& c) {
    GraphTextOptions options;
    options.opset = c.opset;
    return parse_graph(c.before, options);
}

bool is_linear(const Graph& graph) {
    return std::ranges::all_of(graph.nodes(), [&](NodeId id) {
        return graph.node(id).domain.empty() && linear_operators.contains(graph.node(id).op_type);
    });
}

/// Replaces random weights by whole numbers.
void make_exact(Graph& body, ModelBuilder& builder) {
    GraphEdit edit(body);
    for (ValueId id : body.initializers()) {
        const Tensor& t = *body.value(id).constant;
        if (t.dtype() != DType::f32) continue;
        Tensor whole(DType::f32, t.shape());
        const auto from = t.data<float>();
        auto to = whole.mutable_data<float>();
        for (std::size_t i = 0; i < to.size(); ++i)
            to[i] = from[i] == std::nearbyint(from[i]) ? from[i]
                                                       : static_cast<float>(builder.number(-2, 2));
        edit.set_constant(id, std::move(whole));
    }
}

/// A value of that type: from the pool, reshaped from the pool, or a new input.
ValueId value_like(ModelBuilder& b, const Type& type, std::map<std::string, std::int64_t>& sizes) {
    SymbolicShape shape;
    std::int64_t count = 1;
    for (const Dim& d : *type.shape) {
        std::int64_t size = d.value();
        if (d.is_symbolic()) size = sizes.emplace(d.symbol(), b.number(1, 4)).first->second;
        if (size < 0) size = b.number(1, 4);
        shape.push_back(Dim(size));
        count *= size;
    }
    const Type wanted = Type::tensor(type.dtype, shape);
    if (type.dtype == DType::f32) {
        std::vector<ValueId> fit, same_count;
        for (ValueId v : b.pool()) {
            const Type& t = b.type(v);
            if (t.dtype != DType::f32 || !t.is_static()) continue;
            if (t == wanted) fit.push_back(v);
            std::int64_t elements = 1;
            for (std::int64_t d : t.static_shape()) elements *= d;
            if (elements == count && count > 0) same_count.push_back(v);
        }
        if (!fit.empty() && b.chance(0.8)) return b.pick(fit);
        if (!same_count.empty() && !shape.empty())
            return b.add("Reshape", {b.pick(same_count), b.ints(wanted.static_shape())});
    }
    const ValueId id =
        b.edit().add_input("input_" + std::to_string(b.graph().inputs().size()), wanted);
    if (type.dtype == DType::f32) b.offer(id);
    return id;
}

/// Changes one detail: another reader, another output, swapped operands, another constant.
void disturb(ModelBuilder& b, std::size_t first_slot) {
    std::vector<NodeId> added;
    for (NodeId id : b.graph().nodes())
        if (id.index >= first_slot) added.push_back(id);
    if (added.empty()) return;
    const NodeId id = b.pick(added);
    const Node& node = b.graph().node(id);
    const ValueId out = node.outputs.empty() ? ValueId() : node.outputs[0];
    const bool is_float = out && b.type(out).dtype == DType::f32;
    switch (b.number(0, 3)) {
    case 0:
        if (is_float) b.add("Neg", {out});
        break;
    case 1:
        if (is_float && b.graph().value(out).output_uses == 0) b.edit().add_output(out);
        break;
    case 2:
        if ((node.op_type == "Add" || node.op_type == "Mul") && node.domain.empty() &&
            node.inputs.size() == 2) {
            const ValueId left = node.inputs[0], right = node.inputs[1];
            b.edit().set_input(id, 0, right);
            b.edit().set_input(id, 1, left);
        }
        break;
    default:
        for (std::size_t i = 0; i < node.inputs.size(); ++i) {
            const ValueId in = node.inputs[i];
            if (!in || !b.graph().value(in).is_constant() ||
                b.graph().value(in).constant->dtype() != DType::f32 ||
                b.graph().value(in).constant->size() != 1)
                continue;
            const float old = b.graph().value(in).constant->data<float>()[0];
            b.edit().set_input(
                id, i,
                b.edit().add_initializer(
                    "scalar", Tensor::of<float>(b.graph().value(in).constant->shape(), {old + 1})));
            break;
        }
    }
}

/// Inserts operators without effect: x + 0, x * 1, a conversion and its inverse.
void detour(ModelBuilder& b) {
    std::vector<std::pair<NodeId, std::size_t>> edges;
    for (NodeId id : b.graph().nodes()) {
        const Node& node = b.graph().node(id);
        for (std::size_t i = 0; i < node.inputs.size(); ++i)
            if (node.inputs[i] && b.graph().value(node.inputs[i]).kind == ValueKind::node_output &&
                b.type(node.inputs[i]).dtype == DType::f32 && b.rank(node.inputs[i]) >= 0)
                edges.emplace_back(id, i);
    }
    if (edges.empty()) return;
    const auto [reader, index] = b.pick(edges);
    const ValueId x = b.graph().node(reader).inputs[index];
    const int rank = b.rank(x);
    ValueId y;
    const std::int64_t kind = b.number(0, 4);
    if (kind == 0) y = b.add("Identity", {x});
    if (kind == 1) y = b.add("Mul", {x, b.scalar(1)});
    if (kind == 2) y = b.add("Sub", {x, b.scalar(0)});
    if (kind == 3 && rank >= 2) {
        std::vector<std::int64_t> reversed;
        for (int i = rank; i-- > 0;) reversed.push_back(i);
        y = b.add("Transpose", {x}, {{"perm", reversed, {}, {}}});
        if (y) y = b.add("Transpose", {y}, {{"perm", reversed, {}, {}}});
    }
    if (kind == 4 && b.opset() >= 13 && rank < 5) {
        y = b.add("Unsqueeze", {x, b.ints({rank})});
        if (y) y = b.add("Squeeze", {y, b.ints({rank})});
    }
    if (y) b.edit().set_input(reader, index, y);
}

bool inject(ModelBuilder& b, const test::PassCase& c) {
    Graph body = parsed(c);
    if (b.exact()) make_exact(body, b);
    std::map<std::string, std::int64_t> sizes = c.dimensions;
    ValueMap map;
    const std::size_t first = b.graph().node_slots();
    for (ValueId in : body.inputs()) {
        const Type& type = body.value(in).type;
        if (!type.is_tensor() || !type.shape) return false;
        map[in] = value_like(b, type, sizes);
        if (!map[in]) return false;
    }
    GraphEdit inner(body);
    for (ValueId v : body.values())
        if (body.value(v).kind == ValueKind::node_output) inner.set_type(v, {});
    splice_nodes(b.edit(), body, map, "p" + std::to_string(first) + "_", {});
    for (NodeId id : b.graph().nodes()) {
        if (id.index < first) continue;
        b.edit().set_origins(id, {id});
        // of cases that occur twice; ONNX Runtime refuses two nodes of one name
        b.edit().rename(id, {});
    }
    for (ValueId out : body.outputs()) {
        const ValueId v = map.at(out);
        if (b.graph().value(v).kind == ValueKind::node_output &&
            b.graph().value(v).output_uses == 0)
            b.edit().add_output(v);
    }
    if (b.chance(0.4)) disturb(b, first);
    return true;
}

}  // namespace

PatternBook::PatternBook(std::vector<test::PassCase> cases) : all_(std::move(cases)) {
    std::set<std::int64_t> opsets;
    for (const test::PassCase& c : all_) {
        if (!c.runs) continue;
        try {
            by_opset_[{c.opset, false}].push_back(&c);
            if (is_linear(parsed(c)) && c.tolerance <= 1e-3)
                by_opset_[{c.opset, true}].push_back(&c);
            opsets.insert(c.opset);
        } catch (const Error&) {
            continue;  // the fixture test reports it
        }
    }
    opsets_.assign(opsets.begin(), opsets.end());
}

const std::vector<const test::PassCase*>& PatternBook::cases(std::int64_t opset, bool exact) const {
    static const std::vector<const test::PassCase*> none;
    const auto found = by_opset_.find({opset, exact});
    return found == by_opset_.end() ? none : found->second;
}

namespace {

GeneratedModel attempt(std::uint64_t seed, const PatternBook& book, bool exact) {
    std::mt19937_64 random(seed * 2 + exact);
    GeneratedModel result;
    result.exact = exact;
    std::vector<std::int64_t> opsets{11, 13, 17, 17, 18, 20};
    for (std::int64_t o : book.opsets())
        if (o >= 11) opsets.push_back(o);
    const std::int64_t opset = opsets[random() % opsets.size()];
    ModelBuilder b(seed, opset, exact);
    const bool symbolic = b.chance(0.3);
    const Dim batch = symbolic ? Dim::symbolic("batch") : Dim(b.number(1, 3));
    if (symbolic) result.dimensions["batch"] = b.number(1, 3);
    if (b.chance(0.6))
        b.input({batch, Dim(b.pick(std::vector<std::int64_t>{3, 4, 8, 16})), Dim(6), Dim(6)});
    if (b.chance(0.6)) b.input({batch, Dim(5), Dim(8)});
    if (b.pool().empty() || b.chance(0.3)) b.input({batch, Dim(8)});
    const std::int64_t operators = b.number(3, 14);
    for (std::int64_t i = 0, tries = 0; i < operators && tries < 100; ++tries)
        i += add_random_operator(b);
    const auto& cases = book.cases(opset, exact);
    for (std::int64_t i = cases.empty() ? 0 : b.number(1, 3); i-- > 0;) {
        const test::PassCase& c = *b.pick(cases);
        if (inject(b, c)) result.injected.push_back(c.name);
    }
    for (std::int64_t i = b.number(0, 3); i-- > 0;) detour(b);
    for (std::int64_t i = b.number(0, 3); i-- > 0;) add_random_operator(b);
    result.model = b.finish();
    return result;
}

}  // namespace

GeneratedModel generate_model(std::uint64_t seed, const PatternBook& book, bool exact) {
    // Inference of the whole model may find errors that inference of single nodes did not: then
    // tries again.
    for (std::uint64_t turn = 0;; ++turn) {
        try {
            return attempt(seed + (turn << 32), book, exact);
        } catch (const Error& error) {
            if (turn == 20 || error.code() == ErrorCode::internal) throw;
        }
    }
}

}  // namespace lapidary::lapgen
