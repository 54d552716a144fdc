// SPDX-License-Identifier: Apache-2.0
//   before:  y = LayerNormalization(Gather(words, ids) + positions + Gather(kinds, kind_ids)), or
//            SkipLayerNormalization of them
//   after:   y, _, sum = com.microsoft::EmbedLayerNormalization(ids, kind_ids, words, positions,
//            kinds, gamma, beta, _, position_ids)
// Positions are rows 0, 1, 2 ... of their table in any spelling, a constant of as many rows, or
// rows chosen by ids. Ids become int32: they select rows of tables, so they fit. Ids below zero
// count from the end in Gather and in our operator; for ONNX Runtime's, which refuses them, exports
// count them from the front (count_ids_from_front).
#include <algorithm>

#include "ops/dimensions/dim_algebra.h"
#include "rewrite/constant_math.h"
#include "passes/extended/attention/attention_site.h"
#include "passes/extended/attention/row_numbers.h"

namespace lapidary::passes {
namespace {

/// One summand of the embedding.
struct Summand {
    ValueId value;
    ValueId table, ids;   // of a Gather of rows
    bool counts = false;  // its ids are 0, 1, 2 ... in every row
};

struct Embedding {
    NodeId root;
    ValueId sum;        // the summed embedding where the graph has it
    bool skip = false;  // the root adds by itself
    std::vector<Summand> terms;
    std::vector<NodeId> nodes;  // root first
    ValueId gamma, beta;
    float epsilon = 0;
    Dim batch, rows, width;
};

bool is_add(const Node* node) { return node && node->op_type == "Add" && node->domain.empty(); }

Summand summand(const Scope& scope, ValueId value, std::vector<NodeId>& nodes) {
    Summand s{.value = value, .table = {}, .ids = {}};
    const Node* node = scope.producer(value);
    if (!node || node->op_type != "Gather" || !node->domain.empty()) return s;
    const std::int64_t axis = node->int_attribute("axis", 0);
    if (scope.rank(node->inputs[0]) != 2 || (axis != 0 && axis != -2) ||
        scope.rank(node->inputs[1]) < 1)
        return s;
    s.table = node->inputs[0];
    s.ids = node->inputs[1];
    nodes.push_back(node->id);
    return s;
}

/// Splits a summand that is a sum itself. A root that adds two inputs has these as summands.
void spread(const Scope& scope, ValueId value, Embedding& e, std::vector<ValueId>& values) {
    const Node* node = scope.producer(value);
    if (!is_add(node) || (e.skip && values.size() >= 2)) return values.push_back(value);
    e.nodes.push_back(node->id);
    values.insert(values.end(), node->inputs.begin(), node->inputs.end());
}

ValueId input_or_none(const Node& node, std::size_t index) {
    return node.inputs.size() > index ? node.inputs[index] : ValueId();
}

/// Summands of a SkipLayerNormalization, which adds by itself.
std::vector<ValueId> skip_summands(const Scope& scope, const Node& root, Embedding& e) {
    std::vector<ValueId> values;
    e.skip = true;
    spread(scope, root.inputs[0], e, values);
    spread(scope, root.inputs[1], e, values);
    if (const ValueId bias = input_or_none(root, 4)) values.push_back(bias);
    e.gamma = root.inputs[2];
    e.beta = input_or_none(root, 3);
    e.epsilon = root.float_attribute("epsilon", 1e-12f);
    if (root.outputs.size() > 3) e.sum = root.outputs[3];
    return values;
}

/// Summands of the input of a LayerNormalization; none if that is no sum.
std::vector<ValueId> plain_summands(const Scope& scope, const Node& root, Embedding& e) {
    std::vector<ValueId> values;
    const Node* sum = scope.producer(root.inputs[0]);
    if (!is_add(sum)) return values;
    e.nodes.push_back(sum->id);
    for (ValueId v : sum->inputs) spread(scope, v, e, values);
    e.gamma = root.inputs.at(1);
    e.beta = input_or_none(root, 2);
    e.epsilon = root.float_attribute("epsilon", 1e-5f);
    e.sum = root.inputs[0];
    return values;
}

/// Sums of two or three summands; at least one is a Gather of rows.
bool collect(const Scope& scope, const Node& root, Embedding& e) {
    e.root = root.id;
    e.nodes.push_back(root.id);
    std::vector<ValueId> values;
    const std::string op = root.qualified_op();
    if (op == "com.microsoft::SkipLayerNormalization") values = skip_summands(scope, root, e);
    else if (op == "LayerNormalization") values = plain_summands(scope, root, e);
    if (values.size() < 2 || values.size() > 3) return false;
    for (ValueId v : values) e.terms.push_back(summand(scope, v, e.nodes));
    return std::ranges::any_of(e.terms, [](const Summand& s) { return bool(s.table); });
}

/// Why a value cannot be ids of shape [batch, rows]; with `one`: [1, rows] as well.
std::string ids_problem(const Scope& scope, const Embedding& e, ValueId ids, const char* what,
                        bool one) {
    const auto& shape = scope.type(ids).shape;
    const DType dtype = scope.dtype(ids);
    if (dtype != DType::i32 && dtype != DType::i64)
        return std::string(what) + " are " + std::string(name_of(dtype)) + ", need i32 or i64";
    if (!shape || shape->size() != 2)
        return std::string(what) + " have rank " + std::to_string(scope.rank(ids)) + ", need 2";
    const bool batch = surely_equal((*shape)[0], e.batch) || (one && (*shape)[0].value() == 1);
    if (!batch || !surely_equal((*shape)[1], e.rows))
        return std::string(what) + " have the shape " + to_string(*shape) + ", need [" +
               to_string(e.batch) + "," + to_string(e.rows) + "]";
    return {};
}

/// Rows that are the same for every batch, of a constant [S,H], [1,S,H] or [B,S,H].
std::optional<Tensor> rows_of_constant(const Tensor& t, const Embedding& e) {
    const auto rank = static_cast<std::size_t>(t.rank());
    if (rank < 2 || rank > 3 || t.shape()[rank - 2] != e.rows.value() ||
        t.shape()[rank - 1] != e.width.value())
        return std::nullopt;
    const auto size = static_cast<std::size_t>(e.rows.value() * e.width.value());
    const std::vector<double> values = to_doubles(t);
    for (std::size_t i = size; i < values.size(); ++i)
        if (values[i] != values[i - size]) return std::nullopt;
    return tensor_of_doubles(t.dtype(), {e.rows.value(), e.width.value()},
                             {values.begin(), values.begin() + static_cast<std::ptrdiff_t>(size)});
}

ValueId as_int32(PassContext& context, ValueId ids) {
    const Scope& scope = context.scope();
    if (const Node* node = scope.producer(ids); node && node->op_type == "Cast" &&
                                                node->domain.empty() &&
                                                scope.dtype(node->inputs[0]) == DType::i32)
        return node->inputs[0];
    return scope.dtype(ids) == DType::i32
               ? ids
               : context.node("Cast", {ids}, {attr("to", static_cast<std::int64_t>(6))});
}

std::string check_root(const Scope& scope, const Embedding& e) {
    const Node& root = scope.node(e.root);
    const DType dtype = scope.dtype(root.outputs[0]);
    if (dtype != DType::f32 && !(dtype == DType::f16 && scope.provider != "cpu"))
        return "the element type is " + std::string(name_of(dtype)) + ", the operator on " +
               scope.provider + " needs f32";
    if (!e.skip) {
        const int rank = scope.rank(root.inputs[0]);
        const std::int64_t axis = root.int_attribute("axis", -1);
        if (axis != -1 && axis != rank - 1)
            return "the normalization is over axis " + std::to_string(axis) +
                   ", needs the last one";
    }
    // the fourth is the sum
    for (std::size_t i = 1; i < std::min<std::size_t>(3, root.outputs.size()); ++i)
        if (root.outputs[i] && !scope.value(root.outputs[i]).is_unused())
            return "the mean or deviation of the normalization is read";
    if (scope.rank(e.gamma) != 1 || (e.beta && scope.rank(e.beta) != 1))
        return "scale and shift of the normalization must have rank 1";
    return {};
}

/// The summands by what they are.
struct Tables {
    // `kinds` may be absent
    const Summand *words = nullptr, *positions = nullptr, *kinds = nullptr;
    // of positions that are a constant
    std::optional<Tensor> rows;
    // positions are 0, 1, 2 ...
    bool counted = false;
};

/// The largest table that is read by ids [B,S] other than row numbers.
const Summand* find_words(PassContext& context, Embedding& e) {
    const Scope& scope = context.scope();
    const Summand* words = nullptr;
    for (Summand& s : e.terms) {
        if (!s.table || scope.rank(s.ids) != 2) continue;
        s.counts = attention::counts_rows(context, s.ids, scope.type(s.ids).shape->back());
        if (s.counts || scope.constant(s.ids)) continue;
        if (!words || scope.dim(s.table, 0) > scope.dim(words->table, 0)) words = &s;
    }
    return words;
}

/// The summand read by row numbers, else a constant, else the first one read by fitting ids.
const Summand* find_positions(PassContext& context, const Embedding& e, const Summand* words) {
    const Scope& scope = context.scope();
    const Summand* positions = nullptr;
    const auto prefer = [&](const auto& test) {
        for (const Summand& s : e.terms)
            if (!positions && &s != words && test(s)) positions = &s;
    };
    prefer(
        [&](const Summand& s) { return s.ids && attention::counts_rows(context, s.ids, e.rows); });
    prefer([&](const Summand& s) { return scope.constant(s.value) != nullptr; });
    prefer(
        [&](const Summand& s) { return s.ids && ids_problem(scope, e, s.ids, "", true).empty(); });
    return positions;
}

/// Finds positions and perhaps kinds among the summands besides the word table. Returns why they
/// are no embedding, or empty.
std::string find_other_tables(PassContext& context, const Embedding& e, Tables& tables) {
    const Scope& scope = context.scope();
    tables.positions = find_positions(context, e, tables.words);
    if (!tables.positions)
        return "no summand is a table of positions: rows 0, 1, 2 ... of it, a constant, or rows "
               "chosen by ids [batch, "
               "rows]";
    for (const Summand& s : e.terms)
        if (&s != tables.words && &s != tables.positions) tables.kinds = &s;
    if (tables.kinds) {
        if (!tables.kinds->table) return "one summand is no Gather of rows of a table";
        if (std::string problem =
                ids_problem(scope, e, tables.kinds->ids, "the segment ids", false);
            !problem.empty())
            return problem;
    }
    for (const Summand* s : {tables.words, tables.positions, tables.kinds})
        if (s && s->table && !surely_equal(scope.type(s->table).shape->back(), e.width))
            return "the tables have rows of " + to_string(e.width) + " and " +
                   to_string(scope.type(s->table).shape->back());
    return {};
}

/// Reads rows or ids of the positions; else why they do not fit every batch.
std::string read_positions(PassContext& context, const Embedding& e, Tables& tables) {
    const Scope& scope = context.scope();
    const Summand& positions = *tables.positions;
    if (!positions.table) {
        tables.rows = rows_of_constant(*scope.constant(positions.value), e);
        if (!tables.rows)
            return "the constant summand has the shape " +
                   to_string(*scope.type(positions.value).shape) +
                   " or differs by batch, needs rows for " + to_string(e.rows) + " positions";
    }
    if (const auto& shape = scope.type(positions.value).shape;
        !shape || shape->size() > 3 ||
        (shape->size() == 3 && shape->front().value() != 1 &&
         !surely_equal(shape->front(), e.batch)))
        return "the positions have the shape " + to_string(scope.type(positions.value)) +
               ", need [" + to_string(e.batch) + " or 1," + to_string(e.rows) + "," +
               to_string(e.width) + "]";
    tables.counted = positions.table && attention::counts_rows(context, positions.ids, e.rows);
    return {};
}

std::vector<ValueId> embedding_inputs(PassContext& context, const Embedding& e,
                                      const Tables& tables) {
    const auto& [words, positions, kinds, rows, counted] = tables;
    std::vector<ValueId> inputs(9);
    inputs[0] = as_int32(context, words->ids);
    if (kinds) inputs[1] = as_int32(context, kinds->ids);
    inputs[2] = words->table;
    inputs[3] = rows ? context.constant("position_embedding", *rows) : positions->table;
    if (kinds) inputs[4] = kinds->table;
    inputs[5] = e.gamma;
    inputs[6] = e.beta ? e.beta
                       : context.constant_scalar("beta", context.scope().dtype(e.gamma), 0,
                                                 {e.width.value()});
    if (!rows && !counted) inputs[8] = as_int32(context, positions->ids);
    while (!inputs.back()) inputs.pop_back();
    return inputs;
}

/// EmbedLayerNormalization in place of the root and, where its sum is read, of the node that
/// computes that.
void write_embedding(PassContext& context, const Embedding& e, std::vector<ValueId> inputs,
                     bool wants_sum) {
    const Scope& scope = context.scope();
    GraphEdit& edit = context.edit();
    context.import("com.microsoft");
    const NodeId sum_node = wants_sum && !e.skip ? scope.value(e.sum).producer : NodeId();
    std::vector<NodeId> removed{e.root};
    if (sum_node) removed.push_back(sum_node);
    const std::set<NodeId> unneeded = attention::unneeded_without(context.graph(), removed);
    NodeSpec spec;
    spec.domain = "com.microsoft";
    spec.op_type = "EmbedLayerNormalization";
    spec.version = 1;
    spec.name = scope.node(e.root).name;
    spec.inputs = std::move(inputs);
    spec.attributes = {attr("epsilon", e.epsilon)};
    const std::vector<ValueId> old = edit.take_outputs(e.root);
    edit.erase(e.root);
    // ONNX Runtime requires the output for the count of tokens, even if nothing reads it
    spec.outputs = {old.at(0), edit.add_value({})};
    if (sum_node) {
        spec.outputs.push_back(edit.take_outputs(sum_node).at(0));
        edit.erase(sum_node);
    } else if (wants_sum) {
        spec.outputs.push_back(old.at(3));
    }
    edit.add_node(std::move(spec));
    const std::vector<NodeId> unused(unneeded.begin(), unneeded.end());
    context.erase_unused(unused);
}

Outcome fuse(PassContext& context, Embedding& e) {
    const Scope& scope = context.scope();
    Tables tables;
    tables.words = find_words(context, e);
    if (!tables.words) return not_concerned();
    const auto& ids_shape = *scope.type(tables.words->ids).shape;
    e.batch = ids_shape[0];
    e.rows = ids_shape[1];
    e.width = scope.type(tables.words->table).shape->back();
    std::string problem = check_root(scope, e);
    if (problem.empty() && !e.width.is_known())
        problem = "the width of the word table is not known";
    if (problem.empty()) problem = ids_problem(scope, e, tables.words->ids, "the word ids", false);
    if (problem.empty()) problem = find_other_tables(context, e, tables);
    if (problem.empty()) problem = read_positions(context, e, tables);
    if (!problem.empty()) return declined(std::move(problem));
    const bool wants_sum =
        e.sum && (e.skip ? !scope.value(e.sum).is_unused() : !scope.value(e.sum).read_once());
    if (wants_sum && !e.skip && scope.value(e.sum).kind != ValueKind::node_output)
        return declined("the sum is no result of a node");
    write_embedding(context, e, embedding_inputs(context, e, tables), wants_sum);
    return applied(std::string(tables.kinds ? "three" : "two") +
                   " embeddings and their normalization became EmbedLayerNormalization");
}

}  // namespace

PassBody fuse_embed_layer_norm() {
    return {.run = [](PassContext& context) {
        for (NodeId id : context.nodes()) {
            if (!context.graph().is_alive(id)) continue;
            const Node& node = context.graph().node(id);
            if (node.op_type != "LayerNormalization" && node.op_type != "SkipLayerNormalization")
                continue;
            if (!context.may_rewrite()) return;
            Embedding e;
            if (!collect(context.scope(), node, e)) continue;
            Outcome outcome = fuse(context, e);
            if (outcome.done) context.record(std::move(outcome.text));
            else if (!outcome.text.empty()) context.miss(id, std::move(outcome.text), 1, e.nodes);
        }
    }};
}

}  // namespace lapidary::passes
