// SPDX-License-Identifier: Apache-2.0
#include "onnx_io/ort/read_ort.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <fstream>
#include <unordered_map>
#include <unordered_set>

#include <lapidary/base/error.h>
#include <lapidary/onnx_io/model_io.h>

#include "onnx_io/onnx.pb.h"
#include "onnx_io/read/place.h"
#include "onnx_io/ort/read_ort_type.h"
#include "ort_format/fields.h"

namespace lapidary::onnx_io {
namespace {

namespace fbs = ort_format;

/// Names are stored once and referred to by 4 bytes each. If reading them all takes more than this
/// multiple of the file's size, ONNX Runtime did not write the file.
constexpr std::uint64_t most_repetition = 16;
constexpr std::uint64_t always_read = std::uint64_t{1} << 20;

class Translation {
public:
    Translation(std::span<const std::byte> bytes, const Limits& limits, WarningList& warnings,
                const CancelToken& cancel)
        : buffer_(bytes, bytes.size() * most_repetition + always_read), limits_(limits),
          warnings_(warnings), cancel_(cancel) {}

    void model(onnx::ModelProto& to);

private:
    void graph(const fbs::FlatTable& from, const std::string& name, int depth,
               onnx::GraphProto& to);
    void node(const fbs::FlatTable& from, int depth, onnx::NodeProto& to);
    void attribute(const fbs::FlatTable& from, int depth, onnx::AttributeProto& to);
    void attribute_value(const fbs::FlatTable& from, std::int32_t kind, int depth,
                         onnx::AttributeProto& to);
    void tensor(const fbs::FlatTable& from, onnx::TensorProto& to);
    void sparse(const fbs::FlatTable& from, onnx::SparseTensorProto& to);
    void value_info(const fbs::FlatTable* from, std::string_view name, onnx::ValueInfoProto& to);

    fbs::FlatBuffer buffer_;
    const Limits& limits_;
    WarningList& warnings_;
    const CancelToken& cancel_;
};

/// Checks the format version, a number as text. Throws for other texts and for unknown versions.
void check_version(std::string_view text) {
    int version = 0;
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), version);
    if (error != std::errc{} || stop != text.data() + text.size() || text.empty())
        fail_model("the version of the ORT format is " + quote(std::string(text.substr(0, 40))) +
                   ", expected a number");
    if (version < fbs::oldest_version || version > fbs::newest_version)
        fail_unsupported(
            "version " + std::to_string(version) + " of the ORT format is not known, expected " +
            std::to_string(fbs::oldest_version) + " to " + std::to_string(fbs::newest_version) +
            "; open the ONNX model that the file was made from");
}

fbs::FlatTable table_of(const fbs::FlatTable& table, fbs::Field field, const char* what) {
    const auto found = table.table(field);
    if (!found) fail_model(std::string(what) + " (" + field.name + " is missing)");
    return *found;
}

void Translation::model(onnx::ModelProto& to) {
    const fbs::FlatTable session = buffer_.root();
    check_version(session.text(fbs::session::version));
    const fbs::FlatTable from = table_of(session, fbs::session::model, "the file holds no model");
    to.set_ir_version(from.number<std::int64_t>(fbs::model::ir_version));
    for (const fbs::FlatTable& entry : from.tables(fbs::model::opset_import)) {
        auto& import = *to.add_opset_import();
        import.set_domain(std::string(entry.text(fbs::opset::domain)));
        import.set_version(entry.number<std::int64_t>(fbs::opset::version));
    }
    to.set_producer_name(std::string(from.text(fbs::model::producer_name)));
    to.set_producer_version(std::string(from.text(fbs::model::producer_version)));
    to.set_domain(std::string(from.text(fbs::model::domain)));
    to.set_model_version(from.number<std::int64_t>(fbs::model::model_version));
    to.set_doc_string(std::string(from.text(fbs::model::doc)));
    for (const fbs::FlatTable& entry : from.tables(fbs::model::metadata)) {
        auto& pair = *to.add_metadata_props();
        pair.set_key(std::string(entry.text(fbs::pair::key)));
        pair.set_value(std::string(entry.text(fbs::pair::value)));
    }
    graph(table_of(from, fbs::model::graph, "the model has no graph"), "main_graph", 0,
          *to.mutable_graph());
    to.mutable_graph()->set_doc_string(std::string(from.text(fbs::model::graph_doc)));
}

void Translation::graph(const fbs::FlatTable& from, const std::string& name, int depth,
                        onnx::GraphProto& to) {
    if (depth > limits_.nesting)
        fail_limit("subgraphs nest deeper than the limit of " + std::to_string(limits_.nesting) +
                   " levels");
    to.set_name(name);  // the format has none
    const std::vector<fbs::FlatTable> infos = from.tables(fbs::graph::values);
    std::unordered_map<std::string_view, const fbs::FlatTable*> info_of;
    for (const fbs::FlatTable& info : infos)
        info_of.emplace(info.text(fbs::value_info::name), &info);
    std::unordered_set<std::string_view> reported;
    const auto declare = [&](std::string_view value, onnx::ValueInfoProto& declared) {
        const auto found = info_of.find(value);
        value_info(found == info_of.end() ? nullptr : found->second, value, declared);
    };
    for (const std::string_view input : from.texts(fbs::graph::inputs)) {
        declare(input, *to.add_input());
        reported.insert(input);
    }
    for (const std::string_view output : from.texts(fbs::graph::outputs)) {
        declare(output, *to.add_output());
        reported.insert(output);
    }
    for (const fbs::FlatTable& t : from.tables(fbs::graph::initializers))
        tensor(t, *to.add_initializer());
    for (const fbs::FlatTable& t : from.tables(fbs::graph::sparse))
        sparse(t, *to.add_sparse_initializer());
    const std::vector<fbs::FlatTable> nodes = from.tables(fbs::graph::nodes);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        if (i % 1024 == 0) cancel_.throw_if_cancelled();
        node(nodes[i], depth, *to.add_node());
        // The list also holds leftovers of optimization and values of enclosing graphs, which are
        // skipped.
        for (const std::string_view output : nodes[i].texts(fbs::node::outputs))
            if (info_of.contains(output) && !output.empty() && reported.insert(output).second)
                declare(output, *to.add_value_info());
    }
    if (from.has(fbs::graph::runtime_optimizations))
        warnings_.add("runtime optimizations", depth == 0 ? "main" : name,
                      "the file lists optimizations that ONNX Runtime may apply when it loads it; "
                      "they are not used, "
                      "the passes of a level take their place");
}

void Translation::node(const fbs::FlatTable& from, int depth, onnx::NodeProto& to) {
    to.set_name(std::string(from.text(fbs::node::name)));
    to.set_op_type(std::string(from.text(fbs::node::op_type)));
    if (const std::string_view doc = from.text(fbs::node::doc); !doc.empty())
        to.set_doc_string(std::string(doc));
    if (const std::string_view domain = from.text(fbs::node::domain); !domain.empty())
        to.set_domain(std::string(domain));
    const std::string place = "node " + quote(to.name()) + " (" + to.op_type() + ")";
    if (from.number<std::int32_t>(fbs::node::type) != fbs::node::primitive)
        fail_unsupported(place + " was compiled by the provider " +
                         quote(std::string(from.text(fbs::node::provider))) +
                         ": the file does not say what it computes");
    for (const std::string_view input : from.texts(fbs::node::inputs))
        to.add_input(std::string(input));
    for (const std::string_view output : from.texts(fbs::node::outputs))
        to.add_output(std::string(output));
    try {
        for (const fbs::FlatTable& a : from.tables(fbs::node::attributes))
            attribute(a, depth, *to.add_attribute());
    } catch (Error& e) {
        add_place(e, place);
        throw;
    }
}

void Translation::attribute(const fbs::FlatTable& from, int depth, onnx::AttributeProto& to) {
    to.set_name(std::string(from.text(fbs::attribute::name)));
    const auto kind = from.number<std::int32_t>(fbs::attribute::type);
    to.set_type(kind);
    if (const std::string_view doc = from.text(fbs::attribute::doc); !doc.empty())
        to.set_doc_string(std::string(doc));
    try {
        attribute_value(from, kind, depth, to);
    } catch (Error& e) {
        add_place(e, "attribute " + quote(to.name()));
        throw;
    }
}

void Translation::attribute_value(const fbs::FlatTable& from, std::int32_t kind, int depth,
                                  onnx::AttributeProto& to) {
    switch (kind) {
    case fbs::attribute::is_float: to.set_f(from.number<float>(fbs::attribute::f)); break;
    case fbs::attribute::is_int: to.set_i(from.number<std::int64_t>(fbs::attribute::i)); break;
    case fbs::attribute::is_string: to.set_s(std::string(from.text(fbs::attribute::s))); break;
    case fbs::attribute::is_tensor:
        tensor(table_of(from, fbs::attribute::t, "holds no tensor"), *to.mutable_t());
        break;
    case fbs::attribute::is_graph:
        graph(table_of(from, fbs::attribute::g, "holds no graph"), to.name(), depth + 1,
              *to.mutable_g());
        break;
    case fbs::attribute::is_floats:
        for (const float value : from.numbers<float>(fbs::attribute::floats)) to.add_floats(value);
        break;
    case fbs::attribute::is_ints:
        for (const std::int64_t value : from.numbers<std::int64_t>(fbs::attribute::ints))
            to.add_ints(value);
        break;
    case fbs::attribute::is_strings:
        for (const std::string_view value : from.texts(fbs::attribute::strings))
            to.add_strings(std::string(value));
        break;
    case fbs::attribute::is_tensors:
        for (const fbs::FlatTable& value : from.tables(fbs::attribute::tensors))
            tensor(value, *to.add_tensors());
        break;
    case fbs::attribute::is_graphs:
        for (const fbs::FlatTable& value : from.tables(fbs::attribute::graphs))
            graph(value, to.name(), depth + 1, *to.add_graphs());
        break;
    default:
        if (kind >= fbs::attribute::end_of_kinds && kind < fbs::attribute::end_of_onnx_kinds)
            fail_unsupported("is of AttributeProto.AttributeType " + std::to_string(kind) +
                             ", for which the ORT format has no place");
        fail_model("declared type " + std::to_string(kind) +
                   ", expected an AttributeProto.AttributeType from 1 to 10");
    }
}

void Translation::tensor(const fbs::FlatTable& from, onnx::TensorProto& to) {
    to.set_name(std::string(from.text(fbs::tensor::name)));
    if (const std::string_view doc = from.text(fbs::tensor::doc); !doc.empty())
        to.set_doc_string(std::string(doc));
    for (const std::int64_t dim : from.numbers<std::int64_t>(fbs::tensor::dims)) to.add_dims(dim);
    to.set_data_type(from.number<std::int32_t>(fbs::tensor::data_type));
    if (from.number<std::int64_t>(fbs::tensor::external_offset, -1) >= 0)
        fail_unsupported("tensor " + quote(to.name()) +
                         " keeps its data in another file, which the ORT format does not name: "
                         "ONNX Runtime writes "
                         "such files for checkpoints of training alone");
    for (const std::string_view text : from.texts(fbs::tensor::string_data))
        to.add_string_data(std::string(text));
    const std::span<const std::byte> data = from.bytes(fbs::tensor::raw_data);
    if (data.empty()) return;
    const auto entry = [&](const char* key, std::uint64_t number) {
        auto& pair = *to.add_external_data();
        pair.set_key(key);
        pair.set_value(std::to_string(number));
    };
    to.set_data_location(1);
    entry("offset", buffer_.offset_of(data));
    entry("length", data.size());
}

void Translation::sparse(const fbs::FlatTable& from, onnx::SparseTensorProto& to) {
    tensor(table_of(from, fbs::sparse_tensor::values, "a sparse initializer has no values"),
           *to.mutable_values());
    tensor(table_of(from, fbs::sparse_tensor::indices, "a sparse initializer has no indices"),
           *to.mutable_indices());
    for (const std::int64_t dim : from.numbers<std::int64_t>(fbs::sparse_tensor::dims))
        to.add_dims(dim);
}

void Translation::value_info(const fbs::FlatTable* from, std::string_view name,
                             onnx::ValueInfoProto& to) {
    to.set_name(std::string(name));
    if (from == nullptr) return;
    if (const std::string_view doc = from->text(fbs::value_info::doc); !doc.empty())
        to.set_doc_string(std::string(doc));
    const auto type = from->table(fbs::value_info::type);
    if (!type) return;
    try {
        translate_type(*type, limits_, *to.mutable_type());
    } catch (Error& e) {
        add_place(e, "value " + quote(to.name()));
        throw;
    }
}

}  // namespace

bool is_ort_file(std::span<const std::byte> bytes) {
    constexpr std::string_view identifier = "ORTM";
    constexpr std::size_t at = 4;
    return bytes.size() >= at + identifier.size() &&
           std::memcmp(bytes.data() + at, identifier.data(), identifier.size()) == 0;
}

std::string translate_ort(std::span<const std::byte> bytes, const Limits& limits,
                          WarningList& warnings, const CancelToken& cancel) {
    onnx::ModelProto proto;
    try {
        Translation(bytes, limits, warnings, cancel).model(proto);
    } catch (Error& e) { throw e.at("ONNX Runtime's own format (.ort)"); }
    std::string encoded;
    if (!proto.SerializePartialToString(&encoded))
        fail_limit("the model besides its weights passes 2 GB");
    return encoded;
}

}  // namespace lapidary::onnx_io

namespace lapidary {

bool is_ort_format(const std::filesystem::path& path) {
    std::error_code failed;
    if (!std::filesystem::is_regular_file(path, failed)) return false;  // a pipe would block
    std::array<char, 8> head{};
    std::ifstream in(path, std::ios::binary);
    in.read(head.data(), head.size());
    return in && onnx_io::is_ort_file(std::as_bytes(std::span(head)));
}

}  // namespace lapidary
