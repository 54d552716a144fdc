// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <bit>
#include <iterator>
#include <map>
#include <utility>

#include <lapidary/base/error.h>
#include <lapidary/ops/infer.h>
#include <lapidary/quantize/quantize.h>
#include <lapidary/quantize/resumed_quantization.h>

#include "graph/copy_model.h"
#include "graph/lift_constants.h"
#include "graph/traversal.h"
#include "passes/lowering/mend_for_readers.h"
#include "quantize/writers/bound_masks.h"
#include "quantize/exporter_notes.h"
#include "quantize/least_opset.h"
#include "quantize/writers/onnxruntime_placement.h"
#include "quantize/writers/placement.h"
#include "quantize/writers/quantized_operators.h"
#include "quantize/quantize_parts.h"
#include "quantize/rotation/rotate_residuals.h"
#include "quantize/writers/quantize_writer.h"
#include "quantize/weights/recurrent_products.h"
#include "quantize/weights/tied_weights.h"
#include "quantize/weights/unfit_weights.h"
#include "quantize/unused_options.h"
#include "quantize/unmatched_patterns.h"
#include "quantize/calibration/input_squares.h"
#include "quantize/calibration/value_warnings.h"
#include "quantize/weights/weight_transforms.h"

namespace lapidary {
namespace {

constexpr std::array<std::pair<QuantizeMode, std::string_view>, 4> modes{
    {{QuantizeMode::dynamic, "dynamic"},
     {QuantizeMode::static_qdq, "static"},
     {QuantizeMode::weights, "weights"},
     {QuantizeMode::half, "fp16"}}};
constexpr std::array<std::pair<WeightStorage, std::string_view>, 3> storages{
    {{WeightStorage::blocks, "blocks"},
     {WeightStorage::float8, "float8"},
     {WeightStorage::bfloat16, "bfloat16"}}};
constexpr std::array<std::pair<StaticForm, std::string_view>, 2> static_forms{
    {{StaticForm::pairs, "qdq"}, {StaticForm::operators, "qoperator"}}};
constexpr std::array<std::pair<StaticPlacement, std::string_view>, 2> placements{
    {{StaticPlacement::benefit, "benefit"}, {StaticPlacement::onnxruntime, "onnxruntime"}}};
constexpr std::int64_t opset_of_blocks = 21, opset_of_16_bits = 21, opset_of_4_bits = 21,
                       opset_of_float8 = 19;
constexpr std::size_t few_samples = 8;
constexpr double most_bits = 16;  // for a weight in blocks

void check_types_by_pattern(const QuantizeOptions& options) {
    for (const std::string& entry : options.weights_of) typed_pattern(entry);
    const bool one_type = options.mode == QuantizeMode::dynamic ||
                          options.mode == QuantizeMode::half ||
                          options.storage != WeightStorage::blocks ||
                          options.placement == StaticPlacement::onnxruntime;
    if (one_type && !options.weights_of.empty())
        fail_input(
            "weights have types of their own in mode static, placed by benefit, and in blocks "
            "alone");
    const bool has_activations =
        options.mode == QuantizeMode::dynamic || options.mode == QuantizeMode::static_qdq;
    if (!options.weights_alone.empty() &&
        (!has_activations || options.placement == StaticPlacement::onnxruntime))
        fail_input(
            "nodes have weights in integers alone in modes dynamic and static, placed by benefit");
}

void check_options(const QuantizeOptions& options, const SampleSource* samples) {
    const bool known = options.activation == DType::u8 || options.activation == DType::i8 ||
                       options.activation == DType::u16 || options.activation == DType::i16;
    if (!known)
        fail_input("activations are quantized to u8, i8, u16 or i16, not to " +
                   std::string(name_of(options.activation)));
    const bool known_weight = options.weight == DType::i8 || options.weight == DType::u8 ||
                              options.weight == DType::i4 || options.weight == DType::u4;
    if (!known_weight)
        fail_input("static weights are quantized to i8, u8, i4 or u4, not to " +
                   std::string(name_of(options.weight)));
    if (options.weight_bits != 4 && options.weight_bits != 8)
        fail_input("weights in blocks have 4 or 8 bits, not " +
                   std::to_string(options.weight_bits));
    if (options.block < 16 || options.block > 256 ||
        !std::has_single_bit(static_cast<std::uint64_t>(options.block)))
        fail_input("a block is a power of two from 16 to 256 rows, not " +
                   std::to_string(options.block));
    if (!(options.bits_per_weight >= 0 && options.bits_per_weight <= most_bits))
        fail_input("a budget of bits for a weight is a number up to 16");
    if (!(options.range_headroom >= 0 && options.range_headroom <= 1))
        fail_input("the headroom of ranges is a share from 0 to 1");
    if (!(options.smoothing >= 0 && options.smoothing < 1))
        fail_input("smoothing is a share from 0 up to 1");
    check_types_by_pattern(options);
    const bool needs_samples = options.mode == QuantizeMode::static_qdq || options.smoothing > 0 ||
                               options.smoothing_by_input || options.compensated_rounding;
    if (needs_samples && !samples)
        fail_input("static quantization, smoothing and compensated rounding need samples");
}

bool is_quantized_already(const Model& model) {
    bool found = false;
    for_each_graph(model, [&](const Graph& graph, const std::string&) {
        for (NodeId id : graph.nodes())
            found = found || graph.node(id).op_type == "QuantizeLinear" ||
                    graph.node(id).op_type == "DequantizeLinear";
    });
    return found;
}

/// Blocks are rounded with compensation when they are written; float16 is never.
bool compensates_beforehand(QuantizeMode mode) {
    return mode == QuantizeMode::dynamic || mode == QuantizeMode::static_qdq;
}

Calibration observe(const Model& model, const QuantizeOptions& options, const SampleSource& samples,
                    const std::vector<WatchedValue>& values, bool histograms,
                    const Progress& progress) {
    CalibrationOptions calibrating = options.calibration;
    calibrating.histograms = histograms;
    return calibrate(std::make_shared<const Model>(copy_model(model, progress.cancel)), samples,
                     values, calibrating, progress);
}

/// The values for which mode static needs ranges.
std::vector<WatchedValue> static_values(const Graph& graph, const QuantizeOptions& options) {
    return options.placement == StaticPlacement::onnxruntime
               ? values_to_watch(graph, place_as_onnxruntime(graph, options))
               : values_to_watch(graph, place_by_benefit(graph, options));
}

void report_of_samples(const Calibration& calibration, QuantizeResult& result) {
    result.samples = calibration.samples;
    result.notes.insert(result.notes.end(), calibration.warnings.begin(),
                        calibration.warnings.end());
    if (calibration.samples < few_samples)
        result.notes.push_back("ranges come from " + std::to_string(calibration.samples) +
                               (calibration.samples == 1 ? " sample" : " samples") +
                               ": eight or more are advised");
    warn_of_values(calibration, result.notes);
}

bool is_any_of(const Graph& graph, const std::vector<ValueId>& values,
               const std::vector<WatchedValue>& named) {
    return std::ranges::any_of(values, [&](ValueId value) {
        return std::ranges::find(named, graph.value(value).name, &WatchedValue::name) !=
               named.end();
    });
}

/// Bounds mask constants if a range or float16 has to hold them.
void bound_masks_of(const QuantizeOptions& options, const SampleSource* samples,
                    QuantizeResult& result, const Progress& progress) {
    const bool is_half = options.mode == QuantizeMode::half;
    if (!options.bound_masks || (!is_half && options.mode != QuantizeMode::static_qdq)) return;
    Graph& graph = result.model.graph;
    std::vector<MaskConstant> masks = mask_constants(graph);
    if (masks.empty()) return;
    if (is_half) {
        result.masks_bounded = bound_masks(graph, masks, nullptr, result.notes);
        return;
    }
    const std::vector<WatchedValue> quantized = static_values(graph, options);
    std::erase_if(
        masks, [&](const MaskConstant& mask) { return !is_any_of(graph, mask.values, quantized); });
    std::vector<WatchedValue> watched;
    for (const MaskConstant& mask : masks)
        for (const auto* values : {&mask.scores, &mask.shares})
            for (ValueId value : *values)
                if (!is_any_of(graph, {value}, watched))
                    watched.push_back({graph.value(value).name, -1});
    if (watched.empty()) return;
    const Calibration seen = observe(result.model, options, *samples, watched, false, progress);
    result.masks_bounded = bound_masks(graph, masks, &seen, result.notes);
}

bool rotates_weights(const QuantizeOptions& options) {
    return options.mode == QuantizeMode::weights && options.storage == WeightStorage::blocks;
}

/// Rotates, equalizes and smooths the model, of which smoothing needs samples. The result is
/// quantized, or compared with the quantized model.
void transform(const QuantizeOptions& options, const SampleSource* samples, QuantizeResult& result,
               const Progress& progress) {
    if (options.rotation != 0 && rotates_weights(options))
        rotate_residuals(result.model.graph, options.rotation, result.notes, progress);
    if (options.equalize) equalize_layers(result.model.graph, result.notes, progress);
    if (!(options.smoothing > 0) && !options.smoothing_by_input) return;
    const Graph& graph = result.model.graph;
    std::vector<WatchedValue> values =
        options.mode == QuantizeMode::weights
            ? product_inputs(graph)
            : values_to_watch(graph, place_by_benefit(graph, options));
    for (const WeightedProduct& product : recurrent_products(graph, options)) {
        const std::string& name = graph.value(product.data).name;
        std::erase_if(values, [&](const WatchedValue& value) { return value.name == name; });
        values.push_back({name, product.data_axis});
    }
    const Calibration seen = observe(result.model, options, *samples, values, false, progress);
    report_of_samples(seen, result);
    if (smooth_products(result.model, seen, options, *samples, result.notes,
                        {progress.cancel, {}}) > 0)
        infer_types(result.model, {}, progress);
}

void write_static_parts(const QuantizeOptions& options, QuantizedParts parts,
                        const SampleSource& samples, QuantizeResult& result,
                        const Progress& progress) {
    const std::vector<std::string> notes = std::exchange(result.notes, {});
    const Calibration calibration =
        observe(result.model, options, samples, static_values(result.model.graph, options),
                options.range != RangeMethod::minmax, progress);
    report_of_samples(calibration, result);
    for (const std::string& text : notes)
        if (std::ranges::find(result.notes, text) == result.notes.end())
            result.notes.push_back(text);
    write_static(result.model, options, parts, calibration, result, progress);
    if (options.static_form == StaticForm::operators && parts == QuantizedParts::both)
        use_quantized_operators(result.model, result.notes, progress);
}

/// Reports the reason that most nodes have if nothing was quantized.
void report_if_nothing(QuantizeResult& result) {
    if (result.quantized > 0) return;
    std::map<std::string, std::size_t> reasons;
    for (const NodeDecision& node : result.nodes) ++reasons[node.reason];
    const auto most =
        std::ranges::max_element(reasons, {}, &std::pair<const std::string, std::size_t>::second);
    result.notes.push_back("no node was quantized" +
                           (most == reasons.end()
                                ? std::string(", for there is none")
                                : "; of " + std::to_string(result.nodes.size()) + " nodes " +
                                      std::to_string(most->second) + " because: " + most->first));
}

/// Notes of exporters come back where they take little beside the constants.
void give_or_leave_out(const ExporterNotes& exported, QuantizeResult& result) {
    constexpr std::uint64_t least_constants = 20;  // times as many bytes
    if (exported.bytes == 0) return;
    if (!give_notes(result.model.graph, exported, constant_bytes(result.model) / least_constants))
        result.notes.push_back(left_out_text(exported));
}

void write_half_model(const QuantizeOptions& options, const SampleSource* samples,
                      QuantizeResult& result, const Progress& progress) {
    if (!samples) return write_half(result.model, options, nullptr, result, progress);
    CalibrationOptions calibrating = options.calibration;
    calibrating.histograms = false;
    const Calibration seen =
        calibrate(std::make_shared<const Model>(copy_model(result.model, progress.cancel)),
                  *samples, half_candidates(result.model.graph), calibrating, progress);
    result.samples = seen.samples;
    result.notes.insert(result.notes.end(), seen.warnings.begin(), seen.warnings.end());
    write_half(result.model, options, &seen, result, progress);
}

}  // namespace

std::int64_t least_opset(const QuantizeOptions& options) {
    if (options.mode == QuantizeMode::weights) {
        if (options.storage == WeightStorage::float8) return opset_of_float8;
        const bool blocks =
            options.storage == WeightStorage::blocks && options.block_form == BlockForm::dequantize;
        return blocks ? opset_of_blocks : 0;
    }
    if (options.mode != QuantizeMode::static_qdq) return 0;
    const bool wide = options.activation == DType::u16 || options.activation == DType::i16;
    if (wide) return opset_of_16_bits;
    const bool is_any_packed = std::ranges::any_of(
        options.weights_of,
        [](const std::string& entry) { return is_packed(typed_pattern(entry).second); });
    return is_packed(options.weight) || is_any_packed ? opset_of_4_bits : 0;
}

std::string_view name_of(QuantizeMode mode) {
    return std::ranges::find(modes, mode, &decltype(modes)::value_type::first)->second;
}

std::optional<QuantizeMode> quantize_mode_from_name(std::string_view name) {
    const auto at = std::ranges::find(modes, name, &decltype(modes)::value_type::second);
    return at == modes.end() ? std::nullopt : std::optional(at->first);
}

std::string_view name_of(WeightStorage storage) {
    return std::ranges::find(storages, storage, &decltype(storages)::value_type::first)->second;
}

std::optional<WeightStorage> weight_storage_from_name(std::string_view name) {
    const auto at = std::ranges::find(storages, name, &decltype(storages)::value_type::second);
    return at == storages.end() ? std::nullopt : std::optional(at->first);
}

std::string_view name_of(StaticForm form) {
    return std::ranges::find(static_forms, form, &decltype(static_forms)::value_type::first)
        ->second;
}

std::optional<StaticForm> static_form_from_name(std::string_view name) {
    const auto at =
        std::ranges::find(static_forms, name, &decltype(static_forms)::value_type::second);
    return at == static_forms.end() ? std::nullopt : std::optional(at->first);
}

std::string_view name_of(StaticPlacement placement) {
    return std::ranges::find(placements, placement, &decltype(placements)::value_type::first)
        ->second;
}

std::optional<StaticPlacement> static_placement_from_name(std::string_view name) {
    const auto at = std::ranges::find(placements, name, &decltype(placements)::value_type::second);
    return at == placements.end() ? std::nullopt : std::optional(at->first);
}

std::uint64_t constant_bytes(const Model& model) {
    std::uint64_t bytes = 0;
    for_each_graph(model, [&](const Graph& graph, const std::string&) {
        for_each_constant(graph, [&](const Tensor& constant) { bytes += constant.byte_size(); });
    });
    return bytes;
}

QuantizeResult quantize_model(const Model& model, const QuantizeOptions& options,
                              const SampleSource* samples, const Progress& progress) {
    return quantize_parts(model, options, QuantizedParts::both, samples, progress);
}

bool keeps_weights(const QuantizeOptions& options) {
    return options.mode == QuantizeMode::weights && options.storage == WeightStorage::blocks &&
           options.compensated_rounding;
}

QuantizeResult resume_quantization(const Model& model, const QuantizeOptions& options,
                                   const SampleSource* samples, const std::filesystem::path& folder,
                                   const Progress& progress) {
    return quantize_parts(model, options, QuantizedParts::both, samples, progress, folder);
}

QuantizeResult quantize_parts(const Model& model, const QuantizeOptions& asked,
                              QuantizedParts parts, const SampleSource* samples,
                              const Progress& progress, const std::filesystem::path& kept) {
    check_options(asked, samples);
    QuantizeResult result;
    if (is_quantized_already(model))
        result.notes.emplace_back("the model holds quantized parts, which stay as they are");
    ExporterNotes exported;
    result.model =
        prepare_without_notes(model, least_opset(asked), result.notes, exported, progress);
    report_unmatched_patterns(result.model, asked, result.notes);
    report_unused_options(asked, result.notes);
    QuantizeOptions options = asked;
    std::vector<TiedWeight> tied;
    if (separates_tied_weights(options)) tied = separate_tied_weights(result.model.graph);
    const std::vector<UnfitWeight> unfit = unfit_weights(result.model.graph);
    for (const UnfitWeight& node : unfit) options.keep_float.push_back(node.node);
    bound_masks_of(options, samples, result, progress);
    transform(options, samples, result, progress);
    if (parts == QuantizedParts::none) {
        restore_tied_weights(result.model.graph, tied, result.notes);
        give_or_leave_out(exported, result);
        return result;
    }
    if (options.compensated_rounding && compensates_beforehand(options.mode))
        compensate_rounding(result.model, options, *samples, result.notes, progress);
    switch (options.mode) {
    case QuantizeMode::dynamic: write_dynamic(result.model, options, result, progress); break;
    case QuantizeMode::weights:
        write_weights(result.model, options, samples, kept, result, progress);
        break;
    case QuantizeMode::half: write_half_model(options, samples, result, progress); break;
    case QuantizeMode::static_qdq:
        write_static_parts(options, parts, *samples, result, progress);
        break;
    }
    restore_tied_weights(result.model.graph, tied, result.notes);
    report_unfit_weights(unfit, result);
    result.quantized =
        static_cast<std::size_t>(std::ranges::count(result.nodes, true, &NodeDecision::quantized));
    report_if_nothing(result);
    std::ranges::move(mend_for_readers(result.model, progress).notes,
                      std::back_inserter(result.notes));
    give_or_leave_out(exported, result);
    infer_types(result.model, {}, progress);
    return result;
}

}  // namespace lapidary
