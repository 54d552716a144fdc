// SPDX-License-Identifier: Apache-2.0
// One run of one node as far as the work that it queues hangs on it: runs of a kernel whose calls
// are equal queue the same work. A call can be played again when the run that it was made of is
// over.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "node_view.h"

namespace lapidary::cuda {

class NodeKernel;

/// An input in device memory, or, of inputs that the kernel reads there, in host memory.
struct Array {
    std::int32_t type = no_type;
    Dims dims;
    const void* data = nullptr;
    std::int64_t count() const { return count_of(dims); }
    std::int64_t bytes() const { return count() * bytes_of(type); }
};

/// The kernel of a node, kept by the program and by calls.
struct KernelOfNode {
    std::unique_ptr<NodeKernel> kernel;
    std::int32_t node = 0;  // its number, for faults
};

/// Memory of places, which stays while this does.
class HeldMemory {
public:
    void add(const LpPlace& place);
    void clear() { held_.clear(); }

private:
    std::vector<std::shared_ptr<void>> held_;
};

struct NodeCall {
    struct Input {
        bool is_there = false;
        Array array;
        // what array.data points to, of inputs read in host memory
        std::vector<unsigned char> host;
    };
    /// Memory that the kernel asked for, in the order in which it did.
    struct Grant {
        std::int32_t output = -1;  // -1: working memory
        char* address = nullptr;
        std::uint64_t bytes = 0;
        std::int32_t type = no_type;
        Dims dims;  // of an output
    };

    std::shared_ptr<const KernelOfNode> kernel;
    std::vector<Input> inputs;
    std::vector<char> wanted;  // by output
    std::vector<Grant> grants;

    NodeCall() = default;
    NodeCall(NodeCall&&) = default;  // no copies: arrays point into their inputs
    /// Without grants.
    static NodeCall of(std::shared_ptr<const KernelOfNode> kernel, LpDeviceRun& run);
    /// Kernel, inputs and wanted outputs are those of the run.
    bool is_of(const KernelOfNode& kernel, LpDeviceRun& run) const;
    /// Asks the run for the memory that this call was granted, and holds all that the run is about.
    /// Throws DeviceError.
    std::vector<Grant> ask_again(LpDeviceRun& run, HeldMemory& held) const;
    bool has_grants(const std::vector<Grant>& grants) const;
    /// It is the other call but for where in device memory its values lie.
    bool is_moved(const NodeCall& other) const;
    /// A part of [begin, begin + bytes) is read or written.
    bool touches(const char* begin, std::uint64_t bytes) const;
};

/// Throws DeviceError. `held`: may be null.
NodeCall::Grant ask_output(LpDeviceRun& run, std::int32_t output, std::int32_t type,
                           const Dims& dims, HeldMemory* held);
NodeCall::Grant ask_scratch(LpDeviceRun& run, std::uint64_t bytes, HeldMemory* held);

}  // namespace lapidary::cuda
