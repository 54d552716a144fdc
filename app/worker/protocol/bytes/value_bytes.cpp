// SPDX-License-Identifier: Apache-2.0
#include "worker/protocol/bytes/value_bytes.h"

namespace lapidary::app {
namespace {

enum class Kind : std::uint8_t { empty, tensor, sequence, map };

constexpr std::size_t tensor_alignment = 64;
constexpr int deepest = 32;  // sequences inside of sequences

void write_dim(ByteWriter& out, const Dim& dim) {
    out.number(dim.value());
    out.text(dim.symbol());
}

Dim read_dim(ByteReader& in) {
    const auto value = in.number<std::int64_t>();
    std::string symbol = in.text();
    return symbol.empty() ? Dim(value) : Dim::symbolic(std::move(symbol));
}

}  // namespace

void write_type(ByteWriter& out, const Type& type) {
    const auto& [kind, dtype, shape, element, key, denotation] = type;
    out.number(kind);
    out.number(dtype);
    out.number(std::uint8_t(shape.has_value()));
    if (shape) {
        out.number(std::uint64_t(shape->size()));
        for (const Dim& dim : *shape) write_dim(out, dim);
    }
    out.number(std::uint8_t(element != nullptr));
    if (element) write_type(out, *element);
    out.number(key);
    out.text(denotation);
}

Type read_type(ByteReader& in, int depth) {
    if (depth > deepest) ByteReader::broken();
    Type type;
    type.kind = in.number<Type::Kind>();
    type.dtype = in.number<DType>();
    if (in.number<std::uint8_t>()) {
        type.shape.emplace();
        for (std::size_t n = in.count(); n > 0; --n) type.shape->push_back(read_dim(in));
    }
    if (in.number<std::uint8_t>())
        type.element = std::make_shared<const Type>(read_type(in, depth + 1));
    type.key = in.number<DType>();
    type.denotation = in.text();
    return type;
}

namespace {

void write_tensor(ByteWriter& out, const Tensor& tensor) {
    out.number(tensor.dtype());
    out.number(std::uint64_t(tensor.shape().size()));
    for (const std::int64_t size : tensor.shape()) out.number(size);
    if (tensor.dtype() == DType::string) {
        for (const std::string& word : tensor.data<std::string>()) out.text(word);
        return;
    }
    out.number(std::uint64_t(tensor.byte_size()));
    out.align(tensor_alignment);
    out.raw(tensor.raw(), tensor.byte_size());
}

Tensor read_tensor(ByteReader& in) {
    const auto dtype = in.number<DType>();
    if (dtype != DType::undefined && !is_known_dtype(static_cast<std::int64_t>(dtype)))
        ByteReader::broken();
    Shape shape(in.count(sizeof(std::int64_t)));
    for (std::int64_t& size : shape) size = in.number<std::int64_t>();
    if (dtype == DType::undefined) {
        in.number<std::uint64_t>();
        in.align(tensor_alignment);
        return {};
    }
    const std::int64_t elements = element_count(shape);
    if (dtype == DType::string) {
        if (static_cast<std::uint64_t>(elements) > in.left()) ByteReader::broken();
        Tensor words(dtype, std::move(shape));
        for (std::string& word : words.mutable_data<std::string>()) word = in.text();
        return words;
    }
    const auto bytes = in.number<std::uint64_t>();
    if (bytes != storage_bytes(dtype, elements)) ByteReader::broken();
    in.align(tensor_alignment);
    return Tensor::borrow(dtype, std::move(shape), in.raw(bytes), in.owner());
}

void write_value(ByteWriter& out, const RuntimeValue& value) {
    if (value.is_tensor()) {
        out.number(Kind::tensor);
        write_tensor(out, value.tensor());
    } else if (value.is_sequence()) {
        out.number(Kind::sequence);
        write_type(out, value.sequence().element_type);
        out.number(std::uint64_t(value.sequence().items.size()));
        for (const RuntimeValue& item : value.sequence().items) write_value(out, item);
    } else if (value.is_map()) {
        const auto& [int_keys, string_keys, values] = value.map();
        out.number(Kind::map);
        out.plain(int_keys);
        out.number(std::uint64_t(string_keys.size()));
        for (const std::string& key : string_keys) out.text(key);
        write_tensor(out, values);
    } else {
        out.number(Kind::empty);
    }
}

RuntimeValue read_value(ByteReader& in, int depth = 0) {
    if (depth > deepest) ByteReader::broken();
    switch (in.number<Kind>()) {
    case Kind::empty: return {};
    case Kind::tensor: return read_tensor(in);
    case Kind::sequence: {
        Sequence sequence;
        sequence.element_type = read_type(in);
        for (std::size_t n = in.count(); n > 0; --n)
            sequence.items.push_back(read_value(in, depth + 1));
        return sequence;
    }
    case Kind::map: {
        Map map;
        const auto keys = in.plain<std::int64_t>();
        map.int_keys.assign(keys.begin(), keys.end());
        for (std::size_t n = in.count(); n > 0; --n) map.string_keys.push_back(in.text());
        map.values = read_tensor(in);
        return map;
    }
    }
    ByteReader::broken();
}

}  // namespace

void write_values(ByteWriter& out, const NamedValues& values) {
    out.number(std::uint64_t(values.size()));
    for (const auto& [name, value] : values) {
        out.text(name);
        write_value(out, value);
    }
}

NamedValues read_values(ByteReader& in) {
    NamedValues values;
    for (std::size_t n = in.count(); n > 0; --n) {
        std::string name = in.text();
        values.emplace_back(std::move(name), read_value(in));
    }
    return values;
}

}  // namespace lapidary::app
