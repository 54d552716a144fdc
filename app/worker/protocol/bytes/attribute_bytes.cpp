// SPDX-License-Identifier: Apache-2.0
// Attributes, the part of graph_bytes.h that knows their kinds.
#include <algorithm>
#include <utility>

#include <lapidary/base/error.h>

#include "worker/protocol/bytes/described_bytes.h"
#include "worker/protocol/bytes/graph_bytes.h"
#include "worker/protocol/bytes/value_bytes.h"

namespace lapidary::app {
namespace {

enum class Sent : std::uint8_t { absent, as_base, changes, whole };

/// What is written of a value that may be a graph. `base` is the value of the same attribute in
/// another graph; null: it has none.
struct AttributeWriter {
    ByteWriter& out;
    const WeightWriter& weights;
    const AttributeValue* base;

    void operator()(std::int64_t value) const { out.number(value); }
    void operator()(float value) const { out.number(value); }
    void operator()(const std::string& value) const { out.text(value); }
    void operator()(const Tensor& value) const { weights.write(out, value); }
    void operator()(const SparseTensor& value) const {
        out.text(value.name);
        weights.write(out, value.values);
        weights.write(out, value.indices);
        out.plain(std::vector<std::int64_t>(value.shape));
    }
    void operator()(const GraphPtr& value) const {
        const auto* known = base ? std::get_if<GraphPtr>(base) : nullptr;
        write_graph_pointer(out, value, known ? *known : GraphPtr(), weights);
    }
    void operator()(const Type& value) const { write_type(out, value); }
    void operator()(const AttributeReference& value) const {
        out.text(value.name);
        out.number(value.onnx_type);
    }
    void operator()(const std::vector<std::int64_t>& values) const { out.plain(values); }
    void operator()(const std::vector<float>& values) const { out.plain(values); }
    void operator()(const std::vector<GraphPtr>& values) const {
        const auto* known = base ? std::get_if<std::vector<GraphPtr>>(base) : nullptr;
        out.number(std::uint64_t(values.size()));
        for (std::size_t i = 0; i < values.size(); ++i)
            write_graph_pointer(out, values[i],
                                known && i < known->size() ? (*known)[i] : GraphPtr(), weights);
    }
    template <typename T>
    void operator()(const std::vector<T>& values) const {
        out.number(std::uint64_t(values.size()));
        for (const T& value : values) (*this)(value);
    }
};

struct AttributeReader {
    ByteReader& in;
    WeightReader& weights;
    const AttributeValue* base;
    const CancelToken& cancel;

    void operator()(std::int64_t& value) const { value = in.number<std::int64_t>(); }
    void operator()(float& value) const { value = in.number<float>(); }
    void operator()(std::string& value) const { value = in.text(); }
    void operator()(Tensor& value) const { value = weights.read(in); }
    void operator()(SparseTensor& value) const {
        value.name = in.text();
        value.values = weights.read(in);
        value.indices = weights.read(in);
        const auto shape = in.plain<std::int64_t>();
        value.shape = Shape(shape.begin(), shape.end());
    }
    void operator()(GraphPtr& value) const {
        const auto* known = base ? std::get_if<GraphPtr>(base) : nullptr;
        value = read_graph_pointer(in, known ? *known : GraphPtr(), weights, cancel);
    }
    void operator()(Type& value) const { value = read_type(in); }
    void operator()(AttributeReference& value) const {
        value.name = in.text();
        value.onnx_type = in.number<int>();
    }
    void operator()(std::vector<std::int64_t>& values) const { plain(values); }
    void operator()(std::vector<float>& values) const { plain(values); }
    void operator()(std::vector<GraphPtr>& values) const {
        const auto* known = base ? std::get_if<std::vector<GraphPtr>>(base) : nullptr;
        values.resize(in.count());
        for (std::size_t i = 0; i < values.size(); ++i)
            values[i] = read_graph_pointer(
                in, known && i < known->size() ? (*known)[i] : GraphPtr(), weights, cancel);
    }
    template <typename T>
    void operator()(std::vector<T>& values) const {
        values.clear();
        for (std::size_t n = in.count(); n > 0; --n) (*this)(values.emplace_back());
    }

private:
    template <typename T>
    void plain(std::vector<T>& values) const {
        const auto read = in.plain<T>();
        values.assign(read.begin(), read.end());
    }
};

/// Makes the value of the kind with that index.
template <std::size_t I = 0>
AttributeValue value_of_kind(std::size_t kind, const AttributeReader& read) {
    if constexpr (I < std::variant_size_v<AttributeValue>) {
        if (kind != I) return value_of_kind<I + 1>(kind, read);
        AttributeValue value(std::in_place_index<I>);
        read(std::get<I>(value));
        return value;
    } else {
        ByteReader::broken();
    }
}

const AttributeValue* find_value(const std::vector<Attribute>& attributes,
                                 const std::string& name) {
    const auto found = std::ranges::find(attributes, name, &Attribute::name);
    return found == attributes.end() ? nullptr : &found->value;
}

}  // namespace

void write_graph_pointer(ByteWriter& out, const GraphPtr& graph, const GraphPtr& base,
                         const WeightWriter& weights) {
    if (!graph) return out.number(Sent::absent);
    if (graph == base) return out.number(Sent::as_base);
    out.number(base ? Sent::changes : Sent::whole);
    write_graph(out, *graph, base.get(), weights);
}

GraphPtr read_graph_pointer(ByteReader& in, const GraphPtr& base, WeightReader& weights,
                            const CancelToken& cancel) {
    const auto sent = in.number<Sent>();
    if (sent == Sent::absent) return nullptr;
    if (sent != Sent::whole && !base) ByteReader::broken();
    if (sent == Sent::as_base) return base;
    return std::make_shared<const Graph>(
        read_graph(in, sent == Sent::whole ? nullptr : base.get(), weights, cancel));
}

void write_attributes(ByteWriter& out, const std::vector<Attribute>& attributes,
                      const std::vector<Attribute>& base, const WeightWriter& weights) {
    out.number(std::uint64_t(attributes.size()));
    for (const Attribute& attribute : attributes) {
        out.text(attribute.name);
        out.text(attribute.doc);
        out.text(attribute.preserved);
        out.number(std::uint8_t(attribute.value.index()));
        std::visit(AttributeWriter{out, weights, find_value(base, attribute.name)},
                   attribute.value);
    }
}

std::vector<Attribute> read_attributes(ByteReader& in, const std::vector<Attribute>& base,
                                       WeightReader& weights, const CancelToken& cancel) {
    std::vector<Attribute> attributes;
    for (std::size_t n = in.count(); n > 0; --n) {
        Attribute& attribute = attributes.emplace_back();
        attribute.name = in.text();
        attribute.doc = in.text();
        attribute.preserved = in.text();
        const auto kind = in.number<std::uint8_t>();
        attribute.value = value_of_kind(
            kind, AttributeReader{in, weights, find_value(base, attribute.name), cancel});
    }
    return attributes;
}

void write_pairs(ByteWriter& out, const StringPairs& pairs) { BytesWriter{out}(pairs); }

StringPairs read_pairs(ByteReader& in) {
    StringPairs pairs;
    BytesReader{in}(pairs);
    return pairs;
}

}  // namespace lapidary::app
