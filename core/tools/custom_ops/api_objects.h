// SPDX-License-Identifier: Apache-2.0
// The objects behind the pointers that custom operators get and pass back. For a library they are
// opaque types of ONNX Runtime's C interface, except the allocator, whose layout is public.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <lapidary/graph/graph.h>

#include "custom_ops/custom_op.h"
#include "kernels/kernel.h"
#include "ops/inference/shape_rule.h"

namespace lapidary::custom_ops {

/// OrtStatus. Null stands for success.
struct Status {
    int code = 0;
    std::string text;
};

/// Codes of OrtErrorCode.
inline constexpr int code_fail = 1, code_invalid_argument = 2, code_not_implemented = 9;

/// OrtMemoryInfo: host memory, the only kind.
struct MemoryInfo {
    int allocator_type = 0;
};
inline constexpr char cpu_memory_name[] = "Cpu";

/// OrtAllocator.
struct Allocator {
    std::uint32_t version;
    void* (*allocate)(Allocator*, std::size_t bytes);
    void (*release)(Allocator*, void* data);
    const MemoryInfo* (*info)(const Allocator*);
    void* (*reserve)(Allocator*, std::size_t bytes);
    void* later[8] = {};  // members of newer interfaces, which ask the version first
};
/// The allocator of heap memory.
Allocator* heap_allocator();

/// OrtTensorTypeAndShapeInfo. Sizes that are not known are -1.
struct TypeAndShape {
    int element_type = 0;
    std::vector<std::int64_t> dims;
    std::vector<std::string> symbols;  // parallel to dims; empty: the size has no name
    bool has_shape = true;
};

/// OrtTypeInfo of a tensor; of an absent or other value the element type is 0.
struct TypeInfo {
    TypeAndShape tensor;
};

/// OrtValue: a tensor of a kernel, or one that the library keeps.
struct Value {
    Tensor* tensor = nullptr;     // &own, or the output of a kernel's context
    std::optional<Tensor> own{};  // inputs share the storage of the run's
};

/// OrtKernelInfo: the node that a kernel is made for. Copies share it.
struct KernelInfo {
    struct Facts {
        std::string place;  // "operator 'd::Op' of ops.so"
        Node node;
        std::vector<std::string> input_names, output_names;
        std::vector<TypeAndShape> input_types, output_types;
        std::vector<std::optional<Tensor>> constants;  // by input
    };
    std::shared_ptr<const Facts> facts;
    std::deque<Value> handed_out{};  // constants that the library requested
};

/// OrtKernelContext: one run of a node.
struct RunContext {
    const CustomOp& op;
    KernelContext& kernel;
    std::vector<int> output_types;  // element types by the graph, for outputs of any type
    std::deque<std::optional<Value>> inputs{}, outputs{};
    std::deque<Tensor> scratch{};
};

/// OrtShapeInferContext.
struct InferContext {
    InferenceContext& inference;
    std::deque<TypeAndShape> handed_out{};
};

/// The known element type and dimensions.
TypeAndShape type_and_shape(const Type& type);
TypeAndShape type_and_shape(const Tensor& tensor);

}  // namespace lapidary::custom_ops
