// SPDX-License-Identifier: Apache-2.0
// Functions that a kernel calls in a run: inputs, outputs, memory, threads.
#include "base/process/foreign_call.h"
#include "custom_ops/api_table.h"

namespace lapidary::custom_ops {
namespace {

Status* get_input(RunContext* context, std::size_t index, const Value** to) {
    return guarded([&]() -> Status* {
        *to = nullptr;
        if (index >= context->inputs.size() || !context->inputs[index]) return nullptr;
        *to = &*context->inputs[index];
        return nullptr;
    });
}

Status* get_output(RunContext* context, std::size_t index, const std::int64_t* dims,
                   std::size_t rank, Value** to) {
    return guarded([&]() -> Status* {
        if (index >= context->output_types.size())
            fail_input("it asks for output " + std::to_string(index) + " of " +
                       std::to_string(context->output_types.size()));
        const int type = context->output_types[index];
        if (!is_known_dtype(type))
            fail_unsupported("the element type of its output " + std::to_string(index) +
                             " is known neither by the operator nor by the model");
        if (context->outputs.size() <= index) context->outputs.resize(index + 1);
        std::optional<Value>& value = context->outputs[index];
        if (!value) {
            Tensor& tensor =
                context->kernel.output(index, static_cast<DType>(type), Shape(dims, dims + rank));
            value.emplace();
            value->tensor = &tensor;
        }
        *to = &*value;
        return nullptr;
    });
}

Status* get_scratch(RunContext* context, const MemoryInfo*, std::size_t bytes, void** to) {
    return guarded([&]() -> Status* {
        const auto size = static_cast<std::int64_t>(bytes);
        *to =
            context->scratch.emplace_back(context->kernel.scratch(DType::u8, {size})).mutable_raw();
        return nullptr;
    });
}

/// body(argument, i) for each i; `batches` is advice.
Status* parallel_for(const RunContext* context, void (*body)(void*, std::size_t), std::size_t total,
                     std::size_t, void* argument) {
    return guarded([&]() -> Status* {
        const char* who = ForeignCall::current();
        context->kernel.threads().parallel_for(static_cast<std::int64_t>(total), 1,
                                               [&](std::int64_t begin, std::int64_t end) {
                                                   const ForeignCall inside(who);
                                                   for (std::int64_t i = begin; i < end; ++i)
                                                       body(argument, static_cast<std::size_t>(i));
                                               });
        return nullptr;
    });
}

}  // namespace

void put_run_functions(ApiTable& table) {
    table.put(
        88, +[](const RunContext* context, std::size_t* count) -> Status* {
            *count = context->inputs.size();
            return nullptr;
        });
    table.put(
        89, +[](const RunContext* context, std::size_t* count) -> Status* {
            *count = context->output_types.size();
            return nullptr;
        });
    table.put(90, &get_input);
    table.put(91, &get_output);
    table.put(
        253, +[](const RunContext*, const MemoryInfo*, Allocator** allocator) -> Status* {
            *allocator = heap_allocator();
            return nullptr;
        });
    table.put(274, &parallel_for);
    table.put(277, &get_scratch);
}

}  // namespace lapidary::custom_ops
