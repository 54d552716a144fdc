// SPDX-License-Identifier: Apache-2.0
#include "memory_report/process_parts.h"

#include <algorithm>
#include <set>

#include "base/files/held_files.h"
#include "base/files/mapped_file.h"
#include "graph/traversal.h"
#include "tensor/aligned_copies.h"

namespace lapidary {
namespace {

// Of lapidary-cli on Linux, large pages off, with a session of a model of one node.
constexpr std::uint64_t program_bytes = 5'200'000;

// Average bytes on the heap (a fit over 51 models at levels disabled and all): per node and value
// in the caller's model and in the session's copy, where erased ones keep their slots; per step.
constexpr std::uint64_t slot_bytes = 890, step_bytes = 1550;

/// Storages of weights, each once.
class Weights {
public:
    explicit Weights(ProcessMemory& process) : process_(process) {}

    /// A constant as kernels read it.
    void add_read(const Tensor& tensor) {
        if (!is_stored(tensor) || !read_.insert(tensor.identity()).second) return;
        add_kept(tensor);
        if (tensor.is_deferred()) {  // made before the first run
            process_.weights += tensor.byte_size();
            return;
        }
        const auto file = held_file_at(tensor.bytes().data());
        if (file && file->is_mapped) process_.mapped_weights += tensor.byte_size();
        if (file && is_unaligned(tensor) && aligned_copy_bytes(tensor) == 0)
            process_.weights += tensor.byte_size();
    }
    /// A constant as the model has it.
    void add_kept(const Tensor& tensor) {
        if (!is_stored(tensor) || !kept_.insert(tensor.identity()).second) return;
        if (tensor.is_deferred()) {
            has_deferred_ = true;
            return;
        }
        const void* const at = tensor.bytes().data();
        const auto file = held_file_at(at);
        if (!file) process_.weights += tensor.byte_size();
        else if (!file->is_mapped) add_copy(file->bytes.data(), file->bytes.size());
        process_.weights += file ? aligned_copy_bytes(tensor) : 0;
    }
    /// A constant that is made later keeps its source in memory: the model's file if no other
    /// constant does.
    void add_source_of_deferred(const Model& model) {
        if (has_deferred_ && copies_.empty() && model.file_bytes < map_from_bytes)
            process_.weights += model.file_bytes;
    }
    bool is_read(const Tensor& tensor) const { return read_.contains(tensor.identity()); }

private:
    static bool is_stored(const Tensor& tensor) {
        return tensor.byte_size() != 0 && tensor.dtype() != DType::string;
    }
    static bool is_unaligned(const Tensor& tensor) {
        const auto at = reinterpret_cast<std::uintptr_t>(tensor.bytes().data());
        return at % std::clamp<std::uintptr_t>(bit_width(tensor.dtype()) / 8, 1, 8) != 0;
    }
    void add_copy(const void* begin, std::size_t bytes) {
        if (copies_.insert(begin).second) process_.weights += bytes;
    }

    ProcessMemory& process_;
    std::set<const void*> copies_, kept_, read_;
    bool has_deferred_ = false;
};

void add_read(const Plan& plan, Weights& weights, std::uint64_t& steps) {
    steps += plan.steps.size();
    for (const RuntimeValue& constant : plan.constants)
        if (constant.is_tensor()) weights.add_read(constant.tensor());
    for (const Step& step : plan.steps)
        for (const auto& [name, sub] : step.subgraphs) add_read(*sub, weights, steps);
}

}  // namespace

ProcessMemory still_parts(const Model& given, const Model& prepared, const Plan& plan,
                          std::uint64_t packed_bytes, const CancelToken& cancel) {
    ProcessMemory process;
    process.program = program_bytes;
    process.packed = packed_bytes;
    Weights weights(process);
    std::uint64_t slots = 0, steps = 0;
    add_read(plan, weights, steps);
    std::set<const void*> counted;
    const auto add_kept = [&](const Tensor& tensor) {
        if (!weights.is_read(tensor) && counted.insert(tensor.identity()).second)
            process.unneeded_weights += tensor.byte_size();
        weights.add_kept(tensor);
    };
    for_each_graph(given, [&](const Graph& graph, const std::string&) {
        cancel.throw_if_cancelled();
        slots += graph.node_slots() + graph.value_slots();
        for (ValueId v : graph.values())
            if (const Value& value = graph.value(v); value.constant) add_kept(*value.constant);
        for (NodeId n : graph.nodes())
            for (const Attribute& a : graph.node(n).attributes)
                if (const auto* tensor = std::get_if<Tensor>(&a.value)) add_kept(*tensor);
    });
    weights.add_source_of_deferred(given);
    for_each_graph(prepared, [&](const Graph& graph, const std::string&) {
        slots += graph.node_slots() + graph.value_slots();
    });
    process.graph = slots * slot_bytes + steps * step_bytes;
    return process;
}

}  // namespace lapidary
