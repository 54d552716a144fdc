// SPDX-License-Identifier: Apache-2.0
// What a run takes of the machine, in the same words for every engine.
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace lapidary {

/// How the steps of a graph follow each other (ORT execution_mode).
enum class ExecutionMode : std::uint8_t {
    sequential,  // one node at a time, with all threads
    parallel     // branches of the graph at the same time, each with its share of the threads
};

/// Threads and session configuration of a run. It is handed on whole, from the command line or the
/// window to the engine; defaults are those of ONNX Runtime.
struct RunResources {
    /// that share a node, ORT intra_op_num_threads; 0: one per core that this process may use
    int threads = 0;
    /// ORT inter_op_num_threads: nodes at a time in parallel mode; 0: one per core
    int inter_threads = 0;
    ExecutionMode mode = ExecutionMode::sequential;  // ORT execution_mode
    /// ORT session.intra_op.allow_spinning: threads stay awake between the nodes of a run
    bool spinning = true;
    /// ORT session configuration: an entry's value as text. Of this engine any of config_keys(),
    /// over the members above; others are refused by Session::compile().
    std::map<std::string, std::string> config;

    /// 1 in sequential mode; 0: one per core.
    int nodes_at_a_time() const { return mode == ExecutionMode::parallel ? inter_threads : 1; }
    /// The same, with the entries of `other` that it does not have.
    RunResources with_config_of(const RunResources& other) const {
        RunResources both = *this;
        both.config.insert(other.config.begin(), other.config.end());
        return both;
    }
    friend bool operator==(const RunResources&, const RunResources&) = default;
};

/// So many threads for a node, and nodes at a time; more than one makes the mode parallel.
inline RunResources fixed_resources(int threads = 1, int inter_threads = 1) {
    return {threads, inter_threads,
            inter_threads > 1 ? ExecutionMode::parallel : ExecutionMode::sequential};
}

}  // namespace lapidary
