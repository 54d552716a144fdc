// SPDX-License-Identifier: Apache-2.0
// Times of an engine's kernels, run by run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <unordered_map>
#include <vector>

#include <lapidary/graph/ids.h>
#include <lapidary/profile/profile.h>

namespace lapidary {

struct KernelTimes {
    std::string name, op;       // as the engine says
    std::vector<NodeId> nodes;  // that it stands for; empty: not known
    /// False: the model has no value of the name that the kernel writes, so that it may have taken
    /// the nodes behind `nodes` into itself.
    bool ends_are_known = true;
    std::vector<double> ms;  // by measured run: all its calls
    double calls = 0;        // in a run
};

/// What one engine recorded.
struct RecordedTimes {
    std::string name, version;    // "ONNX Runtime", "1.21.1"
    std::filesystem::path place;  // of its library or interpreter
    std::vector<double> wall_ms;  // by measured run
    std::vector<KernelTimes> kernels;
    double resolution_ms = 0;  // that the time of one call can be off by, since clocks have ticks
};

/// Adds profiles up, kernel by kernel.
class KernelTimesTable {
public:
    /// Appends measured runs: those of the profile with these numbers (Span::run), in this order.
    /// KernelTimes::nodes is the node of the kernel's spans.
    void add(const Profile& profile, const std::vector<int>& runs);
    /// All that was added: wall_ms and kernels.
    RecordedTimes take();

private:
    KernelTimes& kernel_of(const Profile& profile, const Span& span);

    RecordedTimes times_;
    std::unordered_map<std::string, std::size_t> places_;  // by name and node, in times_.kernels
};

}  // namespace lapidary
