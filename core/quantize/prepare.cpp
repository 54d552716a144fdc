// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <lapidary/infer.h>
#include <lapidary/optimize.h>
#include <lapidary/quantize.h>

#include "graph/copy_model.h"
#include "passes/basic/folding/freeze_defaults.h"
#include "passes/opset/convert_opset.h"

namespace lapidary {
namespace {

constexpr std::int64_t opset_of_channel_scales = 13;  // QuantizeLinear and DequantizeLinear per channel

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
    const std::int64_t from = prepared.opset(), to = std::max(least_opset, opset_of_channel_scales);
    if (from < to) {
        convert_opset(prepared, to, progress);
        infer_types(prepared, {}, progress);
        notes.push_back("converted from opset " + std::to_string(from) + " to " + std::to_string(to));
    }
    return prepared;
}

}  // namespace lapidary
