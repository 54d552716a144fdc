// SPDX-License-Identifier: Apache-2.0
// What runs nodes of a graph: it says which nodes it takes and makes their kernels. The CPU is one
// (cpu_provider.h). A DeviceProvider is one with memory of its own, which kernels of the CPU cannot
// read: the session asks it for blocks, copies values to and from it by steps of its plan, and lets
// its queue say when each step ran.
//
// A provider serves all sessions that name it, from several threads at a time. So do the queues of
// one session in parallel mode.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <lapidary/exec/device_peak.h>
#include <lapidary/tensor/tensor.h>

#include "kernels/kernel.h"

namespace lapidary {

class DeviceProvider;

/// What a provider says to a node.
struct Claim {
    std::string refusal;  // why it does not take the node; empty: it does
    // time that it takes less than the CPU, copies not counted
    double gain_ns = 0;
    // inputs that the kernel reads in host memory (shapes, axes)
    std::vector<std::size_t> host_inputs;

    bool is_taken() const { return refusal.empty(); }
    static Claim refuse(std::string reason) { return {std::move(reason), 0, {}}; }
};

class Provider {
public:
    virtual ~Provider() = default;
    /// As people read it, unlike that of other providers of the session: "CPU", "CUDA".
    virtual const std::string& name() const = 0;
    virtual Claim claim(const KernelRequest& request) const = 0;
    /// The kernel for a node that was claimed; without a kernel when there is none after all, and
    /// why.
    virtual KernelChoice make_kernel(const KernelRequest& request) const = 0;
    /// Null when values of its nodes lie in host memory.
    virtual const DeviceProvider* device() const { return nullptr; }
};

/// Memory of a device. Only its provider knows the address. Let go of, it stays until queued work
/// that uses it is done.
class DeviceBlock {
public:
    virtual ~DeviceBlock() = default;
};

struct DevicePlace {
    std::shared_ptr<DeviceBlock> block;  // null: nothing lies there
    std::uint64_t offset = 0;            // bytes from its begin
};

struct DeviceTensor {
    DType dtype = DType::undefined;
    Shape shape;
    DevicePlace place;
};

/// When the work of a step ran, by steady_now_ns() of the host.
struct DeviceTime {
    std::int64_t begin_ns = 0, end_ns = 0;
};

/// Kernels as they were queued once: with their shapes, their places and what they read in host
/// memory.
class DeviceCalls {
public:
    virtual ~DeviceCalls() = default;
};

/// Work of one run, in order: what comes later sees what came before.
class DeviceQueue {
public:
    /// Waits for what is queued.
    virtual ~DeviceQueue() = default;
    /// Returns when `from` may change.
    virtual void copy_to_device(const DevicePlace& to, const void* from, std::uint64_t bytes) = 0;
    /// Returns when `to` is written, which is after all that was queued before.
    virtual void copy_to_host(void* to, const DevicePlace& from, std::uint64_t bytes) = 0;
    /// Waits for what is queued and says when the newest work of the calling thread ran.
    virtual DeviceTime finish() = 0;
    /// The newest `count` kernels, between which nothing else was asked of the queue, for repeat().
    /// Null: that queue repeats none, or what one of them gives has a shape that only the device
    /// knew.
    virtual std::shared_ptr<const DeviceCalls> newest_calls(std::size_t) { return nullptr; }
    /// Queues them again, of this queue's newest_calls(). Their places are theirs still and stay
    /// until a wait.
    virtual void repeat(const DeviceCalls&) {}
    /// What the provider reports how runs were carried out, a sentence without a full stop; may be
    /// empty.
    virtual std::string note() { return {}; }
};

/// One node's view of a run on a device. For the thread alone that runs the kernel.
class DeviceContext {
public:
    virtual ~DeviceContext() = default;
    virtual const Node& node() const = 0;
    virtual bool has_input(std::size_t index) const = 0;
    /// Of inputs that are no Claim::host_inputs. Throws internal for others.
    virtual DeviceTensor input(std::size_t index) const = 0;
    /// Of Claim::host_inputs, and of constants that nobody uploaded. Throws internal for others.
    virtual const Tensor& host_input(std::size_t index) const = 0;
    virtual bool wants_output(std::size_t index) const = 0;
    /// Memory for an output, of unknown contents; of an unwanted one too. Throws limit_exceeded.
    virtual DeviceTensor output(std::size_t index, DType dtype, Shape shape) = 0;
    /// Working memory until the kernel's queued work is done. Throws limit_exceeded.
    virtual DevicePlace scratch(std::uint64_t bytes) = 0;
    virtual DeviceQueue& queue() = 0;
    /// Of the host.
    virtual ThreadPool& threads() = 0;
    virtual const CancelToken& cancel() const = 0;
    virtual const Limits& limits() const = 0;
    virtual std::uint64_t random_seed() const = 0;
};

class DeviceKernel {
public:
    virtual ~DeviceKernel() = default;
    /// Queues the node's work; its outputs have the shapes that it asked for when this returns.
    virtual void run(DeviceContext& context) const = 0;
};

struct DeviceKernelChoice {
    std::string name;  // empty: no kernel takes the node
    std::unique_ptr<DeviceKernel> kernel;
    std::vector<std::size_t> host_inputs;  // as claimed
    // constants that the kernel holds in its own form: not uploaded
    std::vector<std::size_t> unread_inputs;
    std::vector<Rejection> passed_over;
};

enum class CopyDirection : std::uint8_t { to_device, to_host };

class DeviceProvider : public Provider {
public:
    const DeviceProvider* device() const final { return this; }
    /// make_device_kernel() as a kernel of the session's plan.
    KernelChoice make_kernel(const KernelRequest& request) const final;
    virtual DeviceKernelChoice make_device_kernel(const KernelRequest& request) const = 0;

    /// What floats of 32 bits between nodes, and weights of them, are to be stored as: f32, f16 or
    /// bf16. Inputs and outputs of the model stay f32.
    virtual DType stored_floats() const { return DType::f32; }
    /// What floats of 32 bits are rounded to because the device was opened that way, "tf32"; empty:
    /// they are not.
    virtual std::string lowered_precision() const { return {}; }
    /// What the device reaches at most, measured when it is first asked for. Throws what the
    /// measurement throws.
    virtual DevicePeak peak() const { return {name(), 0, {}, "the provider measures none"}; }

    /// What a copy costs, estimated: placement weighs it against Claim::gain_ns.
    virtual double copy_ns(CopyDirection direction, std::uint64_t bytes) const = 0;
    /// Of begins of values in a block; a power of two.
    virtual std::uint64_t alignment() const { return 256; }
    /// Throws limit_exceeded with the bytes asked for.
    virtual std::shared_ptr<DeviceBlock> allocate(std::uint64_t bytes) const = 0;
    virtual std::unique_ptr<DeviceQueue> make_queue() const = 0;
};

}  // namespace lapidary
