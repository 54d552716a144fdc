// SPDX-License-Identifier: Apache-2.0
#include "quantize/quantize_writer.h"

#include <algorithm>
#include <utility>

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
    : model_(model), options_(options), edit_(model.graph, "quantize_" + std::string(name_of(options.mode))) {
    edit_.set_default_version(model.opset());
}

void QuantizeWriter::write(const Progress& progress) {
    settle_subgraphs();
    write_all(progress);
    edit_.finish();
}

void QuantizeWriter::settle_subgraphs() {
    for_each_graph(model_.graph, [&](const Graph& inner, const std::string& place) {
        if (place == "main") return;
        for (NodeId id : inner.nodes())
            decisions_.push_back({inner.node(id).describe(), place, false, "nodes of subgraphs stay as they are"});
    });
}

bool QuantizeWriter::is_kept_float(const Node& node) {
    for (const std::string& pattern : options_.keep_float)
        if (fits_pattern(node.name, pattern) || fits_pattern(node.op_type, pattern)) {
            decide(node, false, "kept float as asked for (" + pattern + ")");
            return true;
        }
    return false;
}

void QuantizeWriter::decide(const Node& node, bool quantized, std::string reason) {
    decisions_.push_back({node.describe(), "main", quantized, std::move(reason)});
}

void QuantizeWriter::import(const std::string& domain) { model_.opset_imports.try_emplace(domain, 1); }

WeightFormat QuantizeWriter::weight_format(std::optional<std::int64_t> axis) const {
    WeightFormat format;
    format.values = {DType::i8, true, options_.reduced_range};
    if (options_.per_channel) format.axis = axis;
    return format;
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
