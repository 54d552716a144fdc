// SPDX-License-Identifier: GPL-3.0-or-later
// Stable positions: the original graph is laid out once, and every node that a rewrite adds takes
// the place of those it replaces. Plain data, for worker threads.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include <lapidary/passes/optimize.h>

#include "canvas/graph_scene.h"

namespace lapidary::views {

/// A key that identifies a leaf in all graphs: for a node the path of its graph and its id, for an
/// input or output its name.
std::string nodeKey(const GraphPath& place, NodeId node);
std::vector<std::string> leafKeys(const GraphOutline& outline);

/// The original graph with types inferred and functions inlined, drawn without scopes and with
/// everything open.
struct BaseDrawing {
    GraphScenePtr scene;
    std::unordered_map<std::string, OutlineIndex> leaves;  // by key
};
using BaseDrawingPtr = std::shared_ptr<const BaseDrawing>;
/// `original`: with types and without functions. Throws cancelled.
BaseDrawingPtr drawBase(ModelPtr original, SceneOptions options, const Progress& progress = {});

class StepPlaces {
public:
    using Mark = std::uint32_t;  // a leaf of the base drawing, as the origin of a node
    struct Step {
        std::vector<std::string> removed, added, changed;  // keys
        std::vector<Mark> origins;                         // base leaves that it changes, each once
    };

    StepPlaces(BaseDrawingPtr base, const PipelineReport& report);

    const BaseDrawing& base() const { return *base_; }
    const std::vector<Step>& steps() const { return steps_; }
    /// The middle of the place a node takes; empty if only its neighbours have places.
    std::optional<QPointF> centreOf(const std::string& key) const;
    /// The base leaves that the node replaces, sorted. An unchanged node of the original stands for
    /// itself.
    std::vector<Mark> originsOf(const std::string& key) const;

private:
    std::vector<Mark> marksOf(const AppliedRewrite& applied) const;
    QPointF placeFor(const std::vector<Mark>& origins, const QPointF& middle, Mark& taken);

    BaseDrawingPtr base_;
    std::vector<Step> steps_;
    std::unordered_map<std::string, QPointF> centres_;            // of added nodes
    std::unordered_map<std::string, std::vector<Mark>> origins_;  // of added nodes
    // of added nodes: the base leaf whose place they took
    std::unordered_map<std::string, Mark> slots_;
    // by base leaf, while the steps are read
    std::vector<bool> occupied_;
};

}  // namespace lapidary::views
