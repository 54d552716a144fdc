// SPDX-License-Identifier: Apache-2.0
// Memory over a run: planned blocks, what keeps them alive, and the effect of other settings.
// Computed without running.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <lapidary/graph/model.h>
#include <lapidary/profile/profile.h>
#include <lapidary/base/progress.h>
#include <lapidary/exec/session.h>

namespace lapidary {

/// Options of the session to compute the memory for.
struct MemoryAssumptions {
    bool plan = true;  // enable_mem_pattern: one block laid out beforehand
    /// enable_cpu_mem_arena: values that are not planned come from an arena; false: from the heap
    bool arena = true;
    /// results overwrite inputs that are no longer needed, views, Concat in place; no session
    /// option turns it off
    bool in_place = true;
    /// session_passes: neighbouring nodes in one kernel, whose inner values are never stored
    bool fused_steps = true;
    std::vector<std::string> disabled_passes;  // of level session
    /// RunResources::threads: kernels take working memory per thread; 0: one per core
    int threads = 0;
    /// sizes of free dimensions, the batch among them
    std::map<std::string, std::int64_t> dimensions;
    friend bool operator==(const MemoryAssumptions&, const MemoryAssumptions&) = default;
};

/// Assumptions for a session with these options that runs on inputs of these sizes.
MemoryAssumptions assumptions_of(const Model& model, const SessionOptions& options,
                                 const NamedValues& inputs);

/// The purpose of a tensor.
enum class TensorRole : std::uint8_t { activation, output, workspace };

/// A tensor with its address and lifetime.
struct TensorLifetime {
    /// Of the graph that runs; fused nodes keep the ids of the model. None: workspace.
    ValueId value;
    std::string name, type;  // type: "f32[1,64,112,112]"; empty for workspace
    TensorRole role = TensorRole::activation;
    std::size_t first_step = 0, last_step = 0;
    std::uint64_t offset = 0, bytes = 0;  // address, from 0 on
    std::ptrdiff_t shares = -1;  // index of the tensor whose bytes it lies in; -1: it has its own
    /// names of steps; kept_by: the last reader; empty: it is returned to the caller
    std::string written_by, kept_by;
    NodeId writer, keeper;  // their nodes
};

/// One moment: step i of the plan. All bytes.
struct MemoryMoment {
    std::uint64_t activations = 0, outputs = 0, workspace = 0;  // in use at this step
    /// held, but unused at this step: gaps, rounding, memory for other steps
    std::uint64_t waste = 0;
    std::uint64_t used() const { return activations + outputs + workspace; }  // the sum
};

/// Memory of a process that opens the model and runs it, by its parts: the resident memory that the
/// system counts for it. Bytes, with pages of the usual size. For lapidary-cli with one session.
struct ProcessMemory {
    std::uint64_t program = 0;  // of the program with a session for a model of one node
    std::uint64_t graph = 0;    // nodes, values, kernels, plan
    /// copies of weights, as in the file or as the level changed them
    std::uint64_t weights = 0;
    std::uint64_t packed = 0;  // packed copies: weights in the order that kernels read them
    /// pages of activations that are written until the peak
    std::uint64_t activations = 0;
    std::uint64_t inputs = 0;  // the caller's
    /// Their sum: memory of the process.
    std::uint64_t total() const {
        return program + graph + weights + packed + activations + inputs;
    }

    /// not in the total: weights that are read in mapped pages of the file
    std::uint64_t mapped_weights = 0;
    /// part of `weights` and `mapped_weights` that no kernel reads after packing
    std::uint64_t unneeded_weights = 0;
    friend bool operator==(const ProcessMemory&, const ProcessMemory&) = default;
};

/// Memory that a run holds, by step.
struct MemoryReport {
    MemoryAssumptions assumptions;        // that it rests on
    int threads = 1;                      // that kernels take working memory for
    std::vector<std::string> steps;       // node names
    std::vector<std::string> step_ops;    // "Conv", "MatMul + Add (fused)"
    std::vector<NodeId> step_nodes;       // parallel to steps, of the graph that runs
    std::vector<MemoryMoment> moments;    // parallel to steps
    std::vector<TensorLifetime> tensors;  // in order of first_step
    std::uint64_t block_bytes = 0;        // held for activations, outputs and workspace together
    std::uint64_t needed_bytes = 0;       // the most in use at one step: no layout needs less
    std::uint64_t address_end = 0;        // one past the last address of the tensors
    std::uint64_t weight_bytes = 0;       // weights as stored in the file; not in the figures above
    ProcessMemory process;                // total and parts
    std::size_t peak_step = 0;            // where most is in use
    std::vector<std::size_t> at_peak;     // tensors alive there, largest first; see alive_at()
    /// "Activations planned: 312 MB at node "Concat_118": 3 ..."
    std::string verdict;
    /// values and working memory whose size is only known in a run; they count as 0
    std::vector<std::string> unknown;
    /// free dimensions without a given size, and the size that was assumed
    std::vector<std::pair<std::string, std::int64_t>> assumed;

    /// Tensors alive at a step in bytes of their own (none that lies in another one listed),
    /// largest first.
    std::vector<std::size_t> alive_at(std::size_t step) const;
};

/// Computes memory reports for one model under any assumptions. The slow parts (types, fused steps,
/// kernels and their working memory) are kept for each set of dimensions, threads and fusion.
/// Changing other assumptions then takes milliseconds. Safe to use from several threads.
class MemoryStudy {
public:
    /// Does no work yet.
    explicit MemoryStudy(ModelPtr model);
    ~MemoryStudy();
    MemoryStudy(const MemoryStudy&) = delete;
    MemoryStudy& operator=(const MemoryStudy&) = delete;

    /// The memory of a session with these options, computed from types. Throws
    /// what Session::compile() throws, invalid_input where an input has no shape, cancelled.
    MemoryReport report(const MemoryAssumptions& assumptions = {}, const Progress& progress = {});
    /// Free dimensions of the inputs, in order, each with the size that is assumed if none is
    /// given.
    std::vector<std::pair<std::string, std::int64_t>> free_dimensions();
    const ModelPtr& model() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

/// The report of a MemoryStudy that is not kept.
MemoryReport memory_report(const ModelPtr& model, const MemoryAssumptions& assumptions = {},
                           const Progress& progress = {});

/// Bytes held over time, from recorded allocations and releases.
struct MeasuredMemory {
    std::vector<std::pair<std::int64_t, std::int64_t>> curve;  // ns, bytes held from then on
    /// Largest number of bytes held during each step of the first recorded run. Empty: not all of
    /// its events were kept.
    std::vector<std::int64_t> at_steps;
    std::int64_t peak_bytes = 0;
};
/// From the memory events of a recording. Without such events only the peak.
MeasuredMemory measured_memory(const Profile& profile);

}  // namespace lapidary
