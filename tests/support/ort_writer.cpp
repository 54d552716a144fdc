// SPDX-License-Identifier: Apache-2.0
#include "support/ort_writer.h"

#include <lapidary/base/error.h>

#if __has_include(<flatbuffers/flatbuffers.h>)
#include <algorithm>
#include <cstring>
#include <span>

#include <flatbuffers/flatbuffers.h>

namespace lapidary::test {
namespace {

using flatbuffers::FlatBufferBuilder;
using Part = flatbuffers::Offset<flatbuffers::Table>;
using Text = flatbuffers::Offset<flatbuffers::String>;

template <typename T>
using List = flatbuffers::Offset<flatbuffers::Vector<T>>;

/// Field `number` of a table, as the library counts them.
constexpr flatbuffers::voffset_t at(int number) {
    return static_cast<flatbuffers::voffset_t>(4 + 2 * number);
}

class OrtWriter {
public:
    explicit OrtWriter(const OrtFileFlaws& flaws) : flaws_(flaws) {}

    std::vector<std::byte> file(const Model& model) {
        std::optional<Part> whole;
        if (!flaws_.without_model) whole = this->model(model);
        const Text version = text(flaws_.version.value_or(""));
        const auto start = to_.StartTable();
        if (flaws_.version) to_.AddOffset(at(0), version);
        if (whole) to_.AddOffset(at(1), *whole);
        to_.Finish(Part(to_.EndTable(start)), "ORTM");
        const auto bytes = std::as_bytes(std::span(to_.GetBufferPointer(), to_.GetSize()));
        return {bytes.begin(), bytes.end()};
    }

private:
    // as ONNX Runtime does
    Text text(const std::string& words) { return to_.CreateSharedString(words); }

    List<Text> texts(const std::vector<std::string>& words) {
        std::vector<Text> list;
        for (const std::string& word : words) list.push_back(text(word));
        return to_.CreateVector(list);
    }

    /// A table of texts alone: fields 0, 1, ...
    Part entry(const std::vector<std::string>& words) {
        std::vector<Text> list;
        for (const std::string& word : words) list.push_back(text(word));
        const auto start = to_.StartTable();
        for (std::size_t i = 0; i < list.size(); ++i)
            to_.AddOffset(at(static_cast<int>(i)), list[i]);
        return Part(to_.EndTable(start));
    }

    Part model(const Model& model) {
        std::vector<Part> imports, metadata;
        for (const auto& [domain, version] : model.opset_imports) {
            const Text name = text(domain);
            const auto start = to_.StartTable();
            to_.AddOffset(at(0), name);
            to_.AddElement<std::int64_t>(at(1), version, 0);
            imports.push_back(Part(to_.EndTable(start)));
        }
        for (const auto& [key, value] : model.metadata) metadata.push_back(entry({key, value}));
        Part main = graph(model.graph);
        for (int i = 0; i < flaws_.shared_branches; ++i) main = choice(main);
        const auto opsets = to_.CreateVector(imports);
        const auto pairs = to_.CreateVector(metadata);
        const Text producer = text(model.producer_name), release = text(model.producer_version),
                   domain = text(model.domain), doc = text(model.doc),
                   graph_doc = text(model.graph.doc());
        const auto start = to_.StartTable();
        to_.AddElement<std::int64_t>(at(0), model.ir_version, 0);
        to_.AddOffset(at(1), opsets);
        to_.AddOffset(at(2), producer);
        to_.AddOffset(at(3), release);
        to_.AddOffset(at(4), domain);
        to_.AddElement<std::int64_t>(at(5), model.model_version, 0);
        to_.AddOffset(at(6), doc);
        to_.AddOffset(at(7), main);
        to_.AddOffset(at(8), graph_doc);
        to_.AddOffset(at(9), pairs);
        return Part(to_.EndTable(start));
    }

    /// A graph of one If whose branches are the same table.
    Part choice(Part branch) {
        std::vector<Part> branches;
        for (const char* name : {"then_branch", "else_branch"}) {
            const Text called = text(name);
            const auto start = to_.StartTable();
            to_.AddOffset(at(0), called);
            to_.AddElement<std::int32_t>(at(2), 5, 0);
            to_.AddOffset(at(7), branch);
            branches.push_back(Part(to_.EndTable(start)));
        }
        const auto attributes = to_.CreateVector(branches);
        const auto inputs = texts({"condition"}), outputs = texts({"chosen"});
        const Text op = text("If");
        auto start = to_.StartTable();
        to_.AddOffset(at(5), op);
        to_.AddOffset(at(8), inputs);
        to_.AddOffset(at(9), outputs);
        to_.AddOffset(at(10), attributes);
        const auto nodes = to_.CreateVector(std::vector<Part>{Part(to_.EndTable(start))});
        start = to_.StartTable();
        to_.AddOffset(at(2), nodes);
        to_.AddOffset(at(6), outputs);
        return Part(to_.EndTable(start));
    }

    Part graph(const Graph& graph) {
        std::vector<Part> constants, values, nodes;
        std::vector<std::string> inputs, outputs;
        for (const ValueId id : graph.values()) {
            const Value& value = graph.value(id);
            if (value.constant) constants.push_back(tensor(value.name, *value.constant));
            values.push_back(value_info(value));
        }
        for (const NodeId id : graph.nodes()) nodes.push_back(node(graph, graph.node(id)));
        if (flaws_.backwards) std::ranges::reverse(nodes);
        for (const ValueId id : graph.inputs()) inputs.push_back(graph.value(id).name);
        for (const ValueId id : graph.outputs()) outputs.push_back(graph.value(id).name);
        const auto initializers = to_.CreateVector(constants), infos = to_.CreateVector(values),
                   steps = to_.CreateVector(nodes);
        const auto in = texts(inputs), out = texts(outputs);
        const Part optimizations = entry({});
        const auto start = to_.StartTable();
        to_.AddOffset(at(0), initializers);
        to_.AddOffset(at(1), infos);
        to_.AddOffset(at(2), steps);
        to_.AddOffset(at(5), in);
        to_.AddOffset(at(6), out);
        if (flaws_.runtime_optimizations) to_.AddOffset(at(8), optimizations);
        return Part(to_.EndTable(start));
    }

    Part node(const Graph& graph, const Node& node) {
        const auto names = [&](const std::vector<ValueId>& ids) {
            std::vector<std::string> list;
            for (const ValueId id : ids) list.push_back(id ? graph.value(id).name : std::string());
            return texts(list);
        };
        std::vector<Part> attributes;
        for (const Attribute& a : node.attributes) attributes.push_back(attribute(a));
        const auto in = names(node.inputs), out = names(node.outputs);
        const auto list = to_.CreateVector(attributes);
        const Text name = text(node.name), doc = text(node.doc), domain = text(node.domain),
                   op = text(node.op_type),
                   provider = text(flaws_.compiled_nodes ? "NpuExecutionProvider"
                                                         : "CPUExecutionProvider");
        const auto start = to_.StartTable();
        to_.AddOffset(at(0), name);
        to_.AddOffset(at(1), doc);
        to_.AddOffset(at(2), domain);
        to_.AddElement<std::int32_t>(at(3), static_cast<std::int32_t>(node.version), 0);
        to_.AddElement<std::uint32_t>(at(4), node.id.index, 0);
        to_.AddOffset(at(5), op);
        to_.AddElement<std::int32_t>(at(6), flaws_.compiled_nodes ? 1 : 0, 0);
        to_.AddOffset(at(7), provider);
        to_.AddOffset(at(8), in);
        to_.AddOffset(at(9), out);
        to_.AddOffset(at(10), list);
        return Part(to_.EndTable(start));
    }

    Part attribute(const Attribute& a) {
        std::int32_t type = 0;
        Part held;  // what is no scalar is made before its table
        int field = 0;
        const auto hold = [&](std::int32_t kind, int number, auto made) {
            type = kind;
            field = number;
            held = Part(made.o);
        };
        if (const auto* s = std::get_if<std::string>(&a.value)) hold(3, 5, text(*s));
        else if (const auto* t = std::get_if<Tensor>(&a.value)) hold(4, 6, tensor("", *t));
        else if (const auto* g = std::get_if<GraphPtr>(&a.value)) hold(5, 7, graph(**g));
        else if (const auto* f = std::get_if<std::vector<float>>(&a.value))
            hold(6, 8, to_.CreateVector(*f));
        else if (const auto* i = std::get_if<std::vector<std::int64_t>>(&a.value))
            hold(7, 9, to_.CreateVector(*i));
        else if (const auto* l = std::get_if<std::vector<std::string>>(&a.value))
            hold(8, 10, texts(*l));
        else if (std::holds_alternative<float>(a.value)) type = 1;
        else if (std::holds_alternative<std::int64_t>(a.value)) type = 2;
        else
            fail_input("attribute " + quote(a.name) +
                       " is of a kind that this writer does not write");
        const Text name = text(a.name), doc = text(a.doc);
        const auto start = to_.StartTable();
        to_.AddOffset(at(0), name);
        to_.AddOffset(at(1), doc);
        to_.AddElement<std::int32_t>(at(2),
                                     flaws_.attribute_type != 0 ? flaws_.attribute_type : type, 0);
        if (type == 1) to_.AddElement<float>(at(3), std::get<float>(a.value), 0);
        if (type == 2) to_.AddElement<std::int64_t>(at(4), std::get<std::int64_t>(a.value), 0);
        if (field != 0) to_.AddOffset(at(field), held);
        return Part(to_.EndTable(start));
    }

    Part tensor(const std::string& name, const Tensor& tensor) {
        const Text called = text(name);
        const auto dims = to_.CreateVector(
            std::vector<std::int64_t>(tensor.shape().begin(), tensor.shape().end()));
        const bool is_text = tensor.dtype() == DType::string;
        List<Text> words;
        List<std::uint8_t> raw;
        if (is_text) {
            const auto strings = tensor.data<std::string>();
            words = texts({strings.begin(), strings.end()});
        } else if (flaws_.raw_data_shared && !first_raw_.IsNull()) {
            raw = first_raw_;
        } else {
            const std::size_t size =
                tensor.byte_size() - std::min(tensor.byte_size(), flaws_.raw_bytes_less);
            raw = first_raw_ =
                to_.CreateVector(static_cast<const std::uint8_t*>(tensor.raw()), size);
        }
        const auto start = to_.StartTable();
        to_.AddOffset(at(0), called);
        to_.AddOffset(at(2), dims);
        to_.AddElement<std::int32_t>(at(3), static_cast<std::int32_t>(tensor.dtype()), 0);
        if (is_text) to_.AddOffset(at(5), words);
        else if (!flaws_.external_data) to_.AddOffset(at(4), raw);
        if (flaws_.external_data) to_.AddElement<std::int64_t>(at(6), 0, -1);
        return Part(to_.EndTable(start));
    }

    Part value_info(const Value& value) {
        const Text name = text(value.name), doc = text(value.doc);
        const Part type = this->type(value.type);
        const auto start = to_.StartTable();
        to_.AddOffset(at(0), name);
        to_.AddOffset(at(1), doc);
        to_.AddOffset(at(2), type);
        return Part(to_.EndTable(start));
    }

    Part type(const Type& type) {
        std::uint8_t kind = 0;
        Part inner;
        if (type.is_tensor()) {
            kind = 1;
            inner = tensor_type(type);
        } else if (type.kind == Type::Kind::sequence || type.kind == Type::Kind::map) {
            const Part element = this->type(*type.element);
            kind = type.kind == Type::Kind::map ? 3 : 2;
            const auto start = to_.StartTable();
            if (kind == 3)
                to_.AddElement<std::int32_t>(at(0), static_cast<std::int32_t>(type.key), 0);
            to_.AddOffset(at(kind == 3 ? 1 : 0), element);
            inner = Part(to_.EndTable(start));
        }
        const Text denotation = text(type.denotation);
        const auto start = to_.StartTable();
        to_.AddOffset(at(0), denotation);
        to_.AddElement<std::uint8_t>(at(1), kind, 0);
        if (kind != 0) to_.AddOffset(at(2), inner);
        return Part(to_.EndTable(start));
    }

    Part tensor_type(const Type& type) {
        std::optional<Part> shape;
        if (type.shape) {
            std::vector<Part> dims;
            for (const Dim& dim : *type.shape) dims.push_back(dimension(dim));
            const auto list = to_.CreateVector(dims);
            const auto start = to_.StartTable();
            to_.AddOffset(at(0), list);
            shape = Part(to_.EndTable(start));
        }
        const auto start = to_.StartTable();
        to_.AddElement<std::int32_t>(at(0), static_cast<std::int32_t>(type.dtype), 0);
        if (shape) to_.AddOffset(at(1), *shape);
        return Part(to_.EndTable(start));
    }

    Part dimension(const Dim& dim) {
        const Text symbol = text(dim.symbol());
        auto start = to_.StartTable();
        to_.AddElement<std::int8_t>(at(0), dim.is_known() ? 1 : dim.is_symbolic() ? 2 : 0, 0);
        if (dim.is_known()) to_.AddElement<std::int64_t>(at(1), dim.value(), 0);
        if (dim.is_symbolic()) to_.AddOffset(at(2), symbol);
        const Part value(to_.EndTable(start));
        start = to_.StartTable();
        to_.AddOffset(at(0), value);
        return Part(to_.EndTable(start));
    }

    const OrtFileFlaws& flaws_;
    FlatBufferBuilder to_;
    List<std::uint8_t> first_raw_;
};

}  // namespace

bool can_write_ort() { return true; }
std::vector<std::byte> ort_file_of(const Model& model, const OrtFileFlaws& flaws) {
    return OrtWriter(flaws).file(model);
}

}  // namespace lapidary::test

#else

namespace lapidary::test {

bool can_write_ort() { return false; }
std::vector<std::byte> ort_file_of(const Model&, const OrtFileFlaws&) {
    fail_unsupported("the tests were compiled without the FlatBuffers library");
}

}  // namespace lapidary::test

#endif
