// SPDX-License-Identifier: Apache-2.0
// What runs one node on the device: made once from the node, run for each set of shapes.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "device_error.h"
#include "node_view.h"
#include "runtime.h"

namespace lapidary::cuda {

enum class Precision : std::uint8_t { exact, tf32, f16, bf16 };

/// An input in device memory, or, of inputs that the kernel reads there, in host memory.
struct Array {
    std::int32_t type = no_type;
    Dims dims;
    const void* data = nullptr;
    std::int64_t count() const { return count_of(dims); }
    std::int64_t bytes() const { return count() * bytes_of(type); }
};

/// One run of a node.
class KernelRun {
public:
    KernelRun(LpDeviceRun& run, runtime::Stream& stream, std::int32_t node) : run_(run), stream_(stream), node_(node) {}
    bool has(std::size_t i) const;
    /// Rank 0 and no data where it is omitted.
    Array input(std::size_t i) const;
    Dims host_integers(std::size_t i) const;
    double host_number(std::size_t i) const;
    bool wants(std::size_t i) const { return run_.wants_output(&run_, static_cast<std::uint32_t>(i)) != 0; }
    /// Memory for an output. Null where it has no elements. Throws DeviceError.
    void* output(std::size_t i, std::int32_t type, const Dims& dims);
    void* scratch(std::int64_t bytes);
    runtime::Stream& stream() { return stream_; }
    Queue& queue() { return stream_.queue(); }
    /// Number of the node, for faults.
    std::int32_t node() const { return node_; }
    [[noreturn]] static void fail(const std::string& text) { throw DeviceError(LP_INVALID, text); }

private:
    LpDeviceRun& run_;
    runtime::Stream& stream_;
    std::int32_t node_;
};

class NodeKernel {
public:
    virtual ~NodeKernel() = default;
    virtual void run(KernelRun& run) const = 0;
};

/// What a maker is told and tells.
struct Making {
    Precision precision = Precision::exact;
    std::string kernel;               // its name, as profiles show it
    std::uint64_t host_inputs = 0;    // bit i: read in host memory
    std::uint64_t unread_inputs = 0;  // bit i: a constant that the kernel holds by itself
    std::string passed_over;
    void read_on_host(std::size_t input) { host_inputs |= std::uint64_t{1} << input; }
    void leave_unread(std::size_t input) { unread_inputs |= std::uint64_t{1} << input; }
};

/// Throws Refusal where the node is none of the kernel's. Cheap: claims call it too, and drop the kernel.
using Maker = std::unique_ptr<NodeKernel> (*)(const NodeView& node, Making& making);

/// Null where no kernel is listed for the operator.
Maker find_maker(std::string_view domain, std::string_view op);

/// Throws Refusal naming the input and its type.
void require_type(const NodeView& node, std::size_t input, bool holds);

/// Whole numbers that are a constant, then known when the kernel is made, or are read in host memory at each run.
class HostIntegers {
public:
    HostIntegers() = default;
    HostIntegers(const NodeView& node, std::size_t input, Making& making);
    bool is_given() const { return is_given_; }
    const std::optional<Dims>& constant() const { return constant_; }
    Dims at(const KernelRun& run) const { return constant_ ? *constant_ : run.host_integers(input_); }

private:
    std::size_t input_ = 0;
    bool is_given_ = false;
    std::optional<Dims> constant_;
};

}  // namespace lapidary::cuda
