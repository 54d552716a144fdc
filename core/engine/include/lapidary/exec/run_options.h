// SPDX-License-Identifier: Apache-2.0
// What a run of a session is asked for beside its inputs, and what it gives.
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

/// Memory of the caller for a graph output. Its element type and shape have to be those of the
/// output; no strings.
struct OutputBuffer {
    std::string name;  // of the graph output
    /// made over the memory with Tensor::borrow(), or with any memory that only the run writes
    Tensor tensor;
};

/// What one call of Session::run() does beside running.
struct RunOptions {
    CancelToken cancel;    // looked at between and within kernels: run() throws cancelled
    bool profile = false;  // fills RunResult::profile
    int repetitions = 1;   // profiled runs share one Profile
    bool keep_finished =  // cancelled in a later repetition, run() returns what finished ones gave:
        false;            // outputs of the first, and a Profile of so many runs; not with
                          // output_buffers
    /// ORT memory.enable_memory_arena_shrinkage: give unused memory back after the run
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
    /// graph outputs in order, then extra_outputs; those with a buffer are tensors over its memory
    NamedValues outputs;
    std::shared_ptr<const Profile> profile;  // when asked
    /// of RunOptions::output_buffers; empty: kernels wrote all of them
    std::vector<CopiedOutput> copied_outputs;
    std::vector<NamedDeviceValue> residents;  // RunOptions::resident_outputs, in their order
    /// of RunOptions::device_inputs, then of resident_outputs
    std::vector<NotResident> not_resident;
    /// of the newest repetition; zeros where all runs on the CPU
    CopiedBytes copied;
};

}  // namespace lapidary
