// SPDX-License-Identifier: Apache-2.0
// Applies edit scripts to models.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <lapidary/base/limits.h>
#include <lapidary/base/progress.h>
#include <lapidary/edit/edit_script.h>
#include <lapidary/graph/model.h>

namespace lapidary {

/// How a script is applied.
struct EditOptions {
    /// A line that leaves the model invalid is an error. Otherwise the state is kept and the report
    /// lists its problems.
    bool strict = true;
    bool dry_run = false;  // report only: the model stays as it is
    Limits limits;         // of files that lines read
};

/// What makes an edited model invalid.
struct EditProblem {
    std::string node;           // Node::describe(), or the value it is about
    std::int64_t node_id = -1;  // NodeId::index in the main graph; -1: not about a node
    std::string reason;         // a sentence with expected and found
    friend bool operator==(const EditProblem&, const EditProblem&) = default;
};

/// A value whose type a line changed.
struct ChangedType {
    std::string value;   // its name
    std::string before;  // "f32[1,3,8,8]"; "?" where it was not known
    std::string after;   // likewise
    friend bool operator==(const ChangedType&, const ChangedType&) = default;
};

/// What one line did.
struct EditLineReport {
    int line = 0;                       // EditLine::line
    std::string text;                   // EditLine::text
    std::size_t nodes_matched = 0;      // that its selections named
    std::size_t values_matched = 0;     // likewise
    std::size_t nodes_added = 0;        // new ones
    std::size_t nodes_removed = 0;      // gone
    std::size_t nodes_changed = 0;      // that stay, with another operator, attribute or edge
    std::size_t values_added = 0;       // new ones, constants included
    std::size_t values_removed = 0;     // gone
    std::vector<ChangedType> types;     // of values before and after; the first 100
    std::size_t type_count = 0;         // of all whose type changed
    bool keeps_results = false;         // outputs stay what they were, within rounding
    std::vector<std::string> notes;     // sentences about what was done
    std::vector<EditProblem> problems;  // that the line added; empty where `strict`
};

/// A model that a line made beside the edited one, such as the second half of a split.
struct EditPart {
    std::filesystem::path file;          // where the line wants it written
    std::shared_ptr<const Model> model;  // its types known
};

/// What a script did.
struct EditReport {
    std::vector<EditLineReport> lines;  // one for each line
    std::vector<EditProblem> problems;  // of the model after the last line
    std::size_t nodes_before = 0;       // of the main graph
    std::size_t nodes_after = 0;        // likewise
    bool keeps_results = true;          // all lines do
    std::vector<EditPart> parts;        // not written yet
};

/// Applies the lines in order to a model whose types are known. Each line is one rewrite of pass
/// `edit` in the graph's history; types are inferred after it where they can have changed, and
/// invariants are verified. Node ids of the model live on. Throws invalid_input, with the number
/// and text of the line in where(), for a line that cannot be done or, where options.strict, leaves
/// the model invalid; the model is unchanged then. Throws cancelled.
EditReport apply_edits(Model& model, const EditScript& script, const EditOptions& options = {},
                       const Progress& progress = {});

/// What keeps a model from being valid, in the order of its nodes: nodes of the main graph that do
/// not fit their operator or the types that they read, values that nothing writes. Empty: valid.
std::vector<EditProblem> find_edit_problems(const Model& model, const Progress& progress = {});

}  // namespace lapidary
