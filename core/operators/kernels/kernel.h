// SPDX-License-Identifier: Apache-2.0
// Defines kernels, what a kernel sees while it runs, and how one is chosen for a node.
//
// Kernels are listed in kernel_list.inc, which includes one list per family. A line is
//   LAPIDARY_KERNEL(domain, op_type, min_version, max_version, name, function)
// for a plain function void lapidary::reference::function(KernelContext&), or
//   LAPIDARY_KERNEL_FACTORY(domain, op_type, min_version, max_version, name, function)
// for a KernelFactory lapidary::function that makes a kernel for a node or says why not. Profiles
// show `name` ("reference.conv"). The best kernel of an operator comes first, the reference kernel
// last. `latest` is the open end of a version range.
#pragma once

#include <concepts>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <lapidary/base/error.h>
#include <lapidary/graph/graph.h>
#include <lapidary/base/limits.h>
#include <lapidary/base/progress.h>
#include <lapidary/tensor/runtime_value.h>

#include "base/cpu_features.h"
#include "base/threads/thread_pool.h"
#include "kernels/fallback_reason.h"
#include "kernels/weight_store.h"

namespace lapidary {

class KernelContext;
using KernelFunction = void (*)(KernelContext&);

/// One node's view of a run. Input tensors are valid until the kernel returns; a kernel that keeps
/// one (in a sequence, as an output that shares storage) uses keep().
class KernelContext {
public:
    virtual ~KernelContext() = default;

    // ---- the node
    virtual const Node& node() const = 0;
    std::int64_t version() const { return node().version; }

    // ---- inputs
    virtual std::size_t input_count() const = 0;
    /// Null when omitted (or past the end). An optional input that is present but empty is a
    /// non-null empty value.
    virtual const RuntimeValue* input_value(std::size_t index) const = 0;
    bool has_input(std::size_t index) const {
        const auto* v = input_value(index);
        return v && !v->is_empty();
    }
    /// The tensor; throws invalid_input when it is missing or no tensor.
    const Tensor& input(std::size_t index) const;
    /// Null when omitted.
    const Tensor* optional_input(std::size_t index) const;

    // ---- outputs
    virtual std::size_t output_count() const = 0;
    virtual bool wants_output(std::size_t index) const = 0;  // false: omitted by the node
    /// Allocates output `index` (from the memory plan when it fits, else from the heap, counted
    /// against the session's budget) and returns it. Contents are uninitialised. For an unwanted
    /// output returns scratch that is dropped. Throws limit_exceeded naming the node and the size
    /// asked.
    virtual Tensor& output(std::size_t index, DType dtype, Shape shape) = 0;
    /// Sets a non-tensor output, or a tensor that the kernel made or kept itself.
    virtual void set_output(std::size_t index, RuntimeValue value) = 0;
    /// A value that may outlive the run of this node: shares storage where that is safe, else
    /// copies.
    virtual RuntimeValue keep(const RuntimeValue& value) = 0;
    /// Working memory of the kernel, counted against the budget.
    virtual Tensor scratch(DType dtype, Shape shape) = 0;

    // ---- surroundings
    virtual ThreadPool& threads() = 0;
    virtual const CancelToken& cancel() const = 0;
    virtual const Limits& limits() const = 0;
    /// Runs the node's subgraph attribute with these values for its inputs; returns its outputs.
    virtual std::vector<RuntimeValue> run_subgraph(std::string_view attribute,
                                                   std::span<const RuntimeValue> inputs) = 0;
    /// Seed for random operators without a seed attribute: fixed per session and node unless asked
    /// otherwise.
    virtual std::uint64_t random_seed() const = 0;

    // ---- fast kernels that leave a run to the plain one
    /// Lets the reference kernel serve this run of the node, or report what is wrong with its
    /// inputs. Fast kernels must call this and nothing else to fall back: plan, profile and Run
    /// page show `why`.
    template <std::invocable<KernelContext&> Reference>
    void run_on_reference(const Reference& reference, FallbackReason why) {
        note_fallback(why);
        reference(*this);
    }
    /// Notes the reason that run_on_reference() got.
    virtual void note_fallback(FallbackReason) {}

    /// Throws Error{invalid_input}; the executor adds file and node.
    [[noreturn]] void fail(std::string message) const {
        lapidary::fail(ErrorCode::invalid_input, std::move(message));
    }
};

/// The session's options that matter to its kernels.
struct KernelOptions {
    Isa isa = active_isa();
    int threads = 1;
    bool winograd = true;         // F(4x4,3x3) and F(2x2,3x3) convolutions where they pay
    bool reference_only = false;  // choose the reference kernels: the truth to compare with
    // f16 or bf16: products with weights of this type may round what they multiply to it, too
    DType rounds_inputs_to = DType::undefined;
};

/// What the chooser knows about a node before it runs.
struct KernelRequest {
    const Graph& graph;
    const Node& node;
    const KernelOptions& options;
    WeightStore& weights;
    /// Inputs that the kernel made for this request never reads, because it packed them. The
    /// session may release their storage.
    mutable std::vector<std::size_t> unread_inputs;

    /// The initializer behind an input; null when it is omitted or computed.
    const Tensor* constant(std::size_t input) const {
        if (input >= node.inputs.size() || !node.inputs[input]) return nullptr;
        const Value& v = graph.value(node.inputs[input]);
        return v.kind == ValueKind::initializer && v.constant ? &*v.constant : nullptr;
    }
    bool has_input(std::size_t input) const {
        return input < node.inputs.size() && node.inputs[input];
    }
    /// Declared or inferred; the dtype is undefined where nothing is known or the input is omitted.
    const Type& input_type(std::size_t input) const {
        static const Type unknown;
        return has_input(input) ? graph.value(node.inputs[input]).type : unknown;
    }
    const Type& output_type(std::size_t output) const {
        return graph.value(node.outputs[output]).type;
    }
};

/// How a node's outputs may share storage with its inputs. A kernel that declares it must also work
/// without sharing: it compares raw() pointers and copies only where they differ.
struct StorageSharing {
    enum Kind : std::uint8_t {
        none,
        view,  // output 0 has the bytes of input 0 (Reshape, Identity ...)
        // output 0 may overwrite any of `inputs` that has no later reader and the same number of
        // bytes
        overwrite,
        // element is read before, or by the same worker that, writes its place
        // output 0 is its inputs one after the other (Concat on the outermost axis that is not 1)
        join,
        split,  // input 0 is the outputs one after the other
    } kind = none;
    std::uint32_t inputs = 0;  // overwrite: bit i stands for input i
};

/// A kernel made for one node: may hold packed weights. Holds no state that run() changes.
class Kernel {
public:
    virtual ~Kernel() = default;
    virtual void run(KernelContext& context) const = 0;
    virtual StorageSharing sharing() const { return {}; }
};

/// Returns the kernel, or null with `reason` filled: why this one does not take the node.
using KernelFactory = std::unique_ptr<Kernel> (*)(const KernelRequest& request,
                                                  std::string& reason);

struct KernelEntry {
    std::string_view domain, op_type;
    std::int64_t min_version, max_version;
    std::string_view name;
    KernelFunction function = nullptr;  // one of the two is set
    KernelFactory factory = nullptr;
};

struct Rejection {
    std::string kernel;
    std::string reason;
};

struct KernelChoice {
    std::string name;  // empty: no kernel takes the node
    KernelFunction function = nullptr;
    std::shared_ptr<const Kernel> kernel;  // null for plain functions
    std::vector<Rejection> passed_over;    // with the reason each
    explicit operator bool() const { return function || kernel; }
    void run(KernelContext& context) const { kernel ? kernel->run(context) : function(context); }
    std::vector<std::size_t> unread_inputs;  // of the kernel's KernelRequest
    StorageSharing sharing() const { return kernel ? kernel->sharing() : StorageSharing{}; }
};

/// The best kernel in kernel_list.inc for the node, and the kernels that were passed over.
KernelChoice choose_kernel(const KernelRequest& request);
/// All entries, in list order.
std::span<const KernelEntry> kernel_entries();
/// True when some kernel exists for the operator at this version; else `reason` says what exists.
bool has_kernel(std::string_view domain, std::string_view op_type, std::int64_t version,
                std::string* reason = nullptr);
/// True when kernel_list.inc has a kernel factory for the operator; false: only reference kernels.
/// `qualified`: "Conv", "com.microsoft::QLinearConv".
bool has_fast_kernel(std::string_view qualified);

}  // namespace lapidary
