// SPDX-License-Identifier: Apache-2.0
#include "inputs/position_limit.h"

#include <algorithm>
#include <string_view>
#include <vector>

namespace lapidary {
namespace {

constexpr std::size_t most_values_seen = 32;
constexpr std::int64_t offset_rows = 2;  // RoBERTa's positions begin behind two rows of padding
// half of the max_length that is generated for such models
constexpr std::int64_t generated_prompt = 8;
// a smaller table is a shape or pads, no table of positions
constexpr std::int64_t least_rows_cut = 16;

const Tensor* constant_at(const Graph& graph, const Node& node, std::size_t input) {
    if (input >= node.inputs.size() || !node.inputs[input]) return nullptr;
    const Value& value = graph.value(node.inputs[input]);
    if (value.constant) return &*value.constant;
    if (!value.producer) return nullptr;
    const Node& producer = graph.node(value.producer);
    return producer.op_type == "Constant" && producer.domain.empty()
               ? producer.tensor_attribute("value")
               : nullptr;
}

bool is_one_of(std::string_view text, std::initializer_list<std::string_view> words) {
    return std::ranges::find(words, text) != words.end();
}

enum class Origin : std::uint8_t { other, counted, counted_behind_padding };

/// The number of inputs, from the first on, whose integers are passed to the node's output.
std::size_t inputs_passed(const Node& node) {
    if (is_one_of(node.op_type, {"Add", "Sub", "Mul", "Where"})) return node.inputs.size();
    // only the first input is passed, the others are positions
    return is_one_of(node.op_type, {"Cast", "Unsqueeze", "Squeeze", "Reshape", "Expand", "Slice",
                                    "Identity", "Tile"})
               ? std::min<std::size_t>(1, node.inputs.size())
               : 0;
}

/// Finds out whether integers are positions that the graph counts itself. Only inspects a few
/// values, since the path from a counter to the table is short.
Origin origin_of(const Graph& graph, ValueId id) {
    std::vector<ValueId> values{id};
    for (std::size_t i = 0; i < values.size() && i < most_values_seen; ++i) {
        const NodeId producer = values[i] ? graph.value(values[i]).producer : NodeId();
        if (!producer) continue;
        const Node& node = graph.node(producer);
        if (node.op_type == "Range") return Origin::counted;
        if (node.op_type == "CumSum") return Origin::counted_behind_padding;
        for (std::size_t k = 0; k < inputs_passed(node); ++k)
            if (std::ranges::find(values, node.inputs[k]) == values.end())
                values.push_back(node.inputs[k]);
    }
    return Origin::other;
}

std::optional<std::int64_t> rows_selected(const Graph& graph, const Node& node) {
    const Tensor* const table = constant_at(graph, node, 0);
    if (!table || table->rank() < 1 || node.int_attribute("axis", 0) != 0 || node.inputs.size() < 2)
        return std::nullopt;
    const Origin origin = origin_of(graph, node.inputs[1]);
    if (origin == Origin::other) return std::nullopt;
    return table->dim(0) - (origin == Origin::counted_behind_padding ? offset_rows : 0);
}

/// For a Slice(table, starts, ends, axes) whose ends are computed: the table's length along the
/// only axis.
std::optional<std::int64_t> rows_cut(const Graph& graph, const Node& node) {
    constexpr std::size_t ends_at = 2, axes_at = 3;
    const Tensor* const table = constant_at(graph, node, 0);
    if (!table || table->rank() < 1 || node.inputs.size() <= ends_at ||
        constant_at(graph, node, ends_at))
        return std::nullopt;
    const Tensor* const axes = constant_at(graph, node, axes_at);
    if (!axes || axes->size() != 1 || !is_integer(axes->dtype())) return std::nullopt;
    const auto rank = static_cast<std::int64_t>(table->rank());
    std::int64_t axis = to_int64s(*axes)[0];
    if (axis < 0) axis += rank;
    if (axis < 0 || axis >= rank) return std::nullopt;
    const std::int64_t rows = table->dim(static_cast<std::size_t>(axis));
    return rows >= least_rows_cut ? std::optional(rows) : std::nullopt;
}

/// Operators of ONNX Runtime that have a table with a row for each position, or that generate up to
/// a length.
std::optional<std::int64_t> rows_of_contrib(const Graph& graph, const Node& node) {
    struct TableInput {
        std::string_view op;
        std::size_t input;
    };
    static constexpr TableInput tables[] = {
        {"EmbedLayerNormalization", 3}, {"RotaryEmbedding", 2}, {"GroupQueryAttention", 7}};
    if (is_one_of(node.op_type, {"BeamSearch", "GreedySearch", "Sampling"})) {
        // max_length: tokens of the prompt and generated ones
        const Tensor* const longest = constant_at(graph, node, 1);
        return longest && longest->dtype() == DType::i32 && longest->size() == 1
                   ? std::max<std::int64_t>(longest->data<std::int32_t>()[0] / 2, 1)
                   : generated_prompt;
    }
    for (const auto& [op, input] : tables)
        if (node.op_type == op)
            if (const Tensor* const table = constant_at(graph, node, input);
                table && table->rank() == 2)
                return table->dim(0);
    return std::nullopt;
}

std::optional<std::int64_t> rows_of(const Graph& graph, const Node& node) {
    if (node.domain == "com.microsoft") return rows_of_contrib(graph, node);
    if (!node.domain.empty()) return std::nullopt;
    if (node.op_type == "Gather") return rows_selected(graph, node);
    return node.op_type == "Slice" ? rows_cut(graph, node) : std::nullopt;
}

}  // namespace

std::optional<std::int64_t> longest_sequence(const Model& model) {
    std::optional<std::int64_t> longest;
    for (const NodeId id : model.graph.nodes())
        if (const auto rows = rows_of(model.graph, model.graph.node(id)); rows && *rows > 0)
            longest = std::min(longest.value_or(*rows), *rows);
    return longest;
}

}  // namespace lapidary
