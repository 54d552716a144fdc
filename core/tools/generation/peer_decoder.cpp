// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "generation/onnxruntime_decoder.h"
#include "generation/vocabulary.h"

namespace lapidary {

PeerDecoder peer_decoder(const Model& model, CacheStorage storage) {
    PeerDecoder peer;
    peer.model = describe_decoder(model);
    const VocabularySizes sizes = vocabulary_sizes(model.graph, peer.model);
    peer.vocabulary = sizes.logits.value_or(sizes.table.value_or(0));
    if (storage == CacheStorage::growing) return peer;
    const Graph& graph = model.graph;
    if (peer.model.caches.empty()) peer.growing_reason = "the model has no caches";
    for (const DecoderCache& cache : peer.model.caches) {
        peer.growing_reason = reason_against_written(graph, cache);
        if (!peer.growing_reason.empty()) break;
        const Value& present = graph.value(graph.find_value(cache.output));
        if (graph.node(present.producer).op_type != "GroupQueryAttention")
            peer.mask_has_capacity = true;
    }
    peer.is_fixed = peer.growing_reason.empty();
    return peer;
}

}  // namespace lapidary
