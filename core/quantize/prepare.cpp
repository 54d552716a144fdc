// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <vector>

#include <lapidary/graph_edit.h>
#include <lapidary/infer.h>
#include <lapidary/optimize.h>
#include <lapidary/quantize.h>

#include "graph/copy_model.h"
#include "passes/basic/folding/freeze_defaults.h"
#include "passes/opset/convert_opset.h"

namespace lapidary {
namespace {

constexpr std::int64_t opset_of_channel_scales = 13;  // QuantizeLinear and DequantizeLinear per channel

/// Where a node comes from, as exporters note it: of small models that is more than the weights in integers. Bytes.
std::size_t clear_notes(Graph& graph) {
    std::size_t bytes = 0;
    GraphEdit edit(graph, "clear_notes");
    const std::vector<NodeId> nodes(graph.nodes().begin(), graph.nodes().end());
    for (NodeId id : nodes) {
        bytes += graph.node(id).doc.size();
        for (const auto& [key, text] : graph.node(id).metadata) bytes += key.size() + text.size();
        edit.clear_notes(id);
    }
    edit.finish();
    return bytes;
}

}  // namespace

Model prepare_for_quantization(const Model& model, std::int64_t least_opset, std::vector<std::string>& notes,
                               const Progress& progress) {
    OptimizeOptions options;
    options.level = Level::basic;
    options.near_misses = false;
    Model source = copy_model(model, progress.cancel);
    import_onnx(source);
    const bool tells = source.ir_version >= 4;  // before, all initializers are inputs
    if (const std::size_t frozen = freeze_defaults(source); frozen > 0 && tells)
        notes.push_back(std::to_string(frozen) + (frozen == 1 ? " input" : " inputs") +
                        " with a default became constants: what may be given another value cannot be quantized");
    Model prepared = optimize(source, options, progress).model;
    if (const std::size_t bytes = clear_notes(prepared.graph); bytes > 0)
        notes.push_back("left out " + std::to_string(bytes) + " bytes that the exporter noted at nodes");
    const std::int64_t from = prepared.opset(), to = std::max(least_opset, opset_of_channel_scales);
    if (from < to) {
        convert_opset(prepared, to, progress);
        infer_types(prepared, {}, progress);
        notes.push_back("converted from opset " + std::to_string(from) + " to " + std::to_string(to));
    }
    return prepared;
}

}  // namespace lapidary
