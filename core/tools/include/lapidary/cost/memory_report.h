// SPDX-License-Identifier: Apache-2.0
// Memory over a run: what is planned, who keeps it alive, what other settings would take. Nothing
// has to run.
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

/// The switches of the session, as what-if.
struct MemoryAssumptions {
    bool plan = true;  // enable_mem_pattern: one block laid out beforehand
    /// enable_cpu_mem_arena: what is not planned comes from an arena; else each value from the heap
    bool arena = true;
    /// results over their dead inputs, views, Concat in place; no session option turns it off
    bool in_place = true;
    /// session_passes: neighbouring nodes in one kernel, so that what lies between is never stored
    bool fused_steps = true;
    std::vector<std::string> disabled_passes;  // of level session
    /// intra_threads: kernels take working memory per thread; 0: one per core
    int threads = 0;
    /// sizes of free dimensions, the batch among them
    std::map<std::string, std::int64_t> dimensions;
    friend bool operator==(const MemoryAssumptions&, const MemoryAssumptions&) = default;
};

/// Those of a session of the model with these options that runs on inputs of these sizes.
MemoryAssumptions assumptions_of(const Model& model, const SessionOptions& options,
                                 const NamedValues& inputs);

/// What a tensor is for.
enum class TensorRole : std::uint8_t { activation, output, workspace };

/// A tensor: where it lies and from when to when.
struct TensorLifetime {
    /// none: workspace. Of the graph that runs, whose fused nodes keep the ids of the model's
    ValueId value;
    std::string name, type;  // "f32[1,64,112,112]"; of workspace empty
    TensorRole role = TensorRole::activation;
    std::size_t first_step = 0, last_step = 0;
    std::uint64_t offset = 0, bytes = 0;  // address, from 0 on
    std::ptrdiff_t shares = -1;           // index of the tensor whose bytes it lies in; -1: its own
    /// names of steps; kept_by: the last reader; empty: the caller gets it
    std::string written_by, kept_by;
    NodeId writer, keeper;  // their nodes
};

/// One moment: step i of the plan. All bytes.
struct MemoryMoment {
    std::uint64_t activations = 0, outputs = 0, workspace = 0;  // in use at this step
    /// held, but unused at this step: gaps, rounding, what other steps need
    std::uint64_t waste = 0;
    std::uint64_t used() const { return activations + outputs + workspace; }  // all three together
};

/// What a process that opens the model and runs it takes of the machine: what the system counts as
/// its own while it runs, and what that is made of. Bytes, with pages of the usual size. Of
/// lapidary-cli, alone with one session.
struct ProcessMemory {
    std::uint64_t program = 0;  // what the program takes with a session of a model of one node
    std::uint64_t graph = 0;    // nodes, values, kernels, plan
    /// weights as stored in the file, or as the level made them: copies of the process
    std::uint64_t weights = 0;
    std::uint64_t packed = 0;  // packed copies: weights in the order that kernels read them
    /// pages of what is held for activations that were written at the peak
    std::uint64_t activations = 0;
    std::uint64_t inputs = 0;  // the caller's
    /// All of these together: the process.
    std::uint64_t total() const {
        return program + graph + weights + packed + activations + inputs;
    }

    /// beside the total: weights that are read in the pages of the file
    std::uint64_t mapped_weights = 0;
    /// of the weights as stored: no kernel reads them once they were packed
    std::uint64_t unneeded_weights = 0;
    friend bool operator==(const ProcessMemory&, const ProcessMemory&) = default;
};

/// What a run holds, step by step.
struct MemoryReport {
    MemoryAssumptions assumptions;        // that it rests on
    int threads = 1;                      // that kernels take memory for
    std::vector<std::string> steps;       // node names
    std::vector<std::string> step_ops;    // "Conv", "MatMul + Add (fused)"
    std::vector<NodeId> step_nodes;       // parallel to steps, of the graph that runs
    std::vector<MemoryMoment> moments;    // parallel to steps
    std::vector<TensorLifetime> tensors;  // in order of first_step
    std::uint64_t block_bytes = 0;        // held for activations, outputs and workspace together
    std::uint64_t needed_bytes = 0;       // the most in use at one step: no layout needs less
    std::uint64_t address_end = 0;        // one past the last address of the tensors
    std::uint64_t weight_bytes = 0;       // weights as stored in the file, beside all of this
    ProcessMemory process;                // total and parts
    std::size_t peak_step = 0;            // where most is in use
    std::vector<std::size_t> at_peak;     // tensors alive there, largest first; see alive_at()
    /// "Activations planned: 312 MB at node "Concat_118": 3 ..."
    std::string verdict;
    /// values and working memory whose size is not known beforehand; they count as nothing
    std::vector<std::string> unknown;
    /// free dimensions without a given size, and the size that was assumed
    std::vector<std::pair<std::string, std::int64_t>> assumed;

    /// Tensors alive at a step in bytes of their own (none that lies in another one listed),
    /// largest first.
    std::vector<std::size_t> alive_at(std::size_t step) const;
};

/// Answers for one model under any assumptions. What takes time (types, fused steps, kernels, what
/// kernels ask for) is done once per set of dimensions, threads and fusion and kept; the layout of
/// a switch then takes milliseconds. Safe to use from several threads.
class MemoryStudy {
public:
    /// Does nothing yet.
    explicit MemoryStudy(ModelPtr model);
    ~MemoryStudy();
    MemoryStudy(const MemoryStudy&) = delete;
    MemoryStudy& operator=(const MemoryStudy&) = delete;

    /// What the memory of a session compiled with these switches is, from the types alone. Throws
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

/// MemoryStudy for one answer.
MemoryReport memory_report(const ModelPtr& model, const MemoryAssumptions& assumptions = {},
                           const Progress& progress = {});

/// Bytes held over time as the recording says: allocations and releases.
struct MeasuredMemory {
    std::vector<std::pair<std::int64_t, std::int64_t>> curve;  // ns, bytes held from then on
    std::vector<std::int64_t> at_steps;  // the most held while each step of the first recorded run
                                         // ran; empty where it did not keep all events
    std::int64_t peak_bytes = 0;
};
/// Of a recording with memory events; else the peak alone.
MeasuredMemory measured_memory(const Profile& profile);

}  // namespace lapidary
