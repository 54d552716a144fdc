// SPDX-License-Identifier: Apache-2.0
// What a verb of edit scripts works with while it applies one line.
#pragma once

#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <lapidary/edit/apply_edits.h>
#include <lapidary/graph/graph_edit.h>

#include "edit/edit_form.h"

namespace lapidary {

class EditContext {
public:
    EditContext(Model& model, const EditScript& script, const EditLine& line,
                const EditOptions& options, EditLineReport& report, const Progress& progress);

    const EditLine& line() const { return line_; }
    const EditOptions& options() const { return options_; }
    const Progress& progress() const { return progress_; }
    const Graph& graph() const { return model_.graph; }
    const Model& model() const { return model_; }
    /// The edit of this line. What goes through it is inferred by itself afterwards, types of new
    /// values included, and becomes one rewrite.
    GraphEdit& edit();
    /// The model, for changes beside the graph (imports, functions, metadata) or of another kind:
    /// all types are inferred anew afterwards. An edit that was begun is closed.
    Model& whole_model();

    /// The context of another line, for a model that has a body of this one as its graph. The
    /// report is that of this line.
    EditContext inside(Model& body, const EditLine& line) const;
    /// Names of values in the graphs around this one, which its own values may not have.
    const std::set<std::string>& outer_names() const { return outer_names_; }
    void set_outer_names(std::set<std::string> names) { outer_names_ = std::move(names); }
    /// Whether the graph is the body of a node or a function, not the main graph.
    bool is_of_body() const { return is_of_body_; }
    void set_of_body() { is_of_body_ = true; }

    /// What the words at a place of the form select; counted as matched. Throw invalid_input.
    std::vector<NodeId> nodes(const EditArguments& arguments, std::string_view place = "NODES");
    NodeId node(const EditArguments& arguments, std::string_view place = "NODE");
    std::vector<ValueId> values(const EditArguments& arguments, std::string_view place = "VALUES");
    ValueId value(const EditArguments& arguments, std::string_view place = "VALUE");

    /// A file that the line names: relative ones from EditScript::folder.
    std::filesystem::path file(const std::string& name) const;
    /// The version that nodes of a domain get: that of the model's import. A domain that it does
    /// not import is imported with the newest version that the tables know. Throws invalid_input
    /// for an unknown domain.
    std::int64_t import_version(const std::string& domain);

    /// A sentence for the report of the line.
    void note(std::string sentence);
    /// Whether outputs stay what they were, for verbs whose effect depends on the line.
    void keeps_results(bool keeps) { report_.keeps_results = keeps; }
    /// A model beside the edited one, to be written where the line wants it.
    void add_part(std::filesystem::path file, Model model);

    /// For apply_edits(): an edit was begun and has something that no rewrite records.
    bool has_unrecorded() const { return edit_ && edit_->has_unrecorded(); }
    bool is_begun() const { return edit_.has_value(); }
    bool infers_all() const { return infers_all_; }
    std::vector<EditPart>& parts() { return parts_; }

private:
    Model& model_;
    const EditScript& script_;
    const EditLine& line_;
    const EditOptions& options_;
    EditLineReport& report_;
    const Progress& progress_;
    std::optional<GraphEdit> edit_;
    std::vector<EditPart> parts_;
    std::set<std::string> outer_names_;
    bool infers_all_ = false, is_of_body_ = false;
};

}  // namespace lapidary
