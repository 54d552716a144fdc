// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>
#include <vector>

#include <lapidary/ops/infer.h>
#include <lapidary/passes/optimize.h>
#include <lapidary/quantize/quantize.h>

#include "graph/copy_model.h"
#include "passes/basic/folding/freeze_defaults.h"
#include "passes/opset/convert_opset.h"
#include "quantize/exporter_notes.h"

namespace lapidary {
namespace {

// QuantizeLinear and DequantizeLinear per channel
constexpr std::int64_t opset_of_channel_scales = 13;

}  // namespace

Model prepare_for_quantization(const Model& model, std::int64_t least_opset,
                               std::vector<std::string>& notes, const Progress& progress) {
    ExporterNotes taken;
    Model prepared = prepare_without_notes(model, least_opset, notes, taken, progress);
    if (taken.bytes > 0) notes.push_back(left_out_text(taken));
    return prepared;
}

Model prepare_without_notes(const Model& model, std::int64_t least_opset,
                            std::vector<std::string>& notes, ExporterNotes& taken,
                            const Progress& progress) {
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
    taken = take_notes(prepared.graph);
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
