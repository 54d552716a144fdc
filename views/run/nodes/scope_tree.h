// SPDX-License-Identifier: GPL-3.0-or-later
// Times of nodes summed up by the scopes of their names ("/encoder/layer.3/attention/MatMul"), or,
// if names have no scopes, by family and operator. Without a window.
#pragma once

#include <string>
#include <vector>

#include <lapidary/profile/profile.h>

namespace lapidary::views {

struct ScopeNode {
    // one part of the path, or several that only wrap each other: "encoder/layer.3"
    std::string label;
    std::string path;    // "/encoder/layer.3"; of leaves the node's name
    std::string op;      // of leaves
    NodeId node;         // of leaves; may be empty
    double ms = 0;       // of all below
    double beginMs = 0;  // where it stands among its neighbours: sums of those before it
    int depth = 0;       // 0: the root
    int parent = -1, firstChild = -1, nextSibling = -1;
    int previousSibling = -1;
    int leaves = 0;
    bool isLeaf = false;
};

struct ScopeTree {
    std::vector<ScopeNode> nodes;  // 0: all; parents before children, slowest children first
    int depth = 0;                 // of the deepest
    bool byFamily = false;         // the names have no scopes
};

/// Nodes that take no time are left out.
ScopeTree makeScopeTree(const std::vector<NodeTotal>& totals);

}  // namespace lapidary::views
