// SPDX-License-Identifier: Apache-2.0
#include "quantize/writers/quantize_writer.h"

#include <algorithm>
#include <set>
#include <utility>

#include <lapidary/base/error.h>

#include "graph/traversal.h"

namespace lapidary {

bool fits_pattern(std::string_view text, std::string_view pattern) {
    std::size_t t = 0, p = 0, star = std::string_view::npos, resume = 0;
    while (t < text.size()) {
        if (p < pattern.size() && pattern[p] == '*') {
            star = p++;
            resume = t;
        } else if (p < pattern.size() && pattern[p] == text[t]) {
            ++p;
            ++t;
        } else if (star != std::string_view::npos) {
            p = star + 1;
            t = ++resume;
        } else {
            return false;
        }
    }
    while (p < pattern.size() && pattern[p] == '*') ++p;
    return p == pattern.size();
}

QuantizeWriter::QuantizeWriter(Model& model, const QuantizeOptions& options)
    : model_(model), options_(options),
      edit_(model.graph, "quantize_" + std::string(name_of(options.mode))) {
    edit_.set_default_version(model.opset());
}

std::string keep_name(const Graph& graph, const Node& node) {
    if (!node.name.empty()) return node.name;
    const auto named = std::ranges::find_if(node.outputs, [](ValueId v) { return bool(v); });
    return named == node.outputs.end() ? std::string() : graph.value(*named).name;
}

std::pair<std::string, DType> typed_pattern(const std::string& entry) {
    const std::size_t sign = entry.rfind('=');
    std::string type = sign == std::string::npos ? std::string() : entry.substr(sign + 1);
    if (type.starts_with('s')) type[0] = 'i';
    else if (type.starts_with('i')) type.clear();
    const auto found = dtype_from_name(type);
    const bool is_known = found && (*found == DType::i8 || *found == DType::u8 ||
                                    *found == DType::i4 || *found == DType::u4);
    if (!is_known || sign == 0)
        fail_input("a type of weights is given as PATTERN=s8, u8, s4 or u4, found " + quote(entry));
    return {entry.substr(0, sign), *found};
}

std::optional<DType> own_weight_type(const Graph& graph, const Node& node,
                                     const QuantizeOptions& options) {
    const std::string name = keep_name(graph, node);
    for (const std::string& entry : options.weights_of) {
        const auto [pattern, type] = typed_pattern(entry);
        if (fits_pattern(name, pattern) || fits_pattern(node.op_type, pattern)) return type;
    }
    return std::nullopt;
}

namespace {

const std::string* fitting_pattern(const Graph& graph, const Node& node,
                                   const std::vector<std::string>& patterns) {
    if (patterns.empty()) return nullptr;
    const std::string name = keep_name(graph, node);
    const auto at = std::ranges::find_if(patterns, [&](const std::string& pattern) {
        return fits_pattern(name, pattern) || fits_pattern(node.op_type, pattern);
    });
    return at == patterns.end() ? nullptr : &*at;
}

}  // namespace

const std::string* keeping_pattern(const Graph& graph, const Node& node,
                                   const QuantizeOptions& options) {
    return fitting_pattern(graph, node, options.keep_float);
}

bool wants_weight_alone(const Graph& graph, const Node& node, const QuantizeOptions& options) {
    return fitting_pattern(graph, node, options.weights_alone) != nullptr;
}

WeightFormat weight_format(const QuantizeOptions& options) {
    WeightFormat format;
    format.values = {options.mode == QuantizeMode::static_qdq ? options.weight : DType::i8, true,
                     options.reduced_range};
    return format;
}

WeightFormat product_format(const WeightedProduct& product, const QuantizeOptions& options) {
    WeightFormat format = weight_format(options);
    if (options.per_channel) format.axis = product.output_axis;
    const bool is_matrix = !product.is_convolution && !product.is_recurrent;
    if (options.mode == QuantizeMode::dynamic && is_matrix)
        format.values.symmetric = options.symmetric_weight;
    return format;
}

SummedElements summed_elements(const WeightedProduct& product, const Tensor& weight) {
    const std::int64_t outputs = weight.dim(static_cast<std::size_t>(product.output_axis));
    if (!product.is_convolution) return {outputs, product.output_axis == 1, 1};
    const std::int64_t windows = weight.dim(0) * weight.dim(1);
    return {outputs, false, windows > 0 ? weight.size() / windows : 1};
}

void QuantizeWriter::write(QuantizeResult& result, const Progress& progress) {
    cancel_ = progress.cancel;
    settle_subgraphs();
    write_all(progress);
    edit_.finish();
    separate_names();
    result.nodes = std::move(decisions_);
    result.notes.insert(result.notes.end(), notes_.begin(), notes_.end());
}

void QuantizeWriter::separate_names() {
    std::set<std::string> taken;
    std::map<std::string, std::size_t> numbers;
    const std::vector<NodeId> nodes(graph().nodes().begin(), graph().nodes().end());
    for (NodeId id : nodes) taken.insert(graph().node(id).name);
    std::set<std::string> seen;
    GraphEdit names(model_.graph, "separate_names");
    for (NodeId id : nodes) {
        const std::string name = graph().node(id).name;
        if (name.empty() || seen.insert(name).second) continue;
        std::string other;
        do other = name + "_" + std::to_string(++numbers[name]);
        while (!taken.insert(other).second);
        names.rename(id, other);
    }
    names.finish();
}

void QuantizeWriter::write_nodes(const Progress& progress) {
    const std::vector<NodeId> nodes(graph().nodes().begin(), graph().nodes().end());
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        progress.step("writing", static_cast<double>(i) / static_cast<double>(nodes.size()));
        write_node(nodes[i]);
    }
}

void QuantizeWriter::settle_subgraphs() {
    for_each_graph(model_.graph, [&](const Graph& inner, const std::string& place) {
        if (&inner == &model_.graph) return;
        for (NodeId id : inner.nodes())
            decisions_.push_back({inner.node(id).describe(), keep_name(inner, inner.node(id)),
                                  place, false, "nodes of subgraphs stay as they are"});
    });
}

bool QuantizeWriter::is_kept_float(const Node& node) {
    const std::string* const pattern = keeping_pattern(graph(), node, options_);
    if (pattern) decide(node, false, "kept float as asked for (" + *pattern + ")");
    return pattern != nullptr;
}

void QuantizeWriter::decide(const Node& node, bool quantized, std::string reason) {
    std::string name = keep_name(graph(), node);
    decisions_.push_back({node.describe(), std::move(name), "main", quantized, std::move(reason)});
}

void QuantizeWriter::note(std::string text) { notes_.push_back(std::move(text)); }

void QuantizeWriter::import(const std::string& domain) {
    model_.opset_imports.try_emplace(domain, 1);
}

WeightFormat QuantizeWriter::format_along(std::optional<std::int64_t> axis) const {
    WeightFormat format = weight_format(options_);
    if (options_.per_channel) format.axis = axis;
    return format;
}

QuantizedWeight QuantizeWriter::quantized(const Tensor& weight, const WeightFormat& format,
                                          const SummedElements& sums) const {
    QuantizedWeight stored = quantize_weight(weight, format, cancel_);
    if (options_.bias_correction && weight.size() > 0)
        balance_rounding(stored, weight, sums, cancel_);
    return stored;
}

QuantizedWeight QuantizeWriter::quantized_alone(const Node& node, const WeightedProduct& product,
                                                DType type) const {
    const Tensor& weight = *graph().value(product.weight).constant;
    WeightFormat format = product_format(product, options_);
    format.values.dtype = type;
    if (!is_transposed_convolution(node))
        return quantized(weight, format, summed_elements(product, weight));
    // Axis 1 of the weight counts the outputs of each group from 0. Groups are distinguished by
    // axis 0.
    if (format.axis && product.groups > 1) format.axis = 0;
    return quantize_weight(weight, format, cancel_);
}

ValueId QuantizeWriter::dequantized(ValueId weight, const QuantizedWeight& stored) {
    const ValueId values =
        edit().add_initializer(name_of_value(weight, "_quantized"), stored.values);
    const ValueId scale = edit().add_initializer(name_of_value(weight, "_scale"), stored.scale);
    const ValueId zero =
        edit().add_initializer(name_of_value(weight, "_zero_point"), stored.zero_point);
    std::vector<Attribute> attributes;
    if (stored.format.axis) attributes.push_back({"axis", *stored.format.axis, {}, {}});
    return edit().node("DequantizeLinear", {values, scale, zero}, attributes,
                       graph().value(weight).name + "_DequantizeLinear");
}

std::string QuantizeWriter::name_of_value(ValueId value, std::string_view suffix) const {
    return edit_.fresh_name(graph().value(value).name + std::string(suffix));
}

void QuantizeWriter::erase_if_unused(ValueId value) {
    if (value && graph().is_alive(value) && graph().value(value).kind == ValueKind::initializer &&
        graph().value(value).is_unused())
        edit_.erase_value(value);
}

}  // namespace lapidary
