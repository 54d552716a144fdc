// SPDX-License-Identifier: Apache-2.0
// The graph IR: an arena of nodes and values with typed ids. Reading only; GraphEdit changes it.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <lapidary/graph/attribute.h>
#include <lapidary/graph/ids.h>
#include <lapidary/graph/type.h>

namespace lapidary {

using StringPairs = std::vector<std::pair<std::string, std::string>>;  // metadata, in file order

/// An operator call. Read it through Graph; GraphEdit changes it.
struct Node {
    Node();  // empty. This and the next five are compiled once: graph/special_members.cpp
    Node(const Node&);                 // copies
    Node(Node&&) noexcept;             // moves
    Node& operator=(const Node&);      // copies
    Node& operator=(Node&&) noexcept;  // moves
    ~Node();

    NodeId id;             // its own
    std::string name;      // may be empty and need not be unique
    std::string domain;    // "" is ai.onnx (the spelling "ai.onnx" is normalised to "")
    std::string op_type;   // "Conv"
    std::string overload;  // of a model-local function (IR 10)
    std::string doc;       // doc_string of the file
    /// opset version of `domain` in effect where the node stands; 0: not imported
    std::int64_t version = 0;
    std::vector<ValueId> inputs;   // an empty id is an omitted optional input
    std::vector<ValueId> outputs;  // an empty id is an unwanted optional output
    /// values of this graph that the node's subgraphs read, each once
    std::vector<ValueId> captures;
    std::vector<Attribute> attributes;  // in file order, names unique
    /// nodes of the original graph it stands for; itself when original
    std::vector<NodeId> origins;
    StringPairs metadata;   // metadata_props (IR 10)
    std::string preserved;  // unknown protobuf fields

    /// Null when absent.
    const Attribute* attribute(std::string_view attribute_name) const;
    /// Typed attribute or the default. Throws invalid_model when present with another kind, naming
    /// the attribute.
    std::int64_t int_attribute(std::string_view attribute_name, std::int64_t fallback) const;
    float float_attribute(std::string_view attribute_name, float fallback) const;
    std::string string_attribute(std::string_view attribute_name, std::string fallback) const;
    std::vector<std::int64_t> ints_attribute(std::string_view attribute_name,
                                             std::vector<std::int64_t> fallback = {}) const;
    std::vector<float> floats_attribute(std::string_view attribute_name,
                                        std::vector<float> fallback = {}) const;
    std::vector<std::string> strings_attribute(std::string_view attribute_name) const;
    /// Null when absent.
    const Tensor* tensor_attribute(std::string_view attribute_name) const;
    GraphPtr graph_attribute(std::string_view attribute_name) const;
    bool has_attribute(std::string_view attribute_name) const {
        return attribute(attribute_name) != nullptr;
    }

    /// `node "name" (Op)` or `node #7 (domain::Op)`: how messages name it.
    std::string describe() const;
    /// "Op" or "domain::Op".
    std::string qualified_op() const;
};

/// Where a value comes from.
enum class ValueKind : std::uint8_t {
    /// a graph input (with `constant` set: an input that has a default initializer, IR 3)
    input,
    initializer,  // a constant of the graph
    node_output,  // written by one node
    captured,     // a value of the enclosing graph, read in this subgraph
    undefined     // created, not yet written: only inside an edit
};

/// A node input that reads a value.
struct Use {
    NodeId node;              // the reader
    std::uint32_t input = 0;  // index into Node::inputs; captures are listed by Value::captured_by
    friend bool operator==(const Use&, const Use&) = default;
};

/// A tensor, sequence, map or optional that flows along an edge.
struct Value {
    Value();  // empty. This and the next five are compiled once: graph/special_members.cpp
    Value(const Value&);                 // copies
    Value(Value&&) noexcept;             // moves
    Value& operator=(const Value&);      // copies
    Value& operator=(Value&&) noexcept;  // moves
    ~Value();

    ValueId id;                             // its own
    std::string name;                       // unique in its graph
    Type type;                              // declared or inferred; Kind::unknown when neither
    ValueKind kind = ValueKind::undefined;  // undefined only inside an edit
    NodeId producer;                        // node_output only
    std::uint32_t producer_output = 0;      // index into Node::outputs
    ValueId outer;                          // captured only: the value in the enclosing graph
    std::vector<Use> uses;                  // reading node inputs
    std::vector<NodeId> captured_by;        // nodes whose subgraphs read it
    std::uint32_t output_uses = 0;          // how often it is a graph output
    /// initializer data (shared, possibly mapped); of inputs: the default
    std::optional<Tensor> constant;
    std::shared_ptr<const SparseTensor> sparse;  // the initializer was sparse: kept for saving
    bool declared = false;  // had a value_info, input or output declaration in the file
    std::string doc;        // doc_string of the file
    StringPairs metadata;   // metadata_props (IR 10)
    std::string preserved;  // unknown protobuf fields of the value_info; with doc and metadata
                            /// those of the TensorProto when it is an initializer

    bool is_constant() const { return kind == ValueKind::initializer; }  // an initializer
    /// Read by exactly one node input and nothing else.
    bool read_once() const { return uses.size() == 1 && captured_by.empty() && output_uses == 0; }
    /// No node reads it and it is no output of the graph.
    bool is_unused() const { return uses.empty() && captured_by.empty() && output_uses == 0; }
};

/// One recorded rewrite: what a pass removed, what it added, and why.
struct Rewrite {
    std::string pass;                                          // that did it
    std::string remark;                                        // what it did there: a phrase
    std::vector<NodeId> removed;                               // gone
    std::vector<NodeId> added;                                 // new
    std::vector<std::pair<std::string, std::string>> renamed;  // value names, old -> new
    /// Nodes that stay, with another operator, attribute, input or output; ascending. Nodes that
    /// only read the replacement of a removed value do not count.
    std::vector<NodeId> changed = {};
    /// Nodes of the original graph that the rewrite is about (Node::origins of what it removed,
    /// changed and added), ascending. Only the lowest ids where a long series of rewrites involves
    /// more and more of them.
    std::vector<NodeId> origins = {};
    std::size_t origin_count = 0;  // of all origins
};

/// Nodes and values by id. Cheap to copy (weights are shared). Erased slots stay: node()/value() of
/// an erased id throws; is_alive() checks for that.
class Graph {
public:
    Graph();  // empty. This and the next five are compiled once: graph/special_members.cpp
    Graph(const Graph&);             // copies
    Graph(Graph&&);                  // moves
    Graph& operator=(const Graph&);  // copies
    Graph& operator=(Graph&&);       // moves
    ~Graph();

    const std::string& name() const { return name_; }  // of the file
    const std::string& doc() const { return doc_; }    // doc_string of the file

    /// Alive nodes in list order: file order, edited so that it stays topological. Only while an
    /// edit is open the list may hold erased ids and be out of order, until GraphEdit::finish().
    std::span<const NodeId> nodes() const { return order_; }
    std::vector<ValueId> values() const;  // alive values, by id
    std::size_t node_count() const { return order_.size(); }
    std::size_t node_slots() const { return nodes_.size(); }    // upper bound of NodeId::index
    std::size_t value_slots() const { return values_.size(); }  // upper bound of ValueId::index

    /// not erased
    bool is_alive(NodeId id) const { return id.index < nodes_.size() && nodes_[id.index].id; }
    /// not erased
    bool is_alive(ValueId id) const { return id.index < values_.size() && values_[id.index].id; }
    const Node& node(NodeId id) const;     // throws internal on a dead id
    const Value& value(ValueId id) const;  // throws internal on a dead id

    std::span<const ValueId> inputs() const { return inputs_; }    // includes inputs with defaults
    std::span<const ValueId> outputs() const { return outputs_; }  // may repeat a value
    std::vector<ValueId> initializers() const;                     // constants, by id
    ValueId find_value(std::string_view name) const;               // empty id when absent

    /// all rewrites of this graph, in order
    const std::vector<Rewrite>& history() const { return history_; }
    const StringPairs& metadata() const { return metadata_; }  // metadata_props (IR 10)
    /// Protobuf fields this program does not know, kept for saving.
    const std::string& preserved() const { return preserved_; }
    /// Per-tensor quantization annotations: tensor name -> (key, value) pairs, kept for saving.
    const std::vector<std::pair<std::string, StringPairs>>& quantization_annotations() const {
        return quantization_annotations_;
    }

private:
    friend class GraphEdit;
    std::string name_, doc_;
    /// deques: growing leaves references to nodes, values and their constants alive
    std::deque<Node> nodes_;
    std::deque<Value> values_;
    std::vector<NodeId> order_;
    std::vector<ValueId> inputs_, outputs_;
    struct NameHash : std::hash<std::string_view> {
        using is_transparent = void;  // names are looked up without a copy
    };
    std::unordered_map<std::string, ValueId, NameHash, std::equal_to<>> names_;
    std::vector<Rewrite> history_;
    StringPairs metadata_;
    std::string preserved_;
    std::vector<std::pair<std::string, StringPairs>> quantization_annotations_;
};

}  // namespace lapidary
