// SPDX-License-Identifier: Apache-2.0
// The only way to change a Graph. Keeps use lists, names and order right and records provenance.
#pragma once

#include <string>
#include <vector>

#include <lapidary/graph/graph.h>

namespace lapidary {

class CancelToken;

/// What add_node() needs; outputs are values made by add_value() (or by output names through
/// node()).
struct NodeSpec {
    std::string op_type;                // "Conv"
    std::vector<ValueId> inputs;        // an empty id is an omitted optional input
    std::vector<ValueId> outputs;       // an empty id is an unwanted optional output
    std::vector<Attribute> attributes;  // names unique
    std::string name;                   // may be empty
    std::string domain;                 // "" is ai.onnx
    std::int64_t version = 0;  // opset version of the domain; 0 in ai.onnx: set_default_version()
    std::string overload;      // of a model-local function (IR 10)
    std::string doc;           // doc_string
    StringPairs metadata;      // metadata_props (IR 10)
    std::string preserved;     // protobuf fields this program does not know
};

/// Edits one graph. Everything between two record() calls is one rewrite. Each method keeps every
/// invariant of verify() except that node order and unwritten values are only settled by finish() /
/// record(). Misuse (dead ids, a second writer) throws Error{internal}.
class GraphEdit {
public:
    /// Edits `graph`, which outlives it, in the name of `pass`.
    explicit GraphEdit(Graph& graph, std::string pass = {});
    GraphEdit(const GraphEdit&) = delete;
    GraphEdit& operator=(const GraphEdit&) = delete;
    ~GraphEdit();

    /// A copy of the graph, as its copy constructor makes it, that can be cancelled: for large
    /// graphs. Throws cancelled.
    static Graph copy_of(const Graph& graph, const CancelToken& cancel);

    /// ---- values
    /// A graph input, behind the others.
    ValueId add_input(std::string name, Type type);
    /// A constant of the tensor's type and shape.
    ValueId add_initializer(std::string name, Tensor tensor);
    /// A value that a node will write. An empty or taken name gets a fresh one.
    ValueId add_value(std::string name, Type type = {});
    /// In a subgraph: a read of the enclosing graph's value `outer`. The enclosing graph's node
    /// must then list it in its captures: add_node() and set_attribute() there collect that by
    /// themselves.
    ValueId add_captured(std::string name, ValueId outer, Type type);
    void add_output(ValueId value);
    void set_outputs(std::vector<ValueId> values);
    void remove_input(ValueId value);  // must be unused
    void set_type(ValueId value, Type type);
    /// Replaces an initializer's data, or an input's default.
    void set_constant(ValueId value, Tensor tensor);
    void rename(ValueId value, std::string name);
    /// What files say of a value beside its type. Nothing else in the graph refers to these.
    void set_declared(ValueId value, bool declared);
    void set_doc(ValueId value, std::string doc);            // doc_string of the graph
    void set_metadata(ValueId value, StringPairs metadata);  // metadata_props of the graph
    /// Protobuf fields of the graph that this program does not know.
    void set_preserved(ValueId value, std::string bytes);
    /// The initializer was sparse: `sparse` is what it was read from.
    void set_sparse(ValueId value, std::shared_ptr<const SparseTensor> sparse);
    /// Another value of the enclosing graph, which a captured value reads from now on.
    void set_outer(ValueId captured, ValueId outer);
    /// Frees an initializer's bytes and keeps its type and shape: for graphs whose kernels hold the
    /// bytes in a form of their own.
    void drop_constant_data(ValueId value);

    /// ---- nodes Adds at the end of the list; finish() and record() move it to its topological
    /// place.
    NodeId add_node(NodeSpec spec);
    /// Shorthand: one node whose single output is a new value; returns that value.
    ValueId node(std::string op_type, std::vector<ValueId> inputs,
                 std::vector<Attribute> attributes = {}, std::string name = {},
                 std::string output_name = {});
    /// grows the list as needed; empty id: omit
    void set_input(NodeId node, std::size_t index, ValueId value);
    void set_output(NodeId node, std::size_t index, ValueId value);
    void set_attribute(NodeId node, Attribute attribute);  // adds or replaces
    void remove_attribute(NodeId node, std::string_view name);
    void set_operator(NodeId node, std::string domain, std::string op_type, std::int64_t version);
    void rename(NodeId node, std::string name);
    /// Moves the nodes to the beginning of the list, in this order. finish() and record() then move
    /// the nodes whose outputs they read before them.
    void put_first(const std::vector<NodeId>& nodes);
    void set_origins(NodeId node, std::vector<NodeId> origins);
    /// Every reader of `from` (nodes, captures in subgraphs, graph outputs) reads `to` instead.
    void replace_uses(ValueId from, ValueId to);
    /// Takes the outputs away from the node, so that another node can write them: names, readers
    /// and types stay.
    std::vector<ValueId> take_outputs(NodeId node);
    /// Removes the node and its outputs, which must be unused.
    void erase(NodeId node);
    void erase_value(ValueId value);  // an unused initializer or captured value

    /// ---- graph
    /// Of the graph.
    void set_name(std::string name);
    void set_doc(std::string doc);
    void set_metadata(StringPairs metadata);
    void set_preserved(std::string bytes);
    /// Of the graph: tensor name and its (key, value) pairs.
    void set_quantization_annotations(std::vector<std::pair<std::string, StringPairs>> annotations);
    /// A value name that is not taken: `base`, else base_1, base_2 ...
    std::string fresh_name(std::string_view base) const;
    /// Default opset version given to nodes added with version 0 and domain "".
    void set_default_version(std::int64_t version) { default_version_ = version; }

    /// Ends one rewrite: nodes added since the last record() get the union of the removed nodes'
    /// origins, the record joins graph.history(), and node order is made topological again
    /// (`settle` false: left to finish(), for a series of rewrites).
    const Rewrite& record(std::string remark, bool settle = true);
    /// Makes node order topological without recording (loader, builders). Throws invalid_model on a
    /// cycle, listing it.
    void finish();

    /// True when the structure was edited since the last record(). Types, doc strings and metadata
    /// do not count as structure.
    bool has_unrecorded() const { return unrecorded_; }

    const Graph& graph() const { return graph_; }  // as edited so far

private:
    Value& described_value(ValueId id);
    Node& described_node(NodeId id);
    void note_change(NodeId id);
    void note_removal(NodeId id, std::vector<NodeId> origins);
    void collect_origins();
    Node& mutable_node(NodeId id);
    Value& mutable_value(ValueId id);
    ValueId new_value(std::string name, Type type, ValueKind kind);
    void drop_use(ValueId value, NodeId node, std::uint32_t input);
    void refresh_captures(NodeId node);
    void drop_erased();
    Graph& graph_;
    std::string pass_;
    std::int64_t default_version_ = 0;
    Rewrite pending_;
    std::vector<NodeId> removed_origins_;
    std::size_t origins_kept_ = 0;  // ids in Rewrite::origins so far
    bool unrecorded_ = false;
    bool order_dirty_ = false;
    bool erased_ = false;  // erased ids are still in the order
};

}  // namespace lapidary
