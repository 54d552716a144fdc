// SPDX-License-Identifier: Apache-2.0
// What would shorten the largest rows of a profile's table of operators.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <lapidary/advice/advice.h>
#include <lapidary/profile/profile.h>

namespace lapidary {

/// Help for one row, that with the largest gain.
struct RowHelp {
    std::string op;    // of the row; session overhead has overhead_name
    double share = 0;  // of the run's wall time that the row takes, 0..1
    /// What to try.
    enum class Kind : std::uint8_t {
        level,             // a level that fuses nodes, so that fewer kernels are started
        batch,             // more rows in a run, which share its overhead
        reference_kernel,  // a node that runs on the plain kernel for the reason in `detail`
        near_miss,         // a pass that almost applied
        quantize           // weights in 8 bits
    } kind = Kind::level;
    /// Upper bound of the part of the run's time that is saved, 0..1. 0: not known before it is
    /// measured.
    double gain = 0;
    std::string name;    // of the node on the reference kernel, or of the pass
    std::string detail;  // why, an English sentence; empty: nothing to add
    NodeId node;         // reference_kernel: in the graph that ran
};

/// For those of the `most` rows with the largest shares that something would help; the largest
/// first. `rows`: of a run of the model of `in`, session overhead among them. Empty where `in` has
/// no run or no facts.
std::vector<RowHelp> help_for_rows(const std::vector<OperatorTotal>& rows, const AdviceInput& in,
                                   std::size_t most = 3);

}  // namespace lapidary
