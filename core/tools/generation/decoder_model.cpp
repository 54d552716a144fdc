// SPDX-License-Identifier: Apache-2.0
#include "generation/decoder_model.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <lapidary/base/error.h>
#include <lapidary/inputs/cache_pairs.h>

#include "ops/operator_traits.h"

namespace lapidary {
namespace {

/// Names as exporters of Hugging Face (Optimum), onnxruntime-genai and torch write them.
constexpr std::pair<std::string_view, DecoderInput> known_inputs[] = {
    {"input_ids", DecoderInput::ids},
    {"attention_mask", DecoderInput::mask},
    {"position_ids", DecoderInput::positions},
    {"cache_position", DecoderInput::row_positions},
    {"seqlens_k", DecoderInput::last_rows},
    {"total_sequence_length", DecoderInput::total_rows},
    {"past_sequence_length", DecoderInput::past_rows},
    {"use_cache_branch", DecoderInput::has_past}};

std::string known_names() {
    std::string names;
    for (const auto& [name, kind] : known_inputs)
        names += (names.empty() ? "" : ", ") + std::string(name);
    return names;
}

/// The ranks that an input of the kind may have.
bool has_rank(DecoderInput kind, std::size_t rank) {
    switch (kind) {
    case DecoderInput::ids:
    case DecoderInput::mask:
    case DecoderInput::positions: return rank == 2;
    case DecoderInput::row_positions: return rank == 1;
    case DecoderInput::last_rows: return rank == 1 || rank == 2;
    case DecoderInput::total_rows:
    case DecoderInput::past_rows:
    case DecoderInput::has_past: return rank <= 1;
    }
    return false;
}

bool has_type(DecoderInput kind, DType dtype) {
    if (kind == DecoderInput::has_past) return dtype == DType::boolean;
    if (kind == DecoderInput::mask && (dtype == DType::f32 || dtype == DType::boolean)) return true;
    return dtype == DType::i64 || dtype == DType::i32;
}

DecoderPort port_of(const Value& value) {
    const auto* const known = std::ranges::find(known_inputs, std::string_view(value.name),
                                                &std::pair<std::string_view, DecoderInput>::first);
    if (known == std::end(known_inputs))
        fail_unsupported("input " + quote(value.name) + " " + to_string(value.type) +
                         " is none that generating knows how to fill: expected caches named past* "
                         "with outputs named present*, and of " +
                         known_names());
    const Type& type = value.type;
    if (type.kind != Type::Kind::tensor || !type.shape ||
        !has_rank(known->second, type.shape->size()) || !has_type(known->second, type.dtype))
        fail_unsupported("input " + quote(value.name) + ": " + to_string(type) +
                         " is not what a decoder has under this name");
    return {value.name, known->second, type.dtype, type.shape->size()};
}

DecoderCache cache_of(const Graph& graph, const CachePair& pair) {
    const Type& type = graph.value(graph.find_value(pair.input)).type;
    DecoderCache cache{pair.input, pair.output, type.dtype, {}, 0};
    std::optional<std::size_t> rows;
    for (std::size_t axis = 0; axis < type.shape->size(); ++axis) {
        const Dim& dim = (*type.shape)[axis];
        cache.shape.push_back(dim.is_known() ? dim.value() : -1);
        if (dim.is_known() || axis == 0) continue;
        if (rows)
            fail_unsupported("cache " + quote(pair.input) + " " + to_string(type) +
                             " has no fixed sizes but for sequences (axis 0) and rows: axes " +
                             std::to_string(*rows) + " and " + std::to_string(axis) + " are open");
        rows = axis;
    }
    if (!rows)
        fail_unsupported("cache " + quote(pair.input) + " " + to_string(type) +
                         " has a fixed number of rows: it cannot begin empty");
    cache.axis = *rows;
    return cache;
}

/// The output of the next token's logits: named so, or the only one that is not a cache.
std::string logits_of(const Graph& graph, const std::vector<CachePair>& pairs) {
    std::vector<std::string> others;
    for (const ValueId id : graph.outputs()) {
        const Value& value = graph.value(id);
        if (std::ranges::find(pairs, value.name, &CachePair::output) == pairs.end())
            others.push_back(value.name);
    }
    const auto named = std::ranges::find(others, "logits");
    if (named == others.end() && others.size() != 1)
        fail_unsupported("none of the " + std::to_string(others.size()) +
                         " outputs that are no caches is named \"logits\"");
    const std::string& name = named == others.end() ? others[0] : *named;
    const Type& type = graph.value(graph.find_value(name)).type;
    if (type.kind == Type::Kind::unknown) return name;  // runs show what it is
    const bool is_real =
        type.dtype == DType::f32 || type.dtype == DType::f16 || type.dtype == DType::bf16;
    if (!is_real || (type.shape && type.shape->size() != 3))
        fail_unsupported("output " + quote(name) +
                         ": expected logits as floats of shape "
                         "[sequences, tokens, vocabulary], found " +
                         to_string(type));
    return name;
}

}  // namespace

std::string reason_against_written(const Graph& graph, const DecoderCache& cache) {
    const std::string grows = "cache " + quote(cache.output) + " is made longer by ";
    const Value& present = graph.value(graph.find_value(cache.output));
    if (present.kind != ValueKind::node_output)
        return "cache " + quote(cache.output) + " is no result";
    const Node& node = graph.node(present.producer);
    const auto index = traits_of(node).written_input(present.producer_output);
    if (!index) return grows + node.describe();
    const Value& past = graph.value(node.inputs.at(*index));
    if (past.name != cache.input) return grows + "nodes in front of " + node.describe();
    if (!past.read_once()) return "cache " + quote(cache.input) + " has several readers";
    return {};
}

DecoderModel describe_decoder(const Model& model) {
    const Graph& graph = model.graph;
    const std::vector<CachePair> pairs = find_cache_pairs(model);
    DecoderModel decoder;
    for (const ValueId id : graph.inputs()) {
        const Value& value = graph.value(id);
        if (value.constant ||
            std::ranges::find(pairs, value.name, &CachePair::input) != pairs.end())
            continue;
        decoder.inputs.push_back(port_of(value));
    }
    if (std::ranges::find(decoder.inputs, DecoderInput::ids, &DecoderPort::kind) ==
        decoder.inputs.end())
        fail_unsupported("the model has no input \"input_ids\" of tokens: it is no decoder");
    for (const CachePair& pair : pairs) decoder.caches.push_back(cache_of(graph, pair));
    decoder.logits = logits_of(graph, pairs);
    return decoder;
}

}  // namespace lapidary
