// SPDX-License-Identifier: Apache-2.0
// A provider runs nodes of a graph: it says which nodes it takes and makes their kernels. The CPU
// is one (cpu_provider.h). A DeviceProvider has memory that CPU kernels cannot read. The session
// requests blocks of that memory, copies values to and from it in steps of its plan, and asks its
// queue when each step ran.
//
// A provider serves all sessions that name it, on several threads at once. The queues of one
// session in parallel mode do so too.
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

/// A provider's answer for a node.
struct Claim {
    std::string refusal;  // why it does not take the node; empty: it takes it
    // time saved against the CPU, without copies
    double gain_ns = 0;
    // inputs that the kernel reads in host memory (shapes, axes)
    std::vector<std::size_t> host_inputs;

    bool is_taken() const { return refusal.empty(); }
    static Claim refuse(std::string reason) { return {std::move(reason), 0, {}}; }
};

class Provider {
public:
    virtual ~Provider() = default;
    /// Shown to users and unique among the providers of a session: "CPU", "CUDA".
    virtual const std::string& name() const = 0;
    virtual Claim claim(const KernelRequest& request) const = 0;
    /// The kernel for a claimed node. If there is none after all, the choice is empty and says why.
    virtual KernelChoice make_kernel(const KernelRequest& request) const = 0;
    /// Null if values of its nodes lie in host memory.
    virtual const DeviceProvider* device() const { return nullptr; }
};

/// Memory of a device; only its provider knows the address. After its last holder releases it, it
/// stays until queued work that uses it is done.
class DeviceBlock {
public:
    virtual ~DeviceBlock() = default;
};

struct DevicePlace {
    std::shared_ptr<DeviceBlock> block;  // null: no memory
    std::uint64_t offset = 0;            // bytes from its start
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

/// Kernels as they were queued once: with shapes, addresses and the contents of the host memory
/// that they read.
class DeviceCalls {
public:
    virtual ~DeviceCalls() = default;
};

/// The work of one run, in order: later work sees the results of earlier work.
class DeviceQueue {
public:
    /// Waits for what is queued.
    virtual ~DeviceQueue() = default;
    /// Returns when `from` may be changed.
    virtual void copy_to_device(const DevicePlace& to, const void* from, std::uint64_t bytes) = 0;
    /// Returns when `to` is written, after all that was queued before.
    virtual void copy_to_host(void* to, const DevicePlace& from, std::uint64_t bytes) = 0;
    /// Waits for queued work and returns when the newest work of the calling thread ran.
    virtual DeviceTime finish() = 0;
    /// The newest `count` kernels, for repeat(); no other work was queued between them. Null: this
    /// queue cannot repeat, or an output of one of them has a shape that only the device knew.
    virtual std::shared_ptr<const DeviceCalls> newest_calls(std::size_t) { return nullptr; }
    /// Queues calls of this queue's newest_calls() again. Their memory still belongs to them and
    /// stays until the queue is waited for.
    virtual void repeat(const DeviceCalls&) {}
    /// How the provider ran the work, for a report: a sentence without a full stop; may be empty.
    virtual std::string note() { return {}; }
};

/// A node's view of a run on a device. Used only by the thread that runs the kernel.
class DeviceContext {
public:
    virtual ~DeviceContext() = default;
    virtual const Node& node() const = 0;
    virtual bool has_input(std::size_t index) const = 0;
    /// For inputs that are not in Claim::host_inputs. Throws internal for others.
    virtual DeviceTensor input(std::size_t index) const = 0;
    /// For Claim::host_inputs and constants that were not uploaded. Throws internal for others.
    virtual const Tensor& host_input(std::size_t index) const = 0;
    virtual bool wants_output(std::size_t index) const = 0;
    /// Memory for an output, also for an unwanted one. The contents are not defined. Throws
    /// limit_exceeded.
    virtual DeviceTensor output(std::size_t index, DType dtype, Shape shape) = 0;
    /// Scratch memory until the kernel's queued work is done. Throws limit_exceeded.
    virtual DevicePlace scratch(std::uint64_t bytes) = 0;
    virtual DeviceQueue& queue() = 0;
    /// Threads of the host.
    virtual ThreadPool& threads() = 0;
    virtual const CancelToken& cancel() const = 0;
    virtual const Limits& limits() const = 0;
    virtual std::uint64_t random_seed() const = 0;
};

class DeviceKernel {
public:
    virtual ~DeviceKernel() = default;
    /// Queues the node's work. On return its outputs have the requested shapes.
    virtual void run(DeviceContext& context) const = 0;
};

struct DeviceKernelChoice {
    std::string name;  // empty: no kernel takes the node
    std::unique_ptr<DeviceKernel> kernel;
    std::vector<std::size_t> host_inputs;  // as claimed
    // constants that the kernel keeps in another form and that are not uploaded
    std::vector<std::size_t> unread_inputs;
    std::vector<Rejection> passed_over;
};

enum class CopyDirection : std::uint8_t { to_device, to_host };

class DeviceProvider : public Provider {
public:
    const DeviceProvider* device() const final { return this; }
    /// Wraps make_device_kernel() as a kernel of the session's plan.
    KernelChoice make_kernel(const KernelRequest& request) const final;
    virtual DeviceKernelChoice make_device_kernel(const KernelRequest& request) const = 0;

    /// How 32-bit floats between nodes, and 32-bit weights, are stored: f32, f16 or bf16. Inputs
    /// and outputs of the model stay f32.
    virtual DType stored_floats() const { return DType::f32; }
    /// The precision to which 32-bit floats are rounded because the device was opened that way:
    /// "tf32". Empty: not rounded.
    virtual std::string lowered_precision() const { return {}; }
    /// The device's measured peak performance. Measures at the first call. Throws what the
    /// measurement throws.
    virtual DevicePeak peak() const { return {name(), 0, {}, "the provider measures none"}; }

    /// Estimated time of a copy, which placement weighs against Claim::gain_ns.
    virtual double copy_ns(CopyDirection direction, std::uint64_t bytes) const = 0;
    /// Alignment of values in a block; a power of two.
    virtual std::uint64_t alignment() const { return 256; }
    /// Throws limit_exceeded naming the requested bytes.
    virtual std::shared_ptr<DeviceBlock> allocate(std::uint64_t bytes) const = 0;
    virtual std::unique_ptr<DeviceQueue> make_queue() const = 0;
};

}  // namespace lapidary
