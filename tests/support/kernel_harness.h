// SPDX-License-Identifier: Apache-2.0
// Runs one kernel on values made by a test, without a graph or a session.
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <lapidary/graph/attribute.h>
#include <lapidary/base/limits.h>
#include <lapidary/base/progress.h>
#include <lapidary/tensor/runtime_value.h>

#include "base/cpu_features.h"

namespace lapidary::test {

/// What a test may set besides inputs and attributes.
struct KernelRun {
    std::size_t outputs = 1;                 // outputs the node has
    std::set<std::size_t> unwanted_outputs;  // omitted among them (an empty name in a file)
    std::set<std::size_t> empty_optionals;   // inputs that are present but hold an empty optional
    // name of the kernel; empty: the last one of the operator, which is the reference kernel
    std::string kernel;
    // inputs that are initializers, for kernels that pack weights
    std::set<std::size_t> constants;
    // the other inputs' shapes are known when the kernel is made
    bool static_shapes = true;
    std::uint64_t seed = 1;
    Limits limits;
    CancelToken cancel;
    /// Replaces the executor when the kernel runs a subgraph attribute.
    std::function<std::vector<RuntimeValue>(std::string_view attribute,
                                            std::span<const RuntimeValue> inputs)>
        subgraph;
};

/// One attribute: attribute("axis", 1), attribute("axes", ints({0, 2})), attribute("alpha", 0.5f),
/// attribute("mode", "edge").
Attribute attribute(std::string name, AttributeValue value);
Attribute attribute(std::string name, int value);
Attribute attribute(std::string name, float value);
Attribute attribute(std::string name, const char* value);
inline std::vector<std::int64_t> ints(std::vector<std::int64_t> values) { return values; }
inline std::vector<float> floats(std::vector<float> values) { return values; }

/// Runs the kernel of that operator at that opset version. An empty value among `inputs` is an
/// omitted input. Work is split into pieces of the grain the kernel asks for, run in reverse order,
/// so that a kernel whose pieces depend on each other fails. Throws what the kernel throws, and
/// Error{not_supported} when the operator has no plain kernel.
std::vector<RuntimeValue> run_kernel(std::string_view domain, std::string_view op_type,
                                     std::int64_t version, std::vector<RuntimeValue> inputs,
                                     std::vector<Attribute> attributes = {},
                                     const KernelRun& run = {});

/// Calls body once per instruction set that this CPU has, weakest first, with limit_isa() set;
/// restores it afterwards.
void for_each_isa(const std::function<void(Isa isa)>& body);

/// The same for kernels with one tensor output.
Tensor run_kernel_tensor(std::string_view domain, std::string_view op_type, std::int64_t version,
                         std::vector<RuntimeValue> inputs, std::vector<Attribute> attributes = {},
                         const KernelRun& run = {});

/// Elements of a tensor as a vector: values_of<float>(t).
template <typename T>
std::vector<T> values_of(const Tensor& tensor) {
    const auto data = tensor.data<T>();
    return {data.begin(), data.end()};
}

}  // namespace lapidary::test
