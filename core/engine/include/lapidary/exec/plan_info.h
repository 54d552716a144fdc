// SPDX-License-Identifier: Apache-2.0
// The steps of a session, their kernels, and where its values lie in memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <lapidary/graph/ids.h>

namespace lapidary {

/// A step of the plan: a node of the main graph with the kernel that was chosen for it.
struct StepInfo {
    NodeId node;           // in Session::model()
    std::string name;      // node name or a made one
    std::string op;        // "Conv", "com.microsoft::Gelu"
    std::string kernel;    // "reference.conv"
    std::string provider;  // "CPU"; of a copy: the one that is not the CPU
    /// a kernel or provider that was not chosen, and why
    std::vector<std::pair<std::string, std::string>> passed_over;
    /// Why the step runs on the plain reference kernel. Also set if a fast kernel handed a run to
    /// it: then the newest reason. Empty: no run so far used it.
    std::string fallback;
};

/// Memory of a provider other than the CPU.
struct ProviderMemory {
    std::string provider;             // its name
    std::uint64_t planned_bytes = 0;  // one block for activations, of the newest input-shape set
    std::uint64_t weight_bytes = 0;   // uploaded when the session was compiled
};

/// Where the plan puts a value.
struct MemoryBlock {
    std::string value;  // its name
    /// The step that writes it and the last one that reads it. SIZE_MAX: read after the run.
    std::size_t first_step = 0, last_step = 0;
    std::uint64_t offset = 0, bytes = 0;  // within the arena
    bool shares = false;                  // lies within the bytes of a block listed before it
};

/// What a session runs, in which order and where in memory.
struct PlanInfo {
    std::vector<StepInfo> steps;  // of the main graph, in order
    /// Of the newest input-shape set; empty before it is planned: the first set after its first
    /// run, others in their second.
    std::vector<MemoryBlock> blocks;
    std::uint64_t arena_bytes = 0;          // that all blocks together need
    std::uint64_t weight_bytes = 0;         // of the model's constants, before packing
    std::vector<ProviderMemory> providers;  // those that run a node
};

}  // namespace lapidary
