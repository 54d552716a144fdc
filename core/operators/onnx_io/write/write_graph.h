// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include <lapidary/graph/model.h>
#include <lapidary/base/progress.h>

#include "onnx_io/onnx.pb.h"
#include "onnx_io/write/write_tensor.h"

namespace lapidary::onnx_io {

using OpsetImports = std::map<std::string, std::int64_t>;

/// The imports with those added that nodes of the graph need and that are missing.
OpsetImports imports_of(const Graph& graph, OpsetImports imports);

/// Writes one graph. Captured values are written under the name of the value they read; a
/// subgraph's own value that would hide it, or another value of an enclosing graph, gets a free
/// name.
class GraphWriter {
public:
    /// What writes may throw cancelled.
    GraphWriter(const Graph& graph, const Model& model, GraphWriter* enclosing, ExternalPlan* plan,
                const CancelToken& cancel);

    /// A GraphProto.
    WireWriter write();
    /// A FunctionProto: the graph is the body of `function`.
    WireWriter write_function(const Function& function);

private:
    WireWriter write_node(const Node& node);
    WireWriter write_attribute(const Attribute& attribute);
    WireWriter write_constant_node(const Value& value);
    std::string name_of(ValueId id) const { return id ? names_[id.index] : std::string(); }
    bool is_visible(const std::string& name) const;
    void choose_names();
    void look();
    std::vector<ValueId> declared_values() const;

    onnx::ValueInfoProto declaration(ValueId id) const;
    onnx::ValueInfoProto output_declaration(ValueId id) const;

    const Graph& graph_;
    const Model& model_;
    GraphWriter* enclosing_;
    const Node* writing_ = nullptr;  // the node whose attributes are being written
    bool declares_captures_;         // in bodies of operators that are not ONNX's
    ExternalPlan* plan_;
    const CancelToken& cancel_;
    std::size_t looks_ = 0;
    std::vector<std::string> names_;  // by value index
    // defined so far: what subgraphs of the next node may not hide
    std::set<std::string> visible_;
};

}  // namespace lapidary::onnx_io
