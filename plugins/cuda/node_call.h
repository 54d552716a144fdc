// SPDX-License-Identifier: Apache-2.0
// All that determines the work that one run of a node queues: runs of a kernel with equal calls
// queue the same work. A call can be queued again after the run that it was made from is over.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "node_view.h"

namespace lapidary::cuda {

class NodeKernel;

/// An input, in device memory, or in host memory where the kernel reads it on the host.
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

/// Keeps the memory of places allocated.
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
        // a copy of an input that is read on the host; array.data points to it
        std::vector<unsigned char> host;
    };
    /// Memory that the kernel asked for and got; a call lists them in the order of requests.
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
    /// The call of a run, without grants.
    static NodeCall of(std::shared_ptr<const KernelOfNode> kernel, LpDeviceRun& run);
    /// True where kernel, inputs and wanted outputs are those of the run.
    bool is_of(const KernelOfNode& kernel, LpDeviceRun& run) const;
    /// Requests from the run the same memory that this call was granted, and keeps all memory of
    /// the run in `held`. Throws DeviceError.
    std::vector<Grant> request_again(LpDeviceRun& run, HeldMemory& held) const;
    bool has_grants(const std::vector<Grant>& grants) const;
    /// True where this is the other call except for the addresses of values in device memory.
    bool differs_by_addresses(const NodeCall& other) const;
    /// True where the call reads or writes a part of [begin, begin + bytes).
    bool touches(const char* begin, std::uint64_t bytes) const;
};

/// Throws DeviceError. `held`: may be null.
NodeCall::Grant request_output(LpDeviceRun& run, std::int32_t output, std::int32_t type,
                               const Dims& dims, HeldMemory* held);
NodeCall::Grant request_scratch(LpDeviceRun& run, std::uint64_t bytes, HeldMemory* held);

}  // namespace lapidary::cuda
