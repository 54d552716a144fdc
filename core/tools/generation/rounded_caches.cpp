// SPDX-License-Identifier: Apache-2.0
#include "generation/rounded_caches.h"

#include <algorithm>

#include <lapidary/graph/graph_edit.h>
#include <lapidary/ops/infer.h>

#include "graph/copy_model.h"

namespace lapidary {
namespace {

bool is_cast(const Node& node) { return node.domain.empty() && node.op_type == "Cast"; }

/// The Casts at both ends of a cache.
struct CacheCasts {
    NodeId reading, writing;
    DType inner = DType::undefined;  // undefined: the cache has no such Casts
};

CacheCasts casts_of(const Graph& graph, const DecoderCache& cache) {
    if (cache.dtype != DType::f32) return {};
    const Value &past = graph.value(graph.find_value(cache.input)),
                &present = graph.value(graph.find_value(cache.output));
    if (!past.read_once() || present.kind != ValueKind::node_output ||
        !present.captured_by.empty() || present.output_uses != 1)
        return {};
    const Node &reading = graph.node(past.uses[0].node), &writing = graph.node(present.producer);
    if (!is_cast(reading) || !is_cast(writing)) return {};
    const Value &rounded = graph.value(reading.outputs[0]), &inner = graph.value(writing.inputs[0]);
    const DType dtype = rounded.type.dtype;
    if ((dtype != DType::f16 && dtype != DType::bf16) || inner.type.dtype != dtype ||
        rounded.output_uses != 0 || inner.output_uses != 0 || inner.kind != ValueKind::node_output)
        return {};
    return {reading.id, writing.id, dtype};
}

/// Nodes that read the shape alone get it without the Cast, which would widen every row for that.
void ask_inner_for_shape(GraphEdit& edit, ValueId present, ValueId inner) {
    const std::vector<Use> uses = edit.graph().value(present).uses;
    for (const Use& use : uses) {
        const Node& reader = edit.graph().node(use.node);
        if (reader.domain.empty() && reader.op_type == "Shape")
            edit.set_input(use.node, use.input, inner);
    }
}

void keep_rounded(GraphEdit& edit, const CacheCasts& casts, DecoderCache& cache) {
    const Graph& graph = edit.graph();
    const ValueId past = graph.find_value(cache.input), present = graph.find_value(cache.output);
    const ValueId inner = graph.node(casts.writing).inputs[0];
    Type type = graph.value(past).type;
    type.dtype = casts.inner;
    edit.set_type(past, std::move(type));
    edit.replace_uses(graph.node(casts.reading).outputs[0], past);
    edit.erase(casts.reading);
    ask_inner_for_shape(edit, present, inner);
    std::vector<ValueId> outputs(graph.outputs().begin(), graph.outputs().end());
    std::ranges::replace(outputs, present, inner);
    edit.set_outputs(std::move(outputs));
    if (graph.value(present).uses.empty()) edit.erase(casts.writing);
    else edit.rename(present, edit.fresh_name(cache.output + "_wide"));  // attention reads it
    edit.rename(inner, cache.output);
    edit.record("cache " + quote(cache.output) + " is kept as it is read");
    cache.dtype = casts.inner;
}

}  // namespace

DType kept_type(const Graph& graph, const DecoderCache& cache) {
    const DType inner = casts_of(graph, cache).inner;
    return inner == DType::undefined ? cache.dtype : inner;
}

Model with_rounded_caches(const Model& model, std::vector<DecoderCache>& caches,
                          const CancelToken& cancel) {
    Model changed = copy_model(model, cancel);
    GraphEdit edit(changed.graph, "rounded_caches");
    for (DecoderCache& cache : caches)
        if (const CacheCasts casts = casts_of(changed.graph, cache);
            casts.inner != DType::undefined)
            keep_rounded(edit, casts, cache);
    edit.finish();
    infer_types(changed);
    return changed;
}

}  // namespace lapidary
