// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>
#include <vector>

#include <lapidary/graph/graph_edit.h>
#include <lapidary/ops/infer.h>
#include <lapidary/passes/optimize.h>
#include <lapidary/quantize/quantize.h>

#include "graph/copy_model.h"
#include "passes/basic/folding/freeze_defaults.h"
#include "passes/opset/convert_opset.h"

namespace lapidary {
namespace {

// QuantizeLinear and DequantizeLinear per channel
constexpr std::int64_t opset_of_channel_scales = 13;

/// Removes notes of exporters on the origin of nodes, which in small models are larger than the
/// quantized weights. Returns their bytes.
std::size_t clear_notes(Graph& graph) {
    std::size_t bytes = 0;
    GraphEdit edit(graph, "clear_notes");
    const std::vector<NodeId> nodes(graph.nodes().begin(), graph.nodes().end());
    for (NodeId id : nodes) {
        const Node node = graph.node(id);
        if (node.doc.empty() && node.metadata.empty()) continue;
        bytes += node.doc.size();
        for (const auto& [key, text] : node.metadata) bytes += key.size() + text.size();
        std::vector<ValueId> outputs = edit.take_outputs(id);
        edit.erase(id);
        const NodeId plain = edit.add_node({.op_type = node.op_type,
                                            .inputs = node.inputs,
                                            .outputs = std::move(outputs),
                                            .attributes = node.attributes,
                                            .name = node.name,
                                            .domain = node.domain,
                                            .version = node.version,
                                            .overload = node.overload,
                                            .preserved = node.preserved});
        // not recorded as a rewrite, which would hand the metadata on
        edit.set_origins(plain, node.origins);
    }
    edit.finish();
    return bytes;
}

}  // namespace

Model prepare_for_quantization(const Model& model, std::int64_t least_opset,
                               std::vector<std::string>& notes, const Progress& progress) {
    OptimizeOptions options;
    options.level = Level::basic;
    options.near_misses = false;
    Model source = copy_model(model, progress.cancel);
    import_onnx(source);
    const bool reports = source.ir_version >= 4;  // before, all initializers are inputs
    if (const std::size_t frozen = freeze_defaults(source); frozen > 0 && reports)
        notes.push_back(std::to_string(frozen) + (frozen == 1 ? " input" : " inputs") +
                        " with a default became constants: what may be given another value cannot "
                        "be quantized");
    Model prepared = optimize(source, options, progress).model;
    if (const std::size_t bytes = clear_notes(prepared.graph); bytes > 0)
        notes.push_back("left out " + std::to_string(bytes) +
                        " bytes that the exporter noted at nodes");
    const std::int64_t from = prepared.opset(), to = std::max(least_opset, opset_of_channel_scales);
    if (from < to) {
        convert_opset(prepared, to, progress);
        infer_types(prepared, {}, progress);
        notes.push_back("converted from opset " + std::to_string(from) + " to " +
                        std::to_string(to));
    }
    return prepared;
}

}  // namespace lapidary
