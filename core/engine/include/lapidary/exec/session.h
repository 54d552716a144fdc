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

#include <lapidary/exec/device_value.h>
#include <lapidary/base/limits.h>
#include <lapidary/graph/model.h>
#include <lapidary/passes/optimize.h>
#include <lapidary/exec/placement.h>
#include <lapidary/profile/profile.h>
#include <lapidary/base/progress.h>
#include <lapidary/tensor/runtime_value.h>

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
    // ORT intra_op_num_threads; 0: one per core that this process may use
    int intra_threads = 0;
    // ORT inter_op_num_threads: nodes at a time in parallel mode; 0: one per core
    int inter_threads = 0;
    ExecutionMode execution_mode = ExecutionMode::sequential;  // ORT execution_mode
    bool allow_spinning = true;  // ORT session.intra_op.allow_spinning
    // ORT session.intra_op_thread_affinities: "1;2,3;5-7", processors (from 1) of worker 1, 2 ...
    std::string thread_affinities;
    bool denormal_as_zero = false;  // ORT session.set_denormal_as_zero
    // what is not planned comes from an arena; else each value from the heap
    bool enable_cpu_mem_arena = true;
    ArenaExtend arena_extend = ArenaExtend::next_power_of_two;
    // rewrites of the session's own copy: neighbouring nodes in one kernel ...
    SessionPasses session_passes;
    // convolutions by Winograd's F(4x4,3x3), F(2x2,3x3) where they pay
    bool winograd = true;
    // only the plain reference kernels: slow, the truth to compare with
    bool reference_kernels = false;
    bool enable_mem_pattern = true;  // plan activations per set of input shapes
    bool enable_profiling = false;   // record phases of compile()
    // after each step of a sequential run: it wrote into no other live value
    bool check_writes = checks_writes_by_default;
    std::map<std::string, std::int64_t> free_dimensions;  // ORT free_dimension_override
    // of random operators without a seed attribute: same seed, same values
    std::uint64_t random_seed = 0;
    /// Asked for each node in this order, the CPU last. Empty: everything runs on the CPU.
    std::vector<std::shared_ptr<const Provider>> providers;
    // forbid, shapes: compile() throws not_supported naming the first such node
    Fallback fallback = Fallback::allow;
    Limits limits;  // on sizes of tensors, of a run, of threads
    /// Any of config_keys() with its value as text, over the fields above. Others are refused by
    /// compile().
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

/// A step of the plan: a node of the main graph with the kernel that was chosen for it.
struct StepInfo {
    NodeId node;           // in Session::model()
    std::string name;      // node name or a made one
    std::string op;        // "Conv", "com.microsoft::Gelu"
    std::string kernel;    // "reference.conv"
    std::string provider;  // "CPU"; of a copy: the one that is not the CPU
    std::vector<std::pair<std::string, std::string>> passed_over;  // kernel or provider, reason
    /// Why the step runs on the plain reference kernel, or a run so far was handed to it, the
    /// newest; empty: none did.
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
    // that write and last read it; SIZE_MAX: read after the run
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

/// Memory of the caller for a graph output. Its element type and shape have to be those of the
/// output; no strings.
struct OutputBuffer {
    std::string name;  // of the graph output
    // made over the memory with Tensor::borrow(), or any that nobody else writes
    Tensor tensor;
};

/// What one call of Session::run() does beside running.
struct RunOptions {
    CancelToken cancel;    // looked at between and within kernels: run() throws cancelled
    bool profile = false;  // fills RunResult::profile
    int repetitions = 1;   // profiled runs share one Profile
    bool keep_finished =
        false;  // cancelled in a later repetition, run() returns what the finished ones gave:
                // outputs of the first, and a Profile of so many runs; not with output_buffers
    // ORT memory.enable_memory_arena_shrinkage: give memory nobody uses back after the run
    bool shrink_arena = false;
    std::vector<std::string>
        extra_outputs;  // inner values of the main graph to return too; those inside of fused
                        // nodes are there only with SessionPasses::Set::none
    std::function<void(int done, int total)> progress;  // steps of the main graph
    /// Memory that outputs are written to (ORT IOBinding). A kernel writes there itself where the
    /// plan gives the output storage of its own and the memory begins at a multiple of 64 bytes;
    /// the rest is copied there at the end, and RunResult::copied_outputs says which and why.
    /// After a run that throws, what the memory holds is undefined. Buffers must not overlap each
    /// other.
    std::vector<OutputBuffer> output_buffers;
    /// Graph outputs that stay where they were made, in the memory of a device, for later runs:
    /// caches of a decoder, say, that would else cross the bus twice for each token.
    /// RunResult::residents has them; their entries in RunResult::outputs are empty. What comes out
    /// in host memory (everything, where the session has no provider but the CPU) is a plain tensor
    /// in RunResult::residents, with the reason in RunResult::not_resident. Tensors alone; not
    /// those with a buffer.
    std::vector<std::string> resident_outputs;
    /// Inputs beside those of `inputs`, by name: of residents of earlier runs, of this session or
    /// another, or of Session::to_device(). One that lies on a device, opened by the same provider,
    /// whose nodes alone read it there is read where it lies; of others the run takes a copy in
    /// host memory, with the reason in RunResult::not_resident.
    std::vector<NamedDeviceValue> device_inputs;
};

/// An output that was computed elsewhere and copied into the caller's memory.
struct CopiedOutput {
    std::string name;    // of the graph output
    std::string reason;  // why no kernel wrote there itself: a phrase without a full stop
};

/// A value that was to lie on a device and lies, or was brought, in host memory.
struct NotResident {
    std::string name;    // of the input or output
    std::string reason;  // a phrase without a full stop
};

/// Bytes of values that a run copied between the host and devices.
struct CopiedBytes {
    std::uint64_t to_device = 0, to_host = 0;  // each way
};

/// What a run gives.
struct RunResult {
    // graph outputs in order, then extra_outputs; those with a buffer are tensors over its memory
    NamedValues outputs;
    std::shared_ptr<const Profile> profile;  // when asked
    // of RunOptions::output_buffers; empty: kernels wrote all of them
    std::vector<CopiedOutput> copied_outputs;
    std::vector<NamedDeviceValue> residents;  // RunOptions::resident_outputs, in their order
    // of RunOptions::device_inputs, then of resident_outputs
    std::vector<NotResident> not_resident;
    // of the newest repetition; zeros where all runs on the CPU
    CopiedBytes copied;
};

/// A compiled model. run() and all that is const may be called from several threads at once; each
/// run gives what it would give alone, bit for bit. A session must not be moved or destroyed while
/// it runs.
///
/// Runs share weights, plans and kernels; each holds working memory of its own, which the session
/// keeps for later runs: as much as there were runs at a time, until a run with
/// RunOptions::shrink_arena. A caller alone finds memory and threads as it left them. Of several
/// runs one has the session's helping threads (SessionOptions::intra_threads); the others run on
/// their callers until a run ends, whose threads then help the one that waits longest. In parallel
/// mode one has the inter-op threads too; the others run their branches one after the other.
/// Limits::run_bytes is for all of them together. plan() reports the newest set of input shapes of
/// any of them.
class Session {
public:
    /// Expands functions, infers types, chooses kernels, orders steps. Throws not_supported listing
    /// every node without a kernel, invalid_model; limit_exceeded with both numbers where the
    /// system refuses a thread.
    static Session compile(ModelPtr model, const SessionOptions& options = {},
                           const Progress& progress = {});
    /// Both moved from and destroyed only while nothing runs.
    Session(Session&&) noexcept;
    Session& operator=(Session&&) noexcept;
    ~Session();

    /// Inputs by name; those with default initializers may be left out. Checks element types and
    /// shapes against the declaration, and output buffers against what comes out. Throws
    /// invalid_input, limit_exceeded, cancelled with node and model in where().
    RunResult run(const NamedValues& inputs, const RunOptions& options = {});
    /// The same into a result that may be one of an earlier run: reuses its lists, and the storage
    /// of its outputs where nobody else holds it.
    void run(const NamedValues& inputs, const RunOptions& options, RunResult& result);
    /// A copy of the tensor where nodes read that input of the graph, for
    /// RunOptions::device_inputs; the tensor itself where they read it in host memory. Throws
    /// invalid_input where there is no such input or the tensor holds no numbers, limit_exceeded.
    DeviceValue to_device(std::string_view input, const Tensor& tensor);

    /// As compiled: functions expanded, types inferred, neighbouring nodes fused into the last one
    /// of them, whose origins are then those of all.
    const Model& model() const;
    /// What the passes of level session did to it and nearly did; which of them did not run, and
    /// why.
    const PipelineReport& session_passes() const;
    /// Steps, kernels and memory, as of the newest set of input shapes.
    PlanInfo plan() const;
    /// Empty when the session has no provider but the CPU.
    const PlacementReport& placement() const;
    /// That a run computes with, the caller's own among them.
    int threads() const;

private:
    struct State;
    explicit Session(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

}  // namespace lapidary
