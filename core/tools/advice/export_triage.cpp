// SPDX-License-Identifier: Apache-2.0
#include <lapidary/advice/export_triage.h>

#include <algorithm>
#include <utility>

#include "advice/export_search.h"
#include "graph/lift_constants.h"
#include "graph/traversal.h"
#include "ops/dimensions/dim_algebra.h"

namespace lapidary {
namespace {

constexpr void (*searches[])(ExportSearch&) = {
    find_frozen_dimensions,  find_frozen_reshapes, find_shape_arithmetic, find_duplicate_weights,
    find_unfolded_constants, find_weight_inputs,   find_unrolled_loops,   find_double_precision,
    find_training_nodes,     find_unused_results,  find_wide_indices,     find_dynamic_sizes,
    find_missing_operators};

}  // namespace

std::string_view name_of(ExportDefect defect) {
    switch (defect) {
    case ExportDefect::frozen_dimension: return "frozen_dimension";
    case ExportDefect::baked_batch: return "baked_batch";
    case ExportDefect::shape_arithmetic: return "shape_arithmetic";
    case ExportDefect::duplicate_weight: return "duplicate_weight";
    case ExportDefect::unfolded_constant: return "unfolded_constant";
    case ExportDefect::weight_input: return "weight_input";
    case ExportDefect::unrolled_loop: return "unrolled_loop";
    case ExportDefect::decided_branch: return "decided_branch";
    case ExportDefect::double_precision: return "double_precision";
    case ExportDefect::training_node: return "training_node";
    case ExportDefect::unused_result: return "unused_result";
    case ExportDefect::wide_index: return "wide_index";
    case ExportDefect::dynamic_size: return "dynamic_size";
    case ExportDefect::older_than_operator: break;
    }
    return "older_than_operator";
}

ExportSearch::ExportSearch(const Model& model, const CancelToken& cancel)
    : model_(model), cancel_(cancel) {
    lift_constants(model_, cancel);
    for (const ValueId id : model_.graph.inputs()) {
        const SymbolicShape* shape = shape_of(model_.graph, id);
        if (!shape) continue;
        for (std::size_t axis = 0; axis < shape->size(); ++axis)
            for (const std::string& name : names_in((*shape)[axis])) {
                free_names_.insert(name);
                if (axis == 0 && shape->size() > 1) batch_names_.insert(name);
            }
    }
}

bool ExportSearch::is_free(const Dim& dim) const {
    if (!dim.is_symbolic()) return false;
    // a size that is limited by a table may meet the table's own size
    if (dim.symbol().find("min(") != std::string::npos ||
        dim.symbol().find("max(") != std::string::npos)
        return false;
    return std::ranges::any_of(names_in(dim),
                               [&](const std::string& name) { return free_names_.contains(name); });
}

const SymbolicShape* ExportSearch::shape_of(const Graph& graph, ValueId value) {
    if (!value) return nullptr;
    const Type& type = graph.value(value).type;
    return type.is_tensor() && type.shape ? &*type.shape : nullptr;
}

std::optional<std::vector<std::int64_t>> ExportSearch::integers_of(const Graph& graph,
                                                                   ValueId value) {
    if (!value || !graph.value(value).is_constant() || !graph.value(value).constant) return {};
    const Tensor& tensor = *graph.value(value).constant;
    if (tensor.dtype() != DType::i64 && tensor.dtype() != DType::i32) return {};
    return to_int64s(tensor);
}

void ExportSearch::enter(const Graph& graph, const std::string& place) {
    cancel_.throw_if_cancelled();
    graph_ = &graph;
    is_main_ = &graph == &model_.graph;
    place_ = place;
}

void ExportSearch::add(ExportDefect defect, const Node& node, const char* reason,
                       std::vector<std::string> words) {
    add(defect,
        {is_main_ ? node.id : NodeId(),
         is_main_ ? node.describe() : node.describe() + " in " + place_, reason, std::move(words)},
        0);
}

void ExportSearch::add_weight(ExportDefect defect, const Value& weight, const char* reason,
                              std::vector<std::string> words) {
    const NodeId reader = !is_main_ || weight.uses.empty() ? NodeId() : weight.uses.front().node;
    add(defect, {reader, weight.name, reason, std::move(words)},
        weight.constant ? weight.constant->byte_size() : 0);
}

void ExportSearch::add(ExportDefect defect, ExportPlace place, std::uint64_t bytes) {
    ExportFinding& finding = found_[defect];
    finding.defect = defect;
    finding.bytes += bytes;
    if (++finding.count <= ExportFinding::most_places) finding.places.push_back(std::move(place));
}

ExportTriage ExportSearch::take() {
    ExportTriage triage;
    for (auto& [defect, finding] : found_) triage.findings.push_back(std::move(finding));
    return triage;
}

const ExportFinding* ExportTriage::find(ExportDefect defect) const {
    const auto at = std::ranges::find(findings, defect, &ExportFinding::defect);
    return at == findings.end() ? nullptr : &*at;
}

ExportTriage triage_export(const Model& model, const Progress& progress) {
    ExportSearch search(model, progress.cancel);
    for_each_graph(search.model().graph, [&](const Graph& graph, const std::string& place) {
        search.enter(graph, place);
        for (const auto find : searches) {
            progress.cancel.throw_if_cancelled();
            find(search);
        }
    });
    return search.take();
}

}  // namespace lapidary
