// SPDX-License-Identifier: Apache-2.0
// How a session compiles and runs a model.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <lapidary/base/limits.h>
#include <lapidary/exec/placement.h>
#include <lapidary/exec/run_resources.h>
#include <lapidary/passes/optimize.h>

namespace lapidary {

class Provider;

/// How much memory the arena asks the system for when it has to grow (ORT arena_extend_strategy).
enum class ArenaExtend : std::uint8_t { next_power_of_two, same_as_requested };

#ifdef NDEBUG
inline constexpr bool checks_writes_by_default = false;  // SessionOptions::check_writes
#else
inline constexpr bool checks_writes_by_default = true;  // SessionOptions::check_writes
#endif

/// How a model is compiled and run; defaults are those of ONNX Runtime where it has the option.
struct SessionOptions {
    RunResources resources;  // threads, execution mode, session configuration
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

    // Names of version 0.1 for members of `resources`, which they replace where they are set.
    std::optional<int> intra_threads = {}, inter_threads = {};
    std::optional<ExecutionMode> execution_mode = {};
    std::optional<bool> allow_spinning = {};
    std::map<std::string, std::string> config_entries = {};
};

/// A session option under the name it has in ONNX Runtime's session configuration.
struct ConfigKey {
    std::string_view name, values, meaning;  // "session.intra_op.allow_spinning", "0, 1", a phrase
};
/// All that RunResources::config may hold.
std::span<const ConfigKey> config_keys();
/// The options with former names and the entries of resources.config put into the members they
/// stand for. Throws invalid_input naming the key and the known ones, or the value and those
/// allowed.
SessionOptions resolve_config(SessionOptions options);

}  // namespace lapidary
