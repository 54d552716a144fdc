// SPDX-License-Identifier: Apache-2.0
// Runs the selected passes over all graphs of a model to a fixed point.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <lapidary/base/error.h>

#include "ops/inference/infer_node.h"
#include "rewrite/pass_entry.h"

namespace lapidary {

class Pipeline {
public:
    /// `skipped`: parallel to the entries, why each does not run; an empty text: it runs. Without
    /// `skipped` all run.
    Pipeline(Model& model, const OptimizeOptions& options, const Progress& progress,
             std::span<const PassEntry> entries, std::span<const std::string> skipped = {});
    /// Runs passes until none changes anything. Passes of level session, which are the last
    /// entries, run once after that, in order. If there are no other passes, the types of the model
    /// must be known.
    void run();
    /// Changes the model after passes of group `widen` changed it, by at most `stop_after`
    /// rewrites, and reports what it did.
    using AfterWidening =
        std::function<PipelineReport(Model& model, std::optional<std::size_t> stop_after)>;
    /// run() calls it between the groups `widen` and `fuse` if the former changed anything. What it
    /// reports counts as done by the session: its rewrites and passes get Level::session.
    void follow_widening(AfterWidening follow) { after_widening_ = std::move(follow); }
    PipelineReport take_report();

    /// A node that a pass made and inference refused, because the pass uses an operator in a way
    /// that it does not allow.
    struct RefusedNode {
        std::size_t pass = 0;  // place in the entries
        std::string reason;    // a sentence that names node, expected and found
    };
    /// Set if run() threw for such a node. Without the pass it may succeed.
    const std::optional<RefusedNode>& refused() const { return refused_; }

    // ---- for the contexts of single passes
    const OptimizeOptions& options() const { return options_; }
    const Progress& progress() const { return progress_; }
    const KnownElements& elements() const { return elements_; }
    bool may_rewrite() const {
        return !options_.stop_after || report_.rewrites.size() < *options_.stop_after;
    }
    void add_rewrite(const Rewrite& rewrite, const GraphPath& place);
    void add_miss(NearMiss miss);
    void import(std::string_view domain);
    void set_metadata(std::string_view key, std::string value);

private:
    /// Runs the first `sweeping` entries, which are not of level session.
    void run_to_fixed_point(std::size_t sweeping);
    void run_session_passes(std::size_t first);
    void run_after_widening();
    void run_pass(std::size_t index);
    bool run_on_model(std::size_t index);
    bool run_on(std::size_t index, Graph& graph, const Scope* outer, const GraphPath& place);
    bool run_on_subgraphs(std::size_t index, Graph& graph, const Scope& scope,
                          const GraphPath& place);
    void infer();
    void note_refusal(const Error& error);

    Model& model_;
    const OptimizeOptions& options_;
    const Progress& progress_;
    PipelineReport report_;
    std::span<const PassEntry> entries_;
    std::vector<PassBody> bodies_;               // parallel to entries_; empty where skipped
    std::vector<std::vector<NearMiss>> misses_;  // of the last run of each pass
    // by pass: value of changes_ when it last ran without a change
    std::vector<std::size_t> settled_at_;
    KnownElements elements_;
    std::size_t changes_ = 1;  // counts runs that changed something
    std::size_t current_ = 0;
    std::optional<RefusedNode> refused_;
    AfterWidening after_widening_;
    std::vector<PassRun> after_widening_runs_;
};

}  // namespace lapidary
