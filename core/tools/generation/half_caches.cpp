// SPDX-License-Identifier: Apache-2.0
#include "generation/half_caches.h"

#include <lapidary/base/error.h>
#include <lapidary/graph/graph_edit.h>
#include <lapidary/ops/infer.h>

#include "graph/copy_model.h"

namespace lapidary {

std::string reason_against_halves(const Graph& graph, const DecoderCache& cache) {
    if (cache.dtype == DType::f16) return {};
    const std::string name = "cache " + quote(cache.output);
    if (cache.dtype != DType::f32)
        return name + " has elements of type " + std::string(name_of(cache.dtype)) + ", not float";
    if (std::string why = reason_against_written(graph, cache); !why.empty()) return why;
    const Value& present = graph.value(graph.find_value(cache.output));
    const Node& node = graph.node(present.producer);
    if (node.qualified_op() != "com.microsoft::GroupQueryAttention")
        return name + " is written by " + node.describe() + ", which takes one type alone";
    if (!present.uses.empty() || !present.captured_by.empty())
        return name + " is read by other nodes too";
    return {};
}

Model with_half_caches(const Model& model, std::vector<DecoderCache>& caches,
                       const CancelToken& cancel) {
    Model changed = copy_model(model, cancel);
    Graph& graph = changed.graph;
    GraphEdit edit(graph, "half_caches");
    for (DecoderCache& cache : caches) {
        if (cache.dtype == DType::f16) continue;
        for (const std::string& name : {cache.input, cache.output}) {
            const ValueId id = graph.find_value(name);
            Type type = graph.value(id).type;
            type.dtype = DType::f16;
            edit.set_type(id, std::move(type));
        }
        edit.record("cache " + quote(cache.output) + " is of float16");
        cache.dtype = DType::f16;
    }
    edit.finish();
    infer_types(changed);
    return changed;
}

}  // namespace lapidary
