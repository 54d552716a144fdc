// SPDX-License-Identifier: Apache-2.0
#include "exec/run/output_buffers.h"

#include <algorithm>
#include <cstring>
#include <functional>

#include <lapidary/base/error.h>

#include "ops/operator_traits.h"

namespace lapidary {
namespace {

constexpr std::uintptr_t kernel_alignment = 64;  // of all storage that kernels write to

std::string text_of(const Tensor& tensor) {
    return std::string(name_of(tensor.dtype())) + to_string(tensor.shape());
}

bool overlap(const Tensor& a, const Tensor& b) {
    const std::less<const std::byte*> before;
    const std::byte *x = a.bytes().data(), *y = b.bytes().data();
    return a.byte_size() != 0 && b.byte_size() != 0 && before(x, y + b.byte_size()) &&
           before(y, x + a.byte_size());
}

bool fits(const Type& declared, const Tensor& tensor) {
    if (declared.dtype != DType::undefined && declared.dtype != tensor.dtype()) return false;
    if (!declared.shape) return true;
    return std::ranges::equal(*declared.shape, tensor.shape(),
                              [](const Dim& declared_dim, std::int64_t size) {
                                  return !declared_dim.is_known() || declared_dim.value() == size;
                              });
}

/// Whether a Concat gives an input with rows behind it, which begins where the result does.
bool is_continued(const Node& node, const Tensor& given, const Tensor& buffer) {
    if (traits_of(node).layout != OperatorLayout::concat || given.rank() != buffer.rank())
        return false;
    std::size_t axis = 0;
    while (axis < buffer.shape().size() && given.dim(axis) == buffer.dim(axis)) ++axis;
    return std::all_of(buffer.shape().begin(),
                       buffer.shape().begin() + static_cast<std::ptrdiff_t>(axis),
                       [](std::int64_t size) { return size == 1; });
}

/// Whether the output is that input with rows written into it or behind it, over the same memory,
/// and the node that writes them is all that reads the input.
bool is_written_input(const Graph& graph, const Value& output, const std::string& input,
                      const Tensor& given, const Tensor& buffer) {
    const Node& node = graph.node(output.producer);
    if (given.raw() != buffer.raw() || given.dtype() != buffer.dtype()) return false;
    const bool is_same_shape = given.shape() == buffer.shape();
    if (!is_same_shape && !is_continued(node, given, buffer)) return false;
    const auto index = is_same_shape ? traits_of(node).written_input(output.producer_output)
                                     : std::optional<std::size_t>(0);
    if (!index || *index >= node.inputs.size() || !node.inputs[*index]) return false;
    const Value& read = graph.value(node.inputs[*index]);
    return read.name == input && read.read_once();
}

/// Why no kernel writes to the memory; empty: one may.
std::string reason_against(const Graph& graph, const Value& value, const Tensor& buffer,
                           const NamedValues& inputs) {
    if (value.kind != ValueKind::node_output)
        return "the output is an input or a constant of the graph";
    for (const auto& [name, input] : inputs)
        if (input.is_tensor() && !input.tensor().is_deferred() && overlap(input.tensor(), buffer) &&
            !is_written_input(graph, value, name, input.tensor(), buffer))
            return "the memory overlaps that of input " + quote(name);
    if (reinterpret_cast<std::uintptr_t>(buffer.raw()) % kernel_alignment != 0)
        return "the memory does not begin at a multiple of 64 bytes";
    return {};
}

}  // namespace

ValueId output_named(const Graph& graph, const std::string& name) {
    const ValueId id = graph.find_value(name);
    if (id && std::ranges::find(graph.outputs(), id) != graph.outputs().end()) return id;
    std::string known;
    for (ValueId v : graph.outputs())
        if (known.size() < 400) known += (known.empty() ? "" : ", ") + quote(graph.value(v).name);
    fail_input("the model has no output " + quote(name) + "; its outputs are " +
               (known.empty() ? "none" : known));
}

OutputBuffers::OutputBuffers(const Graph& graph, const std::vector<OutputBuffer>& given,
                             const NamedValues& inputs) {
    for (const auto& [name, tensor] : given) {
        const ValueId id = output_named(graph, name);
        const auto refuse = [&](const std::string& why) {
            fail_input("the buffer of output " + quote(name) + why);
        };
        if (has(id)) refuse(" is given twice");
        if (!tensor || tensor.dtype() == DType::string) refuse(" holds no numbers");
        if (tensor.is_deferred() || tensor.bytes().data() != tensor.raw())
            refuse(": expected memory that is aligned for " + std::string(name_of(tensor.dtype())));
        const Value& value = graph.value(id);
        if (!fits(value.type, tensor))
            refuse(": expected " + to_string(value.type) + ", found " + text_of(tensor));
        for (const Entry& other : entries_)
            if (overlap(other.tensor, tensor))
                refuse(" overlaps that of output " + quote(other.name));
        entries_.push_back({id.index, name, tensor, reason_against(graph, value, tensor, inputs)});
    }
}

const OutputBuffers::Entry* OutputBuffers::find(std::uint32_t value) const {
    const auto at = std::ranges::find(entries_, value, &Entry::value);
    return at == entries_.end() ? nullptr : &*at;
}

void* OutputBuffers::memory_of(std::uint32_t value, DType dtype, const Shape& shape) const {
    const Entry* entry = find(value);
    if (!entry || !entry->reason.empty() || entry->tensor.dtype() != dtype ||
        entry->tensor.shape() != shape)
        return nullptr;
    return const_cast<void*>(entry->tensor.raw());
}

void OutputBuffers::take(ValueId id, const RuntimeValue& value, RuntimeValue& result,
                         std::vector<CopiedOutput>& copied) const {
    const Entry* entry = find(id.index);
    if (!entry) return;
    const Tensor* found = value.is_tensor() ? &value.tensor() : nullptr;
    if (!found || found->dtype() != entry->tensor.dtype() ||
        found->shape() != entry->tensor.shape())
        fail_input("the buffer of output " + quote(entry->name) + " is " + text_of(entry->tensor) +
                   ", the output is " + value.describe());
    Tensor buffer = entry->tensor;
    if (found->byte_size() != 0 && found->raw() != buffer.raw()) {
        std::memmove(buffer.mutable_raw(), found->raw(), found->byte_size());
        copied.push_back(
            {entry->name, !entry->reason.empty()
                              ? entry->reason
                              : "the plan lets it share storage with another value, or "
                                "its kernel hands out storage of its own"});
    }
    result = std::move(buffer);
}

}  // namespace lapidary
