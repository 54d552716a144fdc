// SPDX-License-Identifier: GPL-3.0-or-later
// The parts of a model that can be drawn: nodes, inputs and outputs as leaves of a tree of groups
// (scopes of node names, blocks that repeat, bodies of control flow and of model-local functions),
// and the tensors between them. Made once per model, off the GUI thread.
#pragma once

#include <QString>

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include <lapidary/graph/graph_path.h>
#include <lapidary/graph/model.h>
#include <lapidary/base/progress.h>

#include "theme/theme.h"

namespace lapidary::views {

using OutlineIndex = std::uint32_t;
inline constexpr OutlineIndex noIndex = 0xffffffffu;

/// A graph of the model: the main graph is place 0, bodies of control flow and of called functions
/// follow. A function that is called twice has two places.
struct OutlinePlace {
    GraphPtr graph;                 // shares the model's ownership
    OutlineIndex parent = noIndex;  // place of the enclosing graph
    OutlineIndex group = 0;         // group that holds its content
    // for bodies of functions: as if the call had the body as an attribute
    GraphPath path = {};
};

struct OutlineLeaf {
    enum class Kind : std::uint8_t { Node, Input, Output };
    Kind kind = Kind::Node;
    // Constant, or Identity of a constant: left out of drawings
    bool constant = false;
    OperatorFamily family = OperatorFamily::other;
    OutlineIndex place = 0;
    OutlineIndex group = 0;  // the group it is in
    // control flow, function call: the group that shows its bodies
    OutlineIndex body = noIndex;
    NodeId node;                            // Kind::Node
    ValueId value;                          // Kind::Input, Kind::Output
    std::uint16_t inputs = 0, outputs = 0;  // sockets where a line can end
    QString title;                          // operator, or name of the input or output
    QString name;                           // node name without its scope; may be empty
    // shape of the largest weight, or type of the input or output
    QString detail;
    QString searchText;  // folded to lower case: "op\nname\ntensor\ntensor..."
};

struct OutlineGroup {
    // Ends: many inputs, or many outputs
    enum class Kind : std::uint8_t { Root, Scope, Control, Body, Ends };
    Kind kind = Kind::Scope;
    QString label;
    OutlineIndex parent = noIndex;
    OutlineIndex place = 0;
    OutlineIndex leaf = noIndex;  // Control: the node that owns the bodies
    std::vector<OutlineIndex> groups, leaves;
    std::uint32_t nodes = 0;  // drawn nodes inside, all depths
    QString repeats;          // "12 × layer" if the group holds repeated blocks
    OperatorFamily mainFamily = OperatorFamily::other;  // the most frequent one inside
};

struct OutlineReader {
    OutlineIndex leaf = 0;
    std::uint16_t socket = 0;
};

struct OutlineTensor {
    OutlineIndex place = 0;  // place of its producer
    ValueId value;
    OutlineIndex producer = 0;  // a leaf
    std::uint16_t socket = 0;
    std::vector<OutlineReader> readers;  // in any place
};

class GraphOutline {
public:
    enum class Scopes : std::uint8_t { Fold, Ignore };
    /// Reads the whole model; with Scopes::Ignore the only groups are control flow and its bodies.
    /// Throws cancelled.
    explicit GraphOutline(ModelPtr model, const Progress& progress = {},
                          Scopes scopes = Scopes::Fold);

    const ModelPtr& model() const { return model_; }
    const std::vector<OutlinePlace>& places() const { return places_; }
    // parents before children; 0 is the root
    const std::vector<OutlineGroup>& groups() const { return groups_; }
    const std::vector<OutlineLeaf>& leaves() const { return leaves_; }
    const std::vector<OutlineTensor>& tensors() const { return tensors_; }
    /// "18 nodes", "12 × layer · 412 nodes", or "24 inputs" of Kind::Ends.
    QString countText(OutlineIndex group) const;
    bool hasGroups() const { return groups_.size() > 1; }

    /// The leaf of a node; noIndex when there is none.
    OutlineIndex leafOf(OutlineIndex place, NodeId node) const;
    /// The tensor made as this value; noIndex for constants and values of other graphs.
    OutlineIndex tensorOf(OutlineIndex place, ValueId value) const;
    OutlineIndex placeOf(const Graph* graph) const;  // null: main graph
    const Value& valueOf(const OutlineTensor& tensor) const {
        return places_[tensor.place].graph->value(tensor.value);
    }
    const Node& nodeOf(const OutlineLeaf& leaf) const {
        return places_[leaf.place].graph->node(leaf.node);
    }

private:
    void readGraph(OutlineIndex place, const Progress& progress);
    GraphPtr functionBody(OutlineIndex place, const Node& node) const;
    void addBodies(OutlineIndex place, OutlineIndex index);
    void addScopes(OutlineIndex place, const std::vector<OutlineIndex>& leaves);
    void collectEnds(OutlineLeaf::Kind kind);
    void addTensors();
    void foldRepeats();
    void foldRepeatsOf(OutlineIndex group, const std::vector<OutlineIndex>& members,
                       const std::vector<OutlineIndex>& vertexOf);
    void splitCycles();
    void nameRepeats();
    void countNodes();

    ModelPtr model_;
    Scopes scopes_;
    std::vector<OutlinePlace> places_;
    std::vector<OutlineGroup> groups_;
    std::vector<OutlineLeaf> leaves_;
    std::vector<OutlineTensor> tensors_;
    std::unordered_map<std::uint64_t, OutlineIndex> leafByNode_, tensorByValue_;
};

using GraphOutlinePtr = std::shared_ptr<const GraphOutline>;

/// "1 node", "18 nodes".
QString nodeCountText(std::uint64_t count);

/// "1×64×112×112", "batch×3", "scalar"; empty when the shape is unknown.
QString shapeText(const Type& type);

}  // namespace lapidary::views
