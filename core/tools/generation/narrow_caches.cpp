// SPDX-License-Identifier: Apache-2.0
#include "generation/narrow_caches.h"

#include <lapidary/base/error.h>
#include <lapidary/graph/graph_edit.h>
#include <lapidary/ops/infer.h>

#include "graph/copy_model.h"
#include "kernels/attention/scaled_bytes.h"

namespace lapidary {

std::string reason_against_narrow(const Graph& graph, const DecoderCache& cache, DType dtype) {
    if (cache.dtype == dtype && dtype == DType::f16) return {};
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

Model with_narrow_caches(const Model& model, std::vector<DecoderCache>& caches, DType dtype,
                         const CancelToken& cancel) {
    Model changed = copy_model(model, cancel);
    Graph& graph = changed.graph;
    GraphEdit edit(graph, "narrow_caches");
    for (DecoderCache& cache : caches) {
        if (cache.dtype == dtype) continue;
        const std::int64_t size = cache.shape.back(),
                           width = dtype == DType::i8 ? scaled_bytes::row(size) : size;
        for (const std::string& name : {cache.input, cache.output}) {
            const ValueId id = graph.find_value(name);
            Type type = graph.value(id).type;
            type.dtype = dtype;
            if (type.shape) type.shape->back() = width;
            edit.set_type(id, std::move(type));
        }
        edit.record("cache " + quote(cache.output) + " is of " + std::string(name_of(dtype)));
        cache.dtype = dtype;
        cache.shape.back() = width;
    }
    edit.finish();
    infer_types(changed);
    return changed;
}

}  // namespace lapidary
