// SPDX-License-Identifier: Apache-2.0
#include <lapidary/graph/graph.h>

#include <algorithm>

#include <lapidary/base/error.h>
#include <lapidary/graph/graph_edit.h>

#include "graph/copy_model.h"

namespace lapidary {

const Node& Graph::node(NodeId id) const {
    if (!is_alive(id))
        fail(ErrorCode::internal,
             "node #" + std::to_string(id.index) + " is not in graph " + quote(name_));
    return nodes_[id.index];
}

const Value& Graph::value(ValueId id) const {
    if (!is_alive(id))
        fail(ErrorCode::internal,
             "value #" + std::to_string(id.index) + " is not in graph " + quote(name_));
    return values_[id.index];
}

std::vector<ValueId> Graph::values() const {
    std::vector<ValueId> out;
    for (const Value& v : values_)
        if (v.id) out.push_back(v.id);
    return out;
}

std::vector<ValueId> Graph::initializers() const {
    std::vector<ValueId> out;
    for (const Value& v : values_)
        if (v.id &&
            (v.kind == ValueKind::initializer || (v.kind == ValueKind::input && v.constant)))
            out.push_back(v.id);
    return out;
}

ValueId Graph::find_value(std::string_view name) const {
    const auto it = names_.find(name);
    return it == names_.end() ? ValueId{} : it->second;
}

Model copy_model(const Model& model, const CancelToken& cancel) {
    // Names every member, so that a new member does not compile until it is copied here, too.
    const auto& [ir_version, opset_imports, producer_name, producer_version, domain, doc,
                 model_version, graph, functions, metadata, preserved, path, file_bytes,
                 external_bytes, external_files, warnings, generated_dimensions,
                 declared_output_ranks] = model;
    std::vector<Function> copied;
    copied.reserve(functions.size());
    for (const Function& function : functions) {
        if (copied.size() % 256 == 0) cancel.throw_if_cancelled();
        copied.push_back(function);
    }
    Model result;
    result.ir_version = ir_version;
    result.opset_imports = opset_imports;
    result.producer_name = producer_name;
    result.producer_version = producer_version;
    result.domain = domain;
    result.doc = doc;
    result.model_version = model_version;
    result.graph = GraphEdit::copy_of(graph, cancel);
    result.functions = std::move(copied);
    result.metadata = metadata;
    result.preserved = preserved;
    result.path = path;
    result.file_bytes = file_bytes;
    result.external_bytes = external_bytes;
    result.external_files = external_files;
    result.warnings = warnings;
    result.generated_dimensions = generated_dimensions;
    result.declared_output_ranks = declared_output_ranks;
    return result;
}

const Function* Model::find_function(std::string_view function_domain, std::string_view name,
                                     std::string_view overload) const {
    for (const Function& f : functions)
        if (f.name == name && f.domain == function_domain && f.overload == overload) return &f;
    return nullptr;
}

std::int64_t Model::opset(std::string_view opset_domain) const {
    const auto it = opset_imports.find(std::string(opset_domain));
    return it == opset_imports.end() ? 0 : it->second;
}

}  // namespace lapidary
