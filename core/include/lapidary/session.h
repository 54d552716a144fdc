// SPDX-License-Identifier: Apache-2.0
// Model -> plan -> run.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <lapidary/limits.h>
#include <lapidary/model.h>
#include <lapidary/optimize.h>
#include <lapidary/placement.h>
#include <lapidary/profile.h>
#include <lapidary/progress.h>
#include <lapidary/runtime_value.h>

namespace lapidary {

class Provider;

enum class ExecutionMode : std::uint8_t {
    sequential,  // one node at a time, with all threads
    parallel     // branches of the graph at the same time, each with its share of the threads
};

/// How much memory the arena asks the system for when it has to grow (ORT arena_extend_strategy).
enum class ArenaExtend : std::uint8_t { next_power_of_two, same_as_requested };

#ifdef NDEBUG
inline constexpr bool checks_writes_by_default = false;
#else
inline constexpr bool checks_writes_by_default = true;
#endif

struct SessionOptions {
    int intra_threads = 0;               // ORT intra_op_num_threads; 0: one per physical core
    int inter_threads = 0;               // ORT inter_op_num_threads: nodes at a time in parallel mode; 0: one per core
    ExecutionMode execution_mode = ExecutionMode::sequential;
    bool allow_spinning = true;          // ORT session.intra_op.allow_spinning
    // ORT session.intra_op_thread_affinities: "1;2,3;5-7", processors (from 1) of worker 1, 2 ...
    std::string thread_affinities;
    bool denormal_as_zero = false;       // ORT session.set_denormal_as_zero
    bool enable_cpu_mem_arena = true;    // what is not planned comes from an arena; else each value from the heap
    ArenaExtend arena_extend = ArenaExtend::next_power_of_two;
    SessionPasses session_passes;        // rewrites of the session's own copy: neighbouring nodes in one kernel ...
    bool winograd = true;                // convolutions by Winograd's F(4x4,3x3), F(2x2,3x3) where they pay
    bool reference_kernels = false;      // only the plain reference kernels: slow, the truth to compare with
    bool enable_mem_pattern = true;      // plan activations per set of input shapes
    bool enable_profiling = false;       // record phases of compile()
    // after each step of a sequential run: it wrote into no other live value
    bool check_writes = checks_writes_by_default;
    std::map<std::string, std::int64_t> free_dimensions;  // ORT free_dimension_override
    std::uint64_t random_seed = 0;
    /// Asked for each node in this order, the CPU last. Empty: everything runs on the CPU.
    std::vector<std::shared_ptr<const Provider>> providers;
    Fallback fallback = Fallback::allow;  // forbid, shapes: compile() throws not_supported naming the first such node
    Limits limits;
    /// Any of config_keys() with its value as text, over the fields above. Others are refused by compile().
    std::map<std::string, std::string> config_entries;
};

/// A session option under the name it has in ONNX Runtime's session configuration.
struct ConfigKey {
    std::string_view name, values, meaning;
};
std::span<const ConfigKey> config_keys();
/// The options with their config_entries put into the fields they stand for. Throws invalid_input naming the key and
/// the known ones, or the value and those allowed.
SessionOptions resolve_config(SessionOptions options);

struct StepInfo {
    NodeId node;
    std::string name;        // node name or a made one
    std::string op;
    std::string kernel;
    std::string provider;    // "CPU"; of a copy: the one that is not the CPU
    std::vector<std::pair<std::string, std::string>> passed_over;  // kernel or provider, reason
};

/// Memory of a provider other than the CPU.
struct ProviderMemory {
    std::string provider;
    std::uint64_t planned_bytes = 0;     // one block for activations, of the newest input-shape set
    std::uint64_t weight_bytes = 0;      // uploaded when the session was compiled
};

struct MemoryBlock {
    std::string value;
    std::size_t first_step = 0, last_step = 0;
    std::uint64_t offset = 0, bytes = 0;
    bool shares = false;   // lies within the bytes of a block listed before it
};

struct PlanInfo {
    std::vector<StepInfo> steps;
    std::vector<MemoryBlock> blocks;     // of the newest input-shape set
    std::uint64_t arena_bytes = 0;
    std::uint64_t weight_bytes = 0;
    std::vector<ProviderMemory> providers;  // those that run a node
};

struct RunOptions {
    CancelToken cancel;
    bool profile = false;    // fills RunResult::profile
    int repetitions = 1;     // profiled runs share one Profile
    bool shrink_arena = false;  // ORT memory.enable_memory_arena_shrinkage: give memory nobody uses back after the run
    std::vector<std::string> extra_outputs;  // inner values of the main graph to return too; those inside of fused
                                             // nodes are there only with SessionPasses::Set::none
    std::function<void(int done, int total)> progress;  // steps of the main graph
};

struct RunResult {
    NamedValues outputs;                        // graph outputs in order, then extra_outputs
    std::shared_ptr<const Profile> profile;     // when asked
};

/// A compiled model. run() and all that is const may be called from several threads at once; each run gives what it
/// would give alone, bit for bit. A session must not be moved or destroyed while it runs.
///
/// Runs share weights, plans and kernels; each holds working memory of its own, which the session keeps for later runs:
/// as much as there were runs at a time, until a run with RunOptions::shrink_arena. A caller alone finds memory and
/// threads as it left them. Of several runs one has the session's helping threads (SessionOptions::intra_threads); the
/// others run on their callers until a run ends, whose threads then help the one that waits longest. In parallel mode
/// one has the inter-op threads too; the others run their branches one after the other. Limits::run_bytes is for all of
/// them together. plan() tells of the newest set of input shapes of any of them.
class Session {
public:
    /// Expands functions, infers types, chooses kernels, orders steps. Throws not_supported listing every
    /// node without a kernel, invalid_model; limit_exceeded with both numbers where the system refuses a thread.
    static Session compile(ModelPtr model, const SessionOptions& options = {}, const Progress& progress = {});
    Session(Session&&) noexcept;
    Session& operator=(Session&&) noexcept;
    ~Session();

    /// Inputs by name; those with default initializers may be left out. Checks element types and shapes
    /// against the declaration. Throws invalid_input, limit_exceeded, cancelled with node and model in where().
    RunResult run(const NamedValues& inputs, const RunOptions& options = {});
    /// The same into a result that may be one of an earlier run: reuses its lists, and the storage of its outputs where
    /// nobody else holds it.
    void run(const NamedValues& inputs, const RunOptions& options, RunResult& result);

    /// As compiled: functions expanded, types inferred, neighbouring nodes fused into the last one of them, whose
    /// origins are then those of all.
    const Model& model() const;
    /// What the passes of level session did to it and nearly did; which of them did not run, and why.
    const PipelineReport& session_passes() const;
    PlanInfo plan() const;
    /// Empty when the session has no provider but the CPU.
    const PlacementReport& placement() const;
    int threads() const;

private:
    struct State;
    explicit Session(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

}  // namespace lapidary
