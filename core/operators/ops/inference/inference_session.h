// SPDX-License-Identifier: Apache-2.0
// State that all graphs of one infer_types() call share: names, warnings, functions.
#pragma once

#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include <lapidary/graph/model.h>
#include <lapidary/base/progress.h>

#include "graph/function_calls.h"

namespace lapidary {

class InferenceSession {
public:
    InferenceSession(const Model& model, const Progress& progress);

    /// A name that no other dimension has: "<hint>_<n>".
    Dim fresh_dim(std::string_view hint);
    /// Names made so far: a mark for made_since().
    std::size_t fresh_count() const { return fresh_names_.size(); }
    std::vector<std::string> fresh_names() const;
    /// True when the dimension mentions a name made after `mark`.
    bool made_since(const Dim& dim, std::size_t mark) const;
    /// True when the dimension is exactly one such name.
    bool is_fresh_since(const Dim& dim, std::size_t mark) const;
    void reserve_names(const Type& declared);
    /// A fresh dimension, renamed to the name that the file declares if no other dimension has it.
    /// Two values with one declared name need not have the same size.
    Dim named(const Dim& fresh, const Dim& declared);
    /// A name that declarations of results cannot take.
    void take_names(const Type& input);

    void warn(std::string where, std::string message);
    /// A warning given once per operator.
    void warn_unknown_operator(const Node& node, const std::string& where, std::string message);
    const Function* function_of(const Node& node) const { return functions.find(node); }
    /// Counts a node or value of work; throws cancelled now and then when asked to stop.
    void count_node();

    const Model& model;
    const Progress& progress;
    const FunctionTable functions;
    std::map<std::string, std::int64_t> dimension_values;  // numbers for dimension names
    // IR 3 lists every initializer as an input
    bool input_defaults_are_constant = false;
    std::vector<Warning> warnings;
    // as inferred, generalised over the calls
    std::map<const Function*, GraphPtr> function_bodies;

private:
    std::unordered_map<std::string, std::size_t> hint_counts_;
    std::unordered_map<std::string, std::size_t> fresh_names_;  // name -> how many were made before
    std::set<std::string, std::less<>> reserved_, taken_;
    std::unordered_map<std::string, std::string> given_names_;  // of fresh dimensions
    std::set<std::string> reported_operators_;
    std::size_t nodes_ = 0;
};

}  // namespace lapidary
