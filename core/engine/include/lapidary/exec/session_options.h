// SPDX-License-Identifier: Apache-2.0
// How a session compiles and runs a model.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <lapidary/base/limits.h>
#include <lapidary/exec/placement.h>
#include <lapidary/passes/optimize.h>

namespace lapidary {

class Provider;

/// How the steps of a graph follow each other (ORT execution_mode).
enum class ExecutionMode : std::uint8_t {
    sequential,  // one node at a time, with all threads
    parallel     // branches of the graph at the same time, each with its share of the threads
};

/// How much memory the arena asks the system for when it has to grow (ORT arena_extend_strategy).
enum class ArenaExtend : std::uint8_t { next_power_of_two, same_as_requested };

#ifdef NDEBUG
inline constexpr bool checks_writes_by_default = false;  // SessionOptions::check_writes
#else
inline constexpr bool checks_writes_by_default = true;  // SessionOptions::check_writes
#endif

/// How a model is compiled and run; defaults are those of ONNX Runtime where it has the option.
struct SessionOptions {
    /// ORT intra_op_num_threads; 0: one per core that this process may use
    int intra_threads = 0;
    /// ORT inter_op_num_threads: nodes at a time in parallel mode; 0: one per core
    int inter_threads = 0;
    ExecutionMode execution_mode = ExecutionMode::sequential;  // ORT execution_mode
    bool allow_spinning = true;  // ORT session.intra_op.allow_spinning
    /// ORT session.intra_op_thread_affinities: "1;2,3;5-7", processors (from 1) of worker 1, 2 ...
    std::string thread_affinities;
    bool denormal_as_zero = false;  // ORT session.set_denormal_as_zero
    /// Values that are not planned take memory from an arena; false: each from the heap.
    bool enable_cpu_mem_arena = true;
    ArenaExtend arena_extend = ArenaExtend::next_power_of_two;
    /// Passes of level session, which rewrite the session's own copy of the graph.
    SessionPasses session_passes;
    /// convolutions by Winograd's F(4x4,3x3), F(2x2,3x3) where they pay
    bool winograd = true;
    /// Use only the plain reference kernels. Slow; faster kernels are compared with them.
    bool reference_kernels = false;
    bool enable_mem_pattern = true;  // plan activations per set of input shapes
    bool enable_profiling = false;   // record phases of compile()
    /// Check after each step of a sequential run that it wrote into no other live value.
    bool check_writes = checks_writes_by_default;
    std::map<std::string, std::int64_t> free_dimensions;  // ORT free_dimension_override
    /// of random operators without a seed attribute: same seed, same values
    std::uint64_t random_seed = 0;
    /// Each node is offered to these in order, and to the CPU last. Empty: everything runs on the
    /// CPU.
    std::vector<std::shared_ptr<const Provider>> providers;
    /// Which nodes may run on the CPU. compile() throws not_supported naming the first node that
    /// this keeps off the CPU and no provider takes.
    Fallback fallback = Fallback::allow;
    Limits limits;  // on sizes of tensors, of a run, of threads
    /// Keys of config_keys() with their values as text. They override the fields above. compile()
    /// refuses other keys.
    std::map<std::string, std::string> config_entries;
};

/// A session option under the name it has in ONNX Runtime's session configuration.
struct ConfigKey {
    std::string_view name, values, meaning;  // "session.intra_op.allow_spinning", "0, 1", a phrase
};
/// All that config_entries may hold.
std::span<const ConfigKey> config_keys();
/// The options with their config_entries put into the fields they stand for. Throws invalid_input
/// naming the key and the known ones, or the value and those allowed.
SessionOptions resolve_config(SessionOptions options);

}  // namespace lapidary
