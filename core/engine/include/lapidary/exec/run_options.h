// SPDX-License-Identifier: Apache-2.0
// Options of a run of a session, and its results.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <lapidary/base/progress.h>
#include <lapidary/exec/device_value.h>
#include <lapidary/profile/profile.h>
#include <lapidary/tensor/runtime_value.h>
#include <lapidary/tensor/tensor.h>

namespace lapidary {

class StepObserver;

/// Memory of the caller for a graph output. Its element type and shape have to be those of the
/// output; no strings.
struct OutputBuffer {
    std::string name;  // of the graph output
    /// made over the memory with Tensor::borrow(), or with any memory that only the run writes
    Tensor tensor;
};

/// Options of one call of Session::run().
struct RunOptions {
    CancelToken cancel;    // checked between and within kernels: run() throws cancelled
    bool profile = false;  // fills RunResult::profile
    int repetitions = 1;   // profiled runs share one Profile
    /// If the run is cancelled in a later repetition, run() returns the results of those that
    /// finished: the outputs of the first, and a Profile of so many runs. Not with output_buffers.
    bool keep_finished = false;
    /// ORT memory.enable_memory_arena_shrinkage: give unused memory back after the run
    bool shrink_arena = false;
    /// Inner values of the main graph to return too. Values inside of fused nodes exist only with
    /// SessionPasses::Set::none.
    std::vector<std::string> extra_outputs;
    std::function<void(int done, int total)> progress;  // steps of the main graph
    /// Sees each value when its node has run (step_observer.h). The run then goes step by step and
    /// without a memory plan. Null: nothing observes it.
    StepObserver* observer = nullptr;
    /// Memory that outputs are written to (ORT IOBinding). A kernel writes there itself where the
    /// plan gives the output storage of its own and the memory begins at a multiple of 64 bytes;
    /// the rest is copied there at the end, and RunResult::copied_outputs says which and why.
    /// After a run that throws, what the memory holds is undefined. Buffers must not overlap each
    /// other.
    /// A cache is written in place where an input and the output that is this input with rows
    /// written into it (present_key of com.microsoft GroupQueryAttention, present_cache of
    /// TensorScatter) are given the same memory, in one shape, and no other node reads the input.
    /// So is the result of a Concat that begins with an input, where the axes in front have size 1:
    /// then the memory is that of the input and of the rows behind it.
    std::vector<OutputBuffer> output_buffers;
    /// Graph outputs that stay in the memory of the device that made them, for later runs. Example:
    /// caches of a decoder, which would else cross the bus twice for each token.
    /// RunResult::residents has them; their entries in RunResult::outputs are empty. What comes out
    /// in host memory (everything, where the session has no provider but the CPU) is a plain tensor
    /// in RunResult::residents, with the reason in RunResult::not_resident. Only tensors, and none
    /// with an output buffer.
    std::vector<std::string> resident_outputs;
    /// Inputs that are not in `inputs`, by name: residents of earlier runs of this or another
    /// session, or results of Session::to_device(). A value is read where it lies if its
    /// device was opened by the same provider and only nodes of that device read its elements. Of
    /// other values the run makes a copy in host memory; RunResult::not_resident says why.
    std::vector<NamedDeviceValue> device_inputs;
};

/// An output that was computed elsewhere and copied into the caller's memory.
struct CopiedOutput {
    std::string name;    // of the graph output
    std::string reason;  // why no kernel wrote there itself: a phrase without a full stop
};

/// A value that was requested on a device but lies in host memory, or was copied there.
struct NotResident {
    std::string name;    // of the input or output
    std::string reason;  // a phrase without a full stop
};

/// Bytes of values that a run copied between the host and devices.
struct CopiedBytes {
    std::uint64_t to_device = 0, to_host = 0;  // each way
};

/// Results of a run.
struct RunResult {
    /// graph outputs in order, then extra_outputs; those with a buffer are tensors over its memory
    NamedValues outputs;
    std::shared_ptr<const Profile> profile;  // if RunOptions::profile was set
    /// of RunOptions::output_buffers; empty: kernels wrote all of them
    std::vector<CopiedOutput> copied_outputs;
    std::vector<NamedDeviceValue> residents;  // RunOptions::resident_outputs, in their order
    /// of RunOptions::device_inputs, then of resident_outputs
    std::vector<NotResident> not_resident;
    /// of the newest repetition; zeros where all runs on the CPU
    CopiedBytes copied;
};

}  // namespace lapidary
