// SPDX-License-Identifier: Apache-2.0
// GraphProto and function bodies to Graph.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <lapidary/graph/graph_edit.h>

#include "onnx_io/read/load_context.h"
#include "onnx_io/wire/wire_reader.h"

namespace lapidary::onnx {
class NodeProto;
class ValueInfoProto;
}  // namespace lapidary::onnx

namespace lapidary::onnx_io {

using OpsetImports = std::map<std::string, std::int64_t>;

/// Builds one graph. Names are resolved in the graph itself first, then in the enclosing graphs,
/// from where the value is captured level by level. Errors carry the place: `main/node "if0"
/// (If)/then_branch/node ...`.
class GraphReader {
public:
    /// `enclosing`: the reader of the graph around this one, or null. `function_attributes`: null
    /// outside functions.
    GraphReader(LoadContext& context, const OpsetImports& opsets,
                const std::set<std::string>* function_attributes, GraphReader* enclosing,
                std::string place);

    Graph read(WireReader reader);

    /// The parts of a FunctionProto that make its body.
    struct Body {
        std::vector<std::string> inputs, outputs;
        std::vector<WireField> nodes, value_infos;
    };
    Graph read_body(const Body& body);

private:
    struct Part {
        std::span<const std::byte> bytes;
        std::uint64_t offset = 0;
    };
    static WireReader reader_of(const Part& part, const char* message) {
        return {part.bytes, part.offset, message};
    }

    void add_inputs(const std::vector<Part>& parts);
    void add_initializers(const std::vector<Part>& parts);
    void add_sparse_initializers(const std::vector<Part>& parts);
    ValueId add_constant(const std::string& name, Tensor tensor);
    void declare_node_outputs(const std::vector<Part>& nodes);
    void apply_value_infos(const std::vector<Part>& parts);
    void add_nodes(const std::vector<Part>& nodes);
    void add_node(const Part& part, std::size_t index);
    /// The inputs of a node. With LoadOptions::faults, those that no node or initializer provides
    /// become graph inputs and are reported.
    std::vector<std::string> read_inputs(const onnx::NodeProto& proto, const std::string& here,
                                         NodeSpec& spec);
    void add_outputs(const std::vector<Part>& parts);
    void finish();

    void read_declaration(ValueId value, const onnx::ValueInfoProto& proto,
                          const std::string& what);
    std::int64_t version_of(const std::string& domain);
    GraphPtr read_subgraph(const WireField& field, const std::string& node,
                           const std::string& attribute);
    /// The value of that name here or, captured, in an enclosing graph; an empty id when there is
    /// none.
    ValueId find(std::string_view name);
    bool is_outer(std::string_view name) const;  // a value of a graph around this one
    /// What kind of definition `name` has in an enclosing graph before the current node, or "".
    std::string enclosing_definition(std::string_view name) const;
    void count_node();

    LoadContext& context_;
    const OpsetImports& opsets_;
    const std::set<std::string>* function_attributes_;
    GraphReader* enclosing_;
    std::string place_;
    int nesting_ = 0;
    Graph graph_;
    GraphEdit edit_;
    std::set<std::size_t> dropped_;  // nodes, by place in the file
    bool is_unsorted_ = false;
    std::string unsorted_example_;
};

}  // namespace lapidary::onnx_io
