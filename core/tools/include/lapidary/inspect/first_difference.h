// SPDX-License-Identifier: Apache-2.0
// Where two models, or two ways to run one, first differ: the first node that makes another output
// of the same inputs, and what differs about it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <lapidary/base/progress.h>
#include <lapidary/exec/session_options.h>
#include <lapidary/graph/model.h>
#include <lapidary/graph/node_source.h>
#include <lapidary/inspect/inspect_values.h>
#include <lapidary/proof/compare.h>
#include <lapidary/tensor/runtime_value.h>

namespace lapidary {

/// One of the two sides.
struct DivergenceSide {
    ModelPtr model;          // as it is to run: at its level
    SessionOptions session;  // how this program runs it
    EngineRun engine;        // another engine that runs it; null: this program's
};

/// How values are judged.
struct DivergenceOptions {
    Tolerance tolerance = same_result;         // of values in the two runs
    std::uint64_t slice_bytes = 256ull << 20;  // of values that another engine returns at a time
    std::size_t most_causes = 10;              // that are reported
    /// An output of A: only what it is computed from is compared. Empty: everything.
    std::string output;
    /// Both sides were made from one file, so that values of one name are the same and others have
    /// no counterpart. Models that were loaded from one path are so without it.
    bool is_one_model = false;
};

/// A value that both sides have, in one run of each.
struct ValuePair {
    std::string name_a, name_b;  // in their graphs
    std::string path;            // of the body in A; empty: the main graph
    std::string matched_by;      // "name", "node", "structure", "position"
    bool matches = true;         // by DivergenceOptions::tolerance, in every iteration
    double relative = 0;         // largest difference as a share of the largest element
    /// The same of what the nodes that wrote it make of the inputs that A has. Nothing: they were
    /// not judged alone.
    std::optional<double> alone;
    /// Up to where rounding in these nodes explains `alone`, by the element type or, where plain
    /// kernels ran, by these. 0: they have to make the same.
    double rounding = 0;
};

/// A node, or some nodes between values that both sides have, that makes another output of the same
/// inputs.
struct DivergenceCause {
    ValuePair value;  // the output; `relative` is the difference that these nodes alone make
    std::vector<std::int64_t> iterations;       // of bodies, as in ObservedGraph
    std::vector<std::string> nodes_a, nodes_b;  // Node::describe(); the first is the one to look at
    std::string node_a, node_b;                 // names of these; empty: the side lacks the node
    NodeSource source_a, source_b;              // where these come from
    Comparison comparison;                      // of the output of B against that of A
    std::optional<double> explained;  // what plain kernels change of it: by rounding alone
    /// What differs about the nodes: "epsilon is 1e-05 in A, 0.001 in B". Empty: nothing; kernels
    /// or engines compute it differently.
    std::vector<std::string> differences;
};

/// Whether two sides give the same.
enum class DivergenceVerdict : std::uint8_t {
    same,      // every value that both have is the same by the tolerance
    rounding,  // some are not, but each node of the same inputs makes the same: errors grow
    differs    // there is a cause
};
/// "same", "rounding", "differs"
std::string_view name_of(DivergenceVerdict verdict);

/// Where two sides first differ.
struct Divergence {
    DivergenceVerdict verdict = DivergenceVerdict::same;  // of all values
    std::vector<DivergenceCause> causes;                  // in the order of data flow
    std::size_t first_beyond = 0;                  // into `values`: the first that does not match
    std::vector<ValuePair> values;                 // that were compared, in the order of data flow
    std::size_t unmatched_a = 0, unmatched_b = 0;  // values of nodes that one side alone has
    /// The most bytes of values of A that were kept at a time, as B came to them later.
    std::uint64_t kept_bytes = 0;
    int runs = 0, engine_runs = 0;  // of models here, and in the other engine
};

/// Runs both on the same inputs, which are named as in A, and compares the values that both have:
/// matched by name, by the name of the node, and by structure. If any differs, both run again while
/// each node of B reads the values of A, so that every node is judged alone. Here both run in
/// lockstep and nothing is kept; an engine returns values in slices. At most one side is another
/// engine. Throws invalid_input where the inputs do not fit both, nothing can be matched or A has
/// no such output, and what running throws.
Divergence find_first_difference(const DivergenceSide& a, const DivergenceSide& b,
                                 const NamedValues& inputs, const DivergenceOptions& options = {},
                                 const Progress& progress = {});

}  // namespace lapidary
