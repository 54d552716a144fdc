// SPDX-License-Identifier: Apache-2.0
// Runs the selected passes over all graphs of a model to a fixed point.
#pragma once

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
    /// `skipped`: why each of the entries does not run, empty for those that do, parallel to them;
    /// none: all run.
    Pipeline(Model& model, const OptimizeOptions& options, const Progress& progress,
             std::span<const PassEntry> entries, std::span<const std::string> skipped = {});
    /// Passes of level session, which stand last, follow once and in order when the others have
    /// come to rest. Where there are no others, the types of the model must be known.
    void run();
    PipelineReport take_report();

    /// A node that a pass made and that inference refused: the pass takes an operator for more
    /// general than it is.
    struct RefusedNode {
        std::size_t pass = 0;  // place in the entries
        std::string reason;    // a sentence that names node, expected and found
    };
    /// Why run() threw, where it was for that: without the pass it may go well.
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
    /// The first so many entries, those that are no passes of level session.
    void run_to_fixed_point(std::size_t sweeping);
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
    // changes_ when the pass last left everything as it was
    std::vector<std::size_t> settled_at_;
    KnownElements elements_;
    std::size_t changes_ = 1;  // counts runs that changed something
    std::size_t current_ = 0;
    std::optional<RefusedNode> refused_;
};

}  // namespace lapidary
