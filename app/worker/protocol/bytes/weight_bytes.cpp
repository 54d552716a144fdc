// SPDX-License-Identifier: Apache-2.0
#include "worker/protocol/bytes/weight_bytes.h"

#include <algorithm>
#include <cstring>
#include <variant>

#include <lapidary/base/error.h>

namespace lapidary::app {
namespace {

enum class Kept : std::uint8_t {
    absent,
    sent,      // its bytes follow
    words,     // its strings follow
    known,     // by a tensor of the second model
    elsewhere  // by the process that sent it
};

constexpr std::size_t longest_part = std::size_t{1} << 20;   // bytes of one part of a tensor
constexpr std::size_t most_at_once = std::size_t{32} << 20;  // bytes that are asked for in one call

void collect_tensors(const Graph& graph, std::vector<const Tensor*>& tensors);

void collect_sparse(const SparseTensor& sparse, std::vector<const Tensor*>& tensors) {
    tensors.push_back(&sparse.values);
    tensors.push_back(&sparse.indices);
}

void collect_attribute(const AttributeValue& value, std::vector<const Tensor*>& tensors) {
    if (const auto* tensor = std::get_if<Tensor>(&value)) tensors.push_back(tensor);
    else if (const auto* sparse = std::get_if<SparseTensor>(&value))
        collect_sparse(*sparse, tensors);
    else if (const auto* list = std::get_if<std::vector<Tensor>>(&value))
        for (const Tensor& one : *list) tensors.push_back(&one);
    else if (const auto* sparse_list = std::get_if<std::vector<SparseTensor>>(&value))
        for (const SparseTensor& one : *sparse_list) collect_sparse(one, tensors);
    else if (const auto* graph = std::get_if<GraphPtr>(&value)) {
        if (*graph) collect_tensors(**graph, tensors);
    } else if (const auto* graphs = std::get_if<std::vector<GraphPtr>>(&value)) {
        for (const GraphPtr& one : *graphs)
            if (one) collect_tensors(*one, tensors);
    }
}

void collect_tensors(const Graph& graph, std::vector<const Tensor*>& tensors) {
    for (std::uint32_t slot = 0; slot < graph.value_slots(); ++slot) {
        if (!graph.is_alive(ValueId(slot))) continue;
        const Value& value = graph.value(ValueId(slot));
        if (value.constant) tensors.push_back(&*value.constant);
        if (value.sparse) collect_sparse(*value.sparse, tensors);
    }
    for (std::uint32_t slot = 0; slot < graph.node_slots(); ++slot) {
        if (!graph.is_alive(NodeId(slot))) continue;
        for (const Attribute& attribute : graph.node(NodeId(slot)).attributes)
            collect_attribute(attribute.value, tensors);
    }
}

/// It has elements, but its values were given up (GraphEdit::drop_constant_data()).
bool is_without_data(const Tensor& tensor) {
    return tensor.byte_size() > 0 && tensor.identity() == nullptr;
}

bool is_large(const Tensor& tensor) {
    return tensor.dtype() != DType::string &&
           (tensor.byte_size() > most_sent_bytes || is_without_data(tensor));
}

/// Bytes of the parts that a tensor is asked for in: whole inner dimensions, where those are short
/// enough.
std::size_t part_bytes_of(DType dtype, const Shape& shape, std::size_t bytes) {
    std::int64_t elements = 1;
    for (std::size_t axis = shape.size(); axis-- > 0;) {
        const std::int64_t more = elements * shape[axis];
        if (storage_bytes(dtype, more) > longest_part) break;
        elements = more;
    }
    const std::size_t part = storage_bytes(dtype, elements);
    return part > 0 && bytes % part == 0 &&
                   storage_bytes(dtype, elements) * 8 == std::size_t(elements) * bit_width(dtype)
               ? part
               : bytes;
}

}  // namespace

std::vector<const Tensor*> tensors_of(const Model& model) {
    std::vector<const Tensor*> tensors;
    collect_tensors(model.graph, tensors);
    for (const Function& function : model.functions) {
        for (const Attribute& fallback : function.attribute_defaults)
            collect_attribute(fallback.value, tensors);
        if (function.body) collect_tensors(*function.body, tensors);
    }
    return tensors;
}

Tensor with_values(const Tensor& tensor) {
    if (!tensor.is_deferred()) return tensor;
    Tensor copy(tensor.dtype(), tensor.shape());
    tensor.read(0, tensor.byte_size(), static_cast<std::byte*>(copy.mutable_raw()));
    return copy;
}

WeightWriter::WeightWriter(const Model& model, const Model* base, bool is_kept)
    : is_kept_(is_kept), own_(tensors_of(model)) {
    collect(own_, own_numbers_);
    if (!base) return;
    known_ = tensors_of(*base);
    collect(known_, known_numbers_);
}

void WeightWriter::collect(const std::vector<const Tensor*>& tensors, Numbers& numbers) {
    for (std::uint32_t number = 0; number < tensors.size(); ++number)
        if (is_large(*tensors[number]) && !is_without_data(*tensors[number]))
            numbers.emplace(tensors[number]->identity(), number);
}

namespace {

/// The first tensor with the storage and type of this one; nothing where there is none.
std::optional<std::uint32_t> number_of(
    const Tensor& tensor, const std::vector<const Tensor*>& tensors,
    const std::unordered_multimap<const void*, std::uint32_t>& numbers) {
    std::optional<std::uint32_t> first;
    const auto [begin, end] = numbers.equal_range(tensor.identity());
    for (auto at = begin; at != end; ++at) {
        const Tensor& other = *tensors[at->second];
        if (other.dtype() == tensor.dtype() && other.byte_size() == tensor.byte_size() &&
            other.size() == tensor.size() && (!first || at->second < *first))
            first = at->second;
    }
    return first;
}

}  // namespace

void WeightWriter::write(ByteWriter& out, const Tensor& tensor) const {
    if (!tensor) return out.number(Kept::absent);
    const auto head = [&](Kept kept) {
        out.number(kept);
        out.number(tensor.dtype());
        out.number(std::uint64_t(tensor.shape().size()));
        for (const std::int64_t size : tensor.shape()) out.number(size);
    };
    if (tensor.dtype() == DType::string) {
        head(Kept::words);
        for (const std::string& word : tensor.data<std::string>()) out.text(word);
        return;
    }
    if (!is_large(tensor)) {
        head(Kept::sent);
        out.raw(tensor.bytes().data(), tensor.byte_size());
        return;
    }
    if (const auto known = number_of(tensor, known_, known_numbers_)) {
        head(Kept::known);
        out.number(*known);
        return;
    }
    head(Kept::elsewhere);
    const auto number = number_of(tensor, own_, own_numbers_);
    out.number(is_kept_ && number ? *number : no_weight);
}

WeightReader::WeightReader(const Model* base, ReadWeight ask) : ask_(std::move(ask)) {
    if (base) known_ = tensors_of(*base);
}

Tensor WeightReader::read(ByteReader& in) {
    const auto kept = in.number<Kept>();
    if (kept == Kept::absent) return {};
    const auto dtype = in.number<DType>();
    Shape shape(in.count(sizeof(std::int64_t)));
    for (std::int64_t& size : shape) size = in.number<std::int64_t>();
    switch (kept) {
    case Kept::sent: {
        const std::byte* const bytes = in.raw(storage_bytes(dtype, element_count(shape)));
        Tensor tensor(dtype, std::move(shape));
        if (tensor.byte_size() > 0) std::memcpy(tensor.mutable_raw(), bytes, tensor.byte_size());
        return tensor;
    }
    case Kept::words: {
        const std::int64_t words = element_count(shape);
        if (static_cast<std::uint64_t>(words) > in.left()) ByteReader::broken();
        Tensor tensor(dtype, std::move(shape));
        for (std::string& word : tensor.mutable_data<std::string>()) word = in.text();
        return tensor;
    }
    case Kept::known: {
        const auto number = in.number<std::uint32_t>();
        if (number >= known_.size() || known_[number]->dtype() != dtype ||
            known_[number]->size() != element_count(shape))
            ByteReader::broken();
        return known_[number]->reshaped(std::move(shape));
    }
    case Kept::elsewhere: return elsewhere(in.number<std::uint32_t>(), dtype, std::move(shape));
    case Kept::absent: break;
    }
    ByteReader::broken();
}

Tensor WeightReader::elsewhere(std::uint32_t number, DType dtype, Shape shape) {
    if (number != no_weight)
        if (const auto made = made_.find(number); made != made_.end()) {
            if (made->second.size() != element_count(shape)) ByteReader::broken();
            return made->second.reshaped(std::move(shape));
        }
    const std::size_t bytes = storage_bytes(dtype, element_count(shape));
    if (bytes == 0) ByteReader::broken();
    const std::size_t part = part_bytes_of(dtype, shape, bytes);
    Tensor tensor = Tensor::deferred(
        dtype, std::move(shape), part,
        [ask = ask_, number, part](std::byte* to, std::size_t first, std::size_t last) {
            if (number == no_weight)
                fail(ErrorCode::not_supported, "the values of this constant were not kept");
            if (!ask) fail(ErrorCode::not_supported, "the values of this constant are elsewhere");
            const std::size_t end = last * part;
            for (std::size_t begin = first * part; begin < end;) {
                const std::size_t count = std::min(end - begin, most_at_once);
                ask(number, begin, count, to);
                begin += count;
                to += count;
            }
        },
        {});
    if (number != no_weight) made_.emplace(number, tensor);
    return tensor;
}

}  // namespace lapidary::app
