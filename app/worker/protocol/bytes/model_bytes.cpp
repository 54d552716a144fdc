// SPDX-License-Identifier: Apache-2.0
#include "worker/protocol/bytes/model_bytes.h"

#include <algorithm>
#include <set>
#include <utility>

#include <lapidary/base/error.h>

#include "worker/protocol/bytes/described_bytes.h"
#include "worker/protocol/bytes/graph_bytes.h"

namespace lapidary {

template <>
struct Members<Warning> {
    using T = Warning;
    static constexpr auto list =
        members<T>(member<&T::where>("where"), member<&T::message>("message"));
};

}  // namespace lapidary

namespace lapidary::app {
namespace {

constexpr std::uint64_t model_mark = 0x31302d6c65646f6du;  // "model-01"

void write_names(ByteWriter& out, const std::set<std::string>& names) {
    write_described(out, std::vector<std::string>(names.begin(), names.end()));
}

std::set<std::string> read_names(ByteReader& in) {
    const auto names = read_described<std::vector<std::string>>(in);
    return {names.begin(), names.end()};
}

/// Bodies are shared where nothing was done to them.
bool same_functions(const Model& a, const Model& b) {
    return std::ranges::equal(a.functions, b.functions, [](const Function& x, const Function& y) {
        return x.body == y.body && x.name == y.name && x.domain == y.domain &&
               x.overload == y.overload && x.opset_imports == y.opset_imports;
    });
}

void write_function(ByteWriter& out, const Function& function, const WeightWriter& weights) {
    const auto& [domain, name, overload, doc, attributes, defaults, imports, body, metadata,
                 preserved] = function;
    for (const std::string* text : {&domain, &name, &overload, &doc, &preserved}) out.text(*text);
    write_described(out, attributes);
    write_attributes(out, defaults, {}, weights);
    write_described(out, imports);
    write_graph_pointer(out, body, nullptr, weights);
    write_pairs(out, metadata);
}

Function read_function(ByteReader& in, WeightReader& weights, const CancelToken& cancel) {
    Function function;
    for (std::string* text :
         {&function.domain, &function.name, &function.overload, &function.doc, &function.preserved})
        *text = in.text();
    BytesReader{in}(function.attributes);
    function.attribute_defaults = read_attributes(in, {}, weights, cancel);
    BytesReader{in}(function.opset_imports);
    function.body = read_graph_pointer(in, nullptr, weights, cancel);
    if (!function.body) ByteReader::broken();
    function.metadata = read_pairs(in);
    return function;
}

}  // namespace

ModelBytes::ModelBytes(const Model& model, const Model* base, bool is_kept)
    : model_(model), base_(base), weights_(model, base, is_kept) {}

void ModelBytes::write(ByteWriter& out) const {
    const auto& [ir_version, opset_imports, producer_name, producer_version, domain, doc,
                 model_version, graph, functions, metadata, preserved, path, file_bytes,
                 external_bytes, external_files, warnings, generated_dimensions,
                 declared_output_ranks] = model_;
    out.number(model_mark);
    out.number(std::uint8_t(base_ != nullptr));
    out.number(ir_version);
    write_described(out, opset_imports);
    for (const std::string* text : {&producer_name, &producer_version, &domain, &doc, &preserved})
        out.text(*text);
    out.number(model_version);
    write_pairs(out, metadata);
    write_described(out, path);
    out.number(file_bytes);
    out.number(external_bytes);
    write_described(out, external_files);
    write_described(out, warnings);
    write_names(out, generated_dimensions);
    write_described(out, declared_output_ranks);
    const bool has_own_functions = !base_ || !same_functions(model_, *base_);
    out.number(std::uint8_t(has_own_functions));
    if (has_own_functions) {
        out.number(std::uint64_t(functions.size()));
        for (const Function& function : functions) write_function(out, function, weights_);
    }
    write_graph(out, graph, base_ ? &base_->graph : nullptr, weights_);
}

Model read_model(ByteReader& in, const Model* base, ReadWeight ask, const CancelToken& cancel) {
    if (in.number<std::uint64_t>() != model_mark) ByteReader::broken();
    if ((in.number<std::uint8_t>() != 0) != (base != nullptr)) ByteReader::broken();
    WeightReader weights(base, std::move(ask));
    Model model;
    model.ir_version = in.number<std::int64_t>();
    BytesReader{in}(model.opset_imports);
    for (std::string* text : {&model.producer_name, &model.producer_version, &model.domain,
                              &model.doc, &model.preserved})
        *text = in.text();
    model.model_version = in.number<std::int64_t>();
    model.metadata = read_pairs(in);
    BytesReader{in}(model.path);
    model.file_bytes = in.number<std::uint64_t>();
    model.external_bytes = in.number<std::uint64_t>();
    BytesReader{in}(model.external_files);
    BytesReader{in}(model.warnings);
    model.generated_dimensions = read_names(in);
    BytesReader{in}(model.declared_output_ranks);
    if (in.number<std::uint8_t>() == 0) {
        if (!base) ByteReader::broken();
        model.functions = base->functions;
    } else {
        for (std::size_t n = in.count(); n > 0; --n)
            model.functions.push_back(read_function(in, weights, cancel));
    }
    model.graph = read_graph(in, base ? &base->graph : nullptr, weights, cancel);
    return model;
}

}  // namespace lapidary::app
