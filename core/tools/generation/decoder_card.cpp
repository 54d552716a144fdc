// SPDX-License-Identifier: Apache-2.0
// What a token reads of a decoder, found by its graph.
#include <lapidary/generation/measure_decoding.h>

#include <algorithm>
#include <set>

#include "cost/operator_work.h"
#include "generation/decoder_model.h"
#include "generation/rounded_caches.h"
#include "generation/vocabulary.h"
#include "graph/lift_constants.h"
#include "inputs/position_limit.h"

namespace lapidary {
namespace {

/// The constant that a value is; null: it is none. `held`: what a Constant node holds.
const Tensor* constant_at(const Graph& graph, ValueId id, std::optional<Tensor>& held) {
    if (!id) return nullptr;
    const Value& value = graph.value(id);
    if (value.constant) return &*value.constant;
    if (!value.producer) return nullptr;
    held = constant_of(graph.node(value.producer));
    return held ? &*held : nullptr;
}

/// The first of the inputs that are tables with a row for each position; all before it are read as
/// a whole.
std::size_t first_position_table(const Node& node) {
    if (node.domain != "com.microsoft") return node.inputs.size();
    if (node.op_type == "GroupQueryAttention") return 7;
    return node.op_type == "RotaryEmbedding" ? 2 : node.inputs.size();
}

/// Bytes of constants that a run on one token reads, each once. Tables count only where a whole is
/// read: the rows of a token are few.
std::uint64_t token_weight_bytes(const Graph& graph) {
    std::set<ValueId> counted;
    std::uint64_t bytes = 0;
    for (const NodeId id : graph.nodes()) {
        const Node& node = graph.node(id);
        if (picks_elements(node)) continue;
        const std::size_t end = std::min(node.inputs.size(), first_position_table(node));
        for (std::size_t i = 0; i < end; ++i) {
            std::optional<Tensor> held;
            const Tensor* const constant = constant_at(graph, node.inputs[i], held);
            if (constant && counted.insert(node.inputs[i]).second) bytes += constant->byte_size();
        }
    }
    return bytes;
}

std::uint64_t row_bytes(const DecoderCache& cache) {
    Shape shape = cache.shape;
    shape[cache.axis] = 1;
    if (shape[0] < 0) shape[0] = 1;
    return Tensor(cache.dtype, std::move(shape)).byte_size();
}

}  // namespace

DecoderCard decoder_card(const Model& model) {
    const DecoderModel decoder = describe_decoder(model);
    DecoderCard card;
    constexpr std::int64_t in_every_vocabulary = 2;
    const VocabularySizes sizes = vocabulary_sizes(model.graph, decoder);
    card.vocabulary = sizes.logits.value_or(sizes.table.value_or(in_every_vocabulary));
    for_each_constant(model.graph,
                      [&](const Tensor& tensor) { card.weight_bytes += tensor.byte_size(); });
    card.token_weight_bytes = token_weight_bytes(model.graph);
    for (DecoderCache cache : decoder.caches) {
        cache.dtype = kept_type(model.graph, cache);
        card.cache_row_bytes += row_bytes(cache);
    }
    card.most_positions = longest_sequence(model);
    return card;
}

}  // namespace lapidary
