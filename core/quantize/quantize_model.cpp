// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include <lapidary/error.h>
#include <lapidary/infer.h>
#include <lapidary/quantize.h>

#include "graph/copy_model.h"
#include "graph/traversal.h"
#include "quantize/placement.h"
#include "quantize/quantize_parts.h"
#include "quantize/quantize_writer.h"
#include "quantize/weight_transforms.h"

namespace lapidary {
namespace {

constexpr std::array<std::pair<QuantizeMode, std::string_view>, 3> modes{
    {{QuantizeMode::dynamic, "dynamic"}, {QuantizeMode::static_qdq, "static"}, {QuantizeMode::weights, "weights"}}};
constexpr std::int64_t opset_of_blocks = 21, opset_of_16_bits = 21;
constexpr std::size_t few_samples = 8;

void check_options(const QuantizeOptions& options, const SampleSource* samples) {
    const bool known = options.activation == DType::u8 || options.activation == DType::i8 ||
                       options.activation == DType::u16 || options.activation == DType::i16;
    if (!known)
        fail_input("activations are quantized to u8, i8, u16 or i16, not to " +
                   std::string(name_of(options.activation)));
    if (options.weight_bits != 4 && options.weight_bits != 8)
        fail_input("weights in blocks have 4 or 8 bits, not " + std::to_string(options.weight_bits));
    if (options.block < 16 || options.block > 256 || !std::has_single_bit(static_cast<std::uint64_t>(options.block)))
        fail_input("a block is a power of two from 16 to 256 rows, not " + std::to_string(options.block));
    if (!(options.smoothing >= 0 && options.smoothing < 1)) fail_input("smoothing is a share from 0 up to 1");
    const bool needs_samples =
        options.mode == QuantizeMode::static_qdq || options.smoothing > 0 || options.compensated_rounding;
    if (needs_samples && !samples) fail_input("static quantization, smoothing and compensated rounding need samples");
}

std::int64_t least_opset(const QuantizeOptions& options) {
    if (options.mode == QuantizeMode::weights && options.block_form == BlockForm::dequantize) return opset_of_blocks;
    const bool wide = options.activation == DType::u16 || options.activation == DType::i16;
    return options.mode == QuantizeMode::static_qdq && wide ? opset_of_16_bits : 0;
}

bool is_quantized_already(const Model& model) {
    bool found = false;
    for_each_graph(model, [&](const Graph& graph, const std::string&) {
        for (NodeId id : graph.nodes())
            found = found || graph.node(id).op_type == "QuantizeLinear" || graph.node(id).op_type == "DequantizeLinear";
    });
    return found;
}

void tell_of_samples(const Calibration& calibration, QuantizeResult& result) {
    result.samples = calibration.samples;
    result.cancelled = calibration.cancelled;
    result.notes.insert(result.notes.end(), calibration.warnings.begin(), calibration.warnings.end());
    if (calibration.samples < few_samples)
        result.notes.push_back("ranges come from " + std::to_string(calibration.samples) +
                               (calibration.samples == 1 ? " sample" : " samples") + ": eight or more are advised");
    for (const ObservedTensor& tensor : calibration.tensors)
        if (tensor.not_finite > 0)
            result.notes.push_back("value " + quote(tensor.name) +
                                   " had elements that are not finite, which were left out");
}

}  // namespace

std::string_view name_of(QuantizeMode mode) {
    return std::ranges::find(modes, mode, &decltype(modes)::value_type::first)->second;
}

std::optional<QuantizeMode> quantize_mode_from_name(std::string_view name) {
    const auto at = std::ranges::find(modes, name, &decltype(modes)::value_type::second);
    return at == modes.end() ? std::nullopt : std::optional(at->first);
}

std::uint64_t constant_bytes(const Model& model) {
    std::uint64_t bytes = 0;
    for (ValueId id : model.graph.initializers())
        if (model.graph.value(id).constant) bytes += model.graph.value(id).constant->byte_size();
    return bytes;
}

QuantizeResult quantize_model(const Model& model, const QuantizeOptions& options, const SampleSource* samples,
                              const Progress& progress) {
    return quantize_parts(model, options, QuantizedParts::both, samples, progress);
}

QuantizeResult quantize_parts(const Model& model, const QuantizeOptions& options, QuantizedParts parts,
                              const SampleSource* samples, const Progress& progress) {
    check_options(options, samples);
    QuantizeResult result;
    if (is_quantized_already(model)) result.notes.push_back("the model holds quantized parts, which stay as they are");
    result.model = prepare_for_quantization(model, least_opset(options), result.notes, progress);
    if (options.equalize) equalize_layers(result.model.graph, result.notes);
    const auto observe = [&](bool histograms) {
        const Placement placement = place_by_benefit(result.model.graph, options);
        CalibrationOptions calibrating = options.calibration;
        calibrating.histograms = histograms;
        return calibrate(std::make_shared<const Model>(copy_model(result.model, progress.cancel)), *samples,
                         values_to_watch(result.model.graph, placement), calibrating, progress);
    };
    if (options.smoothing > 0) {
        const Calibration seen = observe(false);
        tell_of_samples(seen, result);
        if (smooth_products(result.model, seen, options.smoothing, result.notes) > 0)
            infer_types(result.model, {}, progress);
    }
    if (options.compensated_rounding) compensate_rounding(result.model, options, *samples, result.notes, progress);
    if (options.mode == QuantizeMode::dynamic) write_dynamic(result.model, options, result, progress);
    else if (options.mode == QuantizeMode::weights) write_weights(result.model, options, result, progress);
    else {
        const std::vector<std::string> notes = std::exchange(result.notes, {});
        const Calibration calibration = observe(options.range != RangeMethod::minmax);
        tell_of_samples(calibration, result);
        for (const std::string& text : notes)
            if (std::ranges::find(result.notes, text) == result.notes.end()) result.notes.push_back(text);
        const Progress rest{result.cancelled ? CancelToken() : progress.cancel,
                            progress.report};  // what was seen is to be written
        write_static(result.model, options, parts, calibration, result, rest);
    }
    result.quantized = static_cast<std::size_t>(std::ranges::count(result.nodes, true, &NodeDecision::quantized));
    infer_types(result.model, {});
    return result;
}

}  // namespace lapidary
