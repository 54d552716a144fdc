// SPDX-License-Identifier: Apache-2.0
// Graph optimization: four levels as in ONNX Runtime, every rewrite recorded, every near miss
// explained.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <lapidary/graph/graph_path.h>
#include <lapidary/base/limits.h>
#include <lapidary/graph/model.h>
#include <lapidary/base/progress.h>

namespace lapidary {

/// ORT's GraphOptimizationLevel: ORT_DISABLE_ALL, ENABLE_BASIC, ENABLE_EXTENDED, ENABLE_ALL.
/// `session` is a level of passes alone, never one to optimize at: those that a session applies to
/// its own copy of the model. Neither is `user`: rules of OptimizeOptions::rules, which run at
/// every level.
enum class Level : std::uint8_t { disabled, basic, extended, all, session, user };

/// The level at which models run if none is chosen, as in sessions of ONNX Runtime.
inline constexpr Level default_run_level = Level::all;

std::string_view name_of(Level level);  // "disabled", "basic" ...
/// That name, or ORT's: "ORT_ENABLE_BASIC", "Level1" ...; "ORT_ENABLE_LAYOUT" is all.
std::optional<Level> level_from_name(std::string_view name);

/// Which passes of level session run. They put neighbouring nodes into one kernel; what they make
/// are operators of domain "lapidary", which no file holds and no other pass sees.
struct SessionPasses {
    /// How many of them.
    enum class Set : std::uint8_t {
        none,  // the graph runs as it stands
        /// those that fuse nothing: 16-bit floats computed in float32, constants where kernels can
        /// pack them
        preparing,
        all  // those, and all that fuse
    };
    Set set = Set::all;  // before `disabled` is taken away
    /// Own or ORT names, those of passes of other levels mean nothing here. An unknown name throws
    /// invalid_input.
    std::vector<std::string> disabled;
    friend bool operator==(const SessionPasses&, const SessionPasses&) = default;
};
/// What a session of a model optimized at the level runs by default: all passes from extended on,
/// below it one kernel per node.
SessionPasses::Set session_passes_at(Level level);
/// The same with a choice of the user: true is all, false one kernel per node, nothing what the
/// level has.
SessionPasses::Set session_passes_for(std::optional<bool> choice, Level level);
/// "none", "preparing", "all"
std::string_view name_of(SessionPasses::Set set);

/// One line of the pass list.
struct PassInfo {
    std::string_view name;       // "fuse_conv_batch_norm"
    Level level = Level::basic;  // the lowest level that runs it
    int order = 0;               // passes of a sweep run by (level, order)
    std::string_view providers;  // "all", or execution providers it is meant for: "cpu", "cpu cuda"
    bool on_by_default = true;   // at its level and above
    /// ORT's names for it, separated by commas; empty: ORT has no such pass
    std::string_view ort_names;
    std::string_view summary;  // one sentence
};

/// All passes in the order they run.
std::span<const PassInfo> all_passes();
/// Passes that answer to the name, ours or ORT's (exact, with or without its level: GeluFusionL2);
/// empty when none does.
std::vector<const PassInfo*> find_passes(std::string_view name);

/// Text of rewriting rules of the user (passes/user_rules.h).
struct RuleText {
    std::string file;  // as messages name it
    std::string text;  // its contents
    friend bool operator==(const RuleText&, const RuleText&) = default;
};

/// Which passes run, on what.
struct OptimizeOptions {
    Level level = Level::extended;  // see the level of each pass
    std::string provider = "cpu";   // that the result is meant for: "cpu", "cuda"
    /// Own or ORT names. An unknown name throws invalid_input with the nearest known ones.
    std::vector<std::string> disabled_passes;
    std::vector<std::string> enabled_passes;  // on top of the defaults
    /// when not empty: nothing else runs, whatever the level
    std::vector<std::string> only_passes;
    /// stop after so many rewrites
    std::optional<std::size_t> stop_after;
    /// Passes of level session that follow when the others have come to rest. The result is for
    /// sessions of this process alone then, which run it with SessionPasses::Set::none.
    SessionPasses::Set session_passes = SessionPasses::Set::none;
    std::map<std::string, std::int64_t> free_dimensions;  // by dimension name, else by denotation
    std::vector<std::string> keep_outputs;                // graph outputs to keep; empty: all
    bool near_misses = true;                              // collect them
    int channel_block = 0;                                // of NCHWc layout: 8 or 16; 0: this CPU's
    int sweeps = 10;                                      // bound on sweeps over all passes
    /// Passes of level user, one for each rule: "user:NAME" in the lists above. They run at every
    /// level, in each sweep before those of level basic, because users write rules for operators
    /// as files have them; what they make is then optimized like the rest.
    std::vector<RuleText> rules;
    /// check every graph invariant after each pass that changed something
    bool verify = false;
    Limits limits;  // fold_bytes bounds constant folding
};

/// Why a pass left a place alone that almost matched. Ids are of the resulting graph at `place`.
struct NearMiss {
    std::string pass;       // that left it alone
    GraphPath place;        // the graph it is in
    NodeId node;            // root of the pattern
    std::string node_text;  // Node::describe()
    std::string reason;     // the first failed condition, a sentence
    /// number of conditions and operators that were missing; near misses are sorted by it
    int shortfall = 1;
    std::vector<NodeId> nodes;  // matched so far, root first
};

/// A rewrite, numbered from 1 by its place in PipelineReport::rewrites.
struct AppliedRewrite {
    GraphPath place;             // the graph it happened in
    Level level = Level::basic;  // of the pass
    Rewrite rewrite;             // what it did
};

/// What one pass did, all sweeps together.
struct PassRun {
    std::string pass;                // its name
    Level level = Level::basic;      // its own
    std::string skipped;             // why it did not run; empty: it ran
    std::size_t applied = 0;         // rewrites
    std::size_t missed = 0;          // near misses left
    std::ptrdiff_t node_change = 0;  // nodes added less nodes removed
    std::int64_t nanoseconds = 0;    // that it took
};

/// Rewrites and near misses of an optimization.
struct PipelineReport {
    Level level = Level::disabled;                  // that was asked for
    std::size_t nodes_before = 0, nodes_after = 0;  // subgraphs counted
    std::vector<PassRun> passes;                    // all of all_passes() and rules, in order
    std::vector<AppliedRewrite> rewrites;           // in order
    std::vector<NearMiss> near_misses;              // fewest missing conditions first
    int sweeps = 0;                                 // over all passes
    /// false: stopped by stop_after or the bound on sweeps
    bool fixed_point = true;
    std::int64_t nanoseconds = 0;  // that all of it took
};

/// The optimized copy.
struct OptimizeResult {
    Model model;            // node ids of the given model live on; added nodes know their origins
    PipelineReport report;  // how it came about
};

/// Applies the passes of `options` to a copy of `model` (with types inferred) until none changes
/// anything. Deterministic: the same model and options give the same result, id for id. Inputs and
/// outputs keep names, order and element types. Throws invalid_input for unknown pass, dimension or
/// output names, cancelled.
OptimizeResult optimize(const Model& model, const OptimizeOptions& options = {},
                        const Progress& progress = {});

/// Appends the passes, rewrites and near misses of a session's copy of a model to those of the
/// optimization of that model.
void add_session_report(PipelineReport& report, PipelineReport session);
/// Appends those of a session that would be compiled from `model`, which was optimized with
/// `options`. The model is not changed.
void explain_session_passes(const Model& model, const OptimizeOptions& options,
                            SessionPasses::Set passes, PipelineReport& report,
                            const Progress& progress = {});

/// Applies the passes of level session that `passes` picks to the model, whose types must be known,
/// once and in order. The report has these passes alone; with `stop_after` the model is as after
/// exactly so many of its rewrites. Throws invalid_input for an unknown name, cancelled.
PipelineReport apply_session_passes(Model& model, const SessionPasses& passes,
                                    const Progress& progress = {},
                                    std::optional<std::size_t> stop_after = {});

/// True when a session made operators of its own in it: no file may hold it.
bool has_session_operators(const Model& model);

/// Nodes of the main graph and all subgraphs below it.
std::size_t count_nodes(const Graph& graph);

}  // namespace lapidary
