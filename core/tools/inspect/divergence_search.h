// SPDX-License-Identifier: Apache-2.0
// What both ways to find a first difference share: two sides here in lockstep, or one here and one
// in another engine.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include <lapidary/exec/session.h>
#include <lapidary/inspect/first_difference.h>

#include "inspect/match_values.h"
#include "inspect/node_region.h"

namespace lapidary {

/// The values of one pair in the two runs, judged by the rule.
Comparison compare_in_runs(const RuntimeValue& a, const RuntimeValue& b,
                           const Tolerance& tolerance);

/// The result as it is found, and what it is made of.
class DivergenceRecord {
public:
    DivergenceRecord(const DivergenceSide& a, const Graph& graph_a, const DivergenceSide& b,
                     const Graph& graph_b, const DivergenceOptions& options);

    const MatchedValues& values() const { return values_; }
    /// False where DivergenceOptions::output does not depend on the pair.
    bool wants(std::size_t pair) const { return wanted_.empty() || wanted_[pair]; }
    /// A pair's difference in the two runs, and what rounding in one node may make of it.
    void note(std::size_t pair, const std::string& path, const Comparison& comparison,
              double rounding);
    /// What the nodes that write the pair change of it, given the inputs of A. `explained`: what
    /// plain kernels change of it.
    void note_alone(std::size_t pair, const Comparison& alone, std::optional<double> explained);
    /// A node whose inputs agree and whose output does not; once for each node.
    void add_cause(std::size_t pair, const std::string& path, std::vector<std::int64_t> iterations,
                   const Comparison& comparison, std::optional<double> explained);
    /// True where the node that writes the pair's value is a cause already.
    bool has_cause(std::size_t pair) const;
    bool has_causes() const { return !result_.causes.empty(); }
    bool has_room() const { return result_.causes.size() < options_.most_causes; }
    void note_kept(std::uint64_t bytes) {
        result_.kept_bytes = std::max(result_.kept_bytes, bytes);
    }
    NodeRegion region_a(std::size_t pair) const;
    NodeRegion region_b(std::size_t pair) const;
    /// True once a value was beyond the rule.
    bool is_any_beyond() const { return is_any_beyond_; }
    Divergence finish(int runs, int engine_runs);

private:
    ValuePair pair_of(std::size_t pair, const std::string& path) const;

    const DivergenceSide& a_;
    const DivergenceSide& b_;
    const DivergenceOptions& options_;
    const MatchedValues values_;
    std::vector<bool> wanted_;        // by pair; empty: all
    std::vector<std::size_t> place_;  // by pair: in result_.values
    std::vector<std::size_t> caused_;
    bool is_any_beyond_ = false;
    Divergence result_;
};

/// The inputs by the names that B has. Throws invalid_input for an input of B without counterpart.
NamedValues inputs_of_b(const MatchedValues& values, const Graph& graph_a, const Graph& graph_b,
                        const NamedValues& inputs);

/// One side in another engine, the other one here.
Divergence find_with_engine(const DivergenceSide& a, const DivergenceSide& b,
                            const NamedValues& inputs, const DivergenceOptions& options,
                            const Progress& progress);

}  // namespace lapidary
