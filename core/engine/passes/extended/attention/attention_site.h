// SPDX-License-Identifier: Apache-2.0
// A place where a graph computes attention, from the projections to the merged heads.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "passes/extended/attention/head_branch.h"
#include "passes/extended/attention/score_chain.h"
#include "passes/extended/attention/score_mask.h"

namespace lapidary::attention {

struct AttentionSite {
    NodeId softmax, context_product;
    ScoreChain scores;
    Branch query{.name = "Q"}, key{.name = "K"}, value{.name = "V"};
    ScoreSizes sizes;
    ScoreMask mask;
    DType dtype = DType::undefined;

    NodeId root;                // writes the merged heads; the fused operator gets its output
    bool root_is_flat = false;  // the output is [B,S,N*D]; else a Reshape to its shape follows
    std::vector<std::int64_t> root_shape;  // for that Reshape

    // The caches as outputs: one packed [2,B,N,T,D] (Attention), or keys and values in separate
    // tensors (MultiHeadAttention).
    NodeId present;
    bool separate_presents = false;

    double scale() const { return scores.scale * query.scale * key.scale; }
};

/// Finds attention around a Softmax. Nothing: there is none, or `problem` says why it cannot be
/// fused.
std::optional<AttentionSite> find_attention(PassContext& context, const Node& softmax,
                                            std::string& problem);

/// Finds the node that merges the heads of the product's result; fills root and root_shape. Returns
/// why there is none, or empty.
std::string find_root(PassContext& context, AttentionSite& site);

/// True if the value is computed from one of the nodes.
bool depends_on(const Scope& scope, ValueId value, const std::vector<NodeId>& nodes);
/// Nodes that nothing needs any more once `removed` are erased.
std::set<NodeId> unneeded_without(const Graph& graph, const std::vector<NodeId>& removed);
/// A sentence that names a reader of the node outside of `unneeded`, for which the node must stay.
/// Empty: there is none. `what`: begins the sentence, "the projection of Q is".
std::string remaining_reader(const Scope& scope, const std::set<NodeId>& unneeded, NodeId node,
                             const std::string& what);

/// The Concat that packs all keys and all values into [2,B,N,T,D], if there is one.
NodeId packed_present(PassContext& context, const Branch& key, const Branch& value);

/// Both edit the graph and return a remark, or decline with the reason before any edit.
Outcome fuse_packed(PassContext& context, const AttentionSite& site);  // com.microsoft::Attention
// com.microsoft::MultiHeadAttention
Outcome fuse_apart(PassContext& context, const AttentionSite& site);

/// Replaces root (and `present`) by the operator; `extra` are further nodes whose output 0 becomes
/// the next outputs.
void write_attention(PassContext& context, const AttentionSite& site, const char* op,
                     std::vector<ValueId> inputs, std::vector<Attribute> attributes,
                     const std::vector<NodeId>& extra, bool one_more_output,
                     const std::vector<NodeId>& matched);

}  // namespace lapidary::attention
