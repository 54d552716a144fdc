// SPDX-License-Identifier: Apache-2.0
// The searches of triage_export(), one function for each kind of defect.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_set>
#include <vector>

#include <lapidary/advice/export_triage.h>
#include <lapidary/graph/model.h>

namespace lapidary {

/// A model whose Constant nodes are constants of its graphs, what is known about it, and the places
/// found so far.
class ExportSearch {
public:
    ExportSearch(const Model& model, const CancelToken& cancel);

    const Model& model() const { return model_; }
    const CancelToken& cancel() const { return cancel_; }
    /// Names of dimensions that the inputs leave free.
    const std::set<std::string>& free_names() const { return free_names_; }
    /// Of those the first dimensions of inputs with two or more.
    const std::set<std::string>& batch_names() const { return batch_names_; }
    bool is_free(const Dim& dim) const;
    /// The shape of a tensor of known rank; null otherwise.
    static const SymbolicShape* shape_of(const Graph& graph, ValueId value);
    /// The elements of a constant of integers; nothing for other values.
    static std::optional<std::vector<std::int64_t>> integers_of(const Graph& graph, ValueId value);

    /// The graph that is searched now, and where it is: "main", "main/If "if0"/then_branch".
    void enter(const Graph& graph, const std::string& place);
    const Graph& graph() const { return *graph_; }
    void add(ExportDefect defect, const Node& node, const char* reason,
             std::vector<std::string> words = {});
    void add_weight(ExportDefect defect, const Value& weight, const char* reason,
                    std::vector<std::string> words);
    ExportTriage take();

private:
    void add(ExportDefect defect, ExportPlace place, std::uint64_t bytes);

    Model model_;
    const CancelToken& cancel_;
    const Graph* graph_ = nullptr;
    bool is_main_ = true;
    std::string place_;
    std::set<std::string> free_names_, batch_names_;
    std::map<ExportDefect, ExportFinding> found_;
};

// Each looks at the graph that was entered.
void find_frozen_dimensions(ExportSearch& search);
void find_frozen_reshapes(ExportSearch& search);
void find_shape_arithmetic(ExportSearch& search);
void find_duplicate_weights(ExportSearch& search);
/// Constant conditions too.
void find_unfolded_constants(ExportSearch& search);
/// Where most of the weights are inputs, so that none of them can be folded.
void find_weight_inputs(ExportSearch& search);
void find_unrolled_loops(ExportSearch& search);
void find_double_precision(ExportSearch& search);
void find_training_nodes(ExportSearch& search);
void find_unused_results(ExportSearch& search);
void find_wide_indices(ExportSearch& search);
void find_dynamic_sizes(ExportSearch& search);
void find_missing_operators(ExportSearch& search);

/// Shape and Size, and integer nodes that read nothing but their results and constants.
std::vector<NodeId> nodes_of_shapes(const Graph& graph);

}  // namespace lapidary
