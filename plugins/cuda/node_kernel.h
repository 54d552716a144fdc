// SPDX-License-Identifier: Apache-2.0
// Kernels of nodes: made once from the node, run for any shapes.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "device_error.h"
#include "node_call.h"
#include "node_view.h"
#include "runtime.h"

namespace lapidary::cuda {

enum class Precision : std::uint8_t { exact, tf32x3, tf32, f16, bf16 };

/// One run of a node, or the repetition of an earlier call.
class KernelRun {
public:
    /// Memory that the call was not granted yet is requested from `run`; it may be null where the
    /// call has been granted all.
    KernelRun(NodeCall& call, LpDeviceRun* run, runtime::Stream& stream)
        : call_(call), run_(run), stream_(stream) {}
    bool has(std::size_t i) const { return i < call_.inputs.size() && call_.inputs[i].is_there; }
    /// Rank 0 and no data where it is omitted.
    Array input(std::size_t i) const { return has(i) ? call_.inputs[i].array : Array(); }
    /// A list of them, or one.
    Dims host_integers(std::size_t i) const;
    std::int64_t host_integer(std::size_t i) const;
    double host_number(std::size_t i) const;
    bool wants(std::size_t i) const { return i < call_.wanted.size() && call_.wanted[i] != 0; }
    /// Memory for an output. Null where it has no elements. Throws DeviceError.
    void* output(std::size_t i, std::int32_t type, const Dims& dims);
    void* scratch(std::int64_t bytes);
    runtime::Stream& stream() { return stream_; }
    Queue& queue() { return stream_.queue(); }
    /// Number of the node, for faults.
    std::int32_t node() const { return call_.kernel->node; }
    [[noreturn]] static void fail(const std::string& text) { throw DeviceError(LP_INVALID, text); }
    /// Throws where the input is given and has another shape; -1 stands for any size.
    void require_dims(std::size_t i, const Dims& expected) const;

private:
    const Array& there(std::size_t i) const;
    const NodeCall::Grant* next_grant(std::int32_t output, std::uint64_t bytes);

    NodeCall& call_;
    LpDeviceRun* run_;
    runtime::Stream& stream_;
    std::size_t next_ = 0;  // index of the next grant of the call
};

class KernelTuner;

class NodeKernel {
public:
    virtual ~NodeKernel() = default;
    virtual void run(KernelRun& run) const = 0;
    /// True where a run has to read results from the device to know the sizes of its outputs.
    virtual bool waits() const { return false; }
};

/// The inputs and results of a function that makes a kernel.
struct Making {
    Precision precision = Precision::exact;
    std::shared_ptr<KernelTuner> tuner;  // null: products are not tuned
    bool on_hopper = false;              // kernels that only compute capability 9.0 has may be used
    bool together = true;                // kernels whose blocks wait for each other may be used
    std::string kernel;                  // its name, as profiles show it
    std::uint64_t host_inputs = 0;       // bit i: read in host memory
    std::uint64_t unread_inputs = 0;     // bit i: a constant of which the kernel keeps its own copy
    std::string passed_over;
    void read_on_host(std::size_t input) { host_inputs |= std::uint64_t{1} << input; }
    void leave_unread(std::size_t input) { unread_inputs |= std::uint64_t{1} << input; }
};

/// Makes the kernel of a node. Throws Refusal where the node is not supported. It must be cheap:
/// claims call it too and drop the kernel.
using Maker = std::unique_ptr<NodeKernel> (*)(const NodeView& node, Making& making);

/// Null where no kernel is listed for the operator.
Maker find_maker(std::string_view domain, std::string_view op);

/// Throws Refusal naming the input and its type.
void require_type(const NodeView& node, std::size_t input, bool holds);

/// Throws Refusal where one of them is given without the other.
void require_both(const NodeView& node, std::size_t a, std::size_t b);

/// Integers of an input: a constant is read when the kernel is made, anything else in host memory
/// at each run.
class HostIntegers {
public:
    HostIntegers() = default;
    HostIntegers(const NodeView& node, std::size_t input, Making& making);
    bool is_given() const { return is_given_; }
    const std::optional<Dims>& constant() const { return constant_; }
    Dims at(const KernelRun& run) const {
        return constant_ ? *constant_ : run.host_integers(input_);
    }
    /// The only number; throws where there are several.
    std::int64_t one_at(const KernelRun& run) const;

private:
    std::size_t input_ = 0;
    bool is_given_ = false;
    std::optional<Dims> constant_;
};

}  // namespace lapidary::cuda
