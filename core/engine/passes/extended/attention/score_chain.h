// SPDX-License-Identifier: Apache-2.0
// The path from a Softmax up to the product of queries and keys, with constant factors and masks.
#pragma once

#include <string>
#include <vector>

#include "rewrite/pass.h"

namespace lapidary::attention {

/// One mask of the scores.
struct MaskTerm {
    // scores + value; scores where value is true (false), else `filler`
    enum class Kind : std::uint8_t { add, keep, drop };
    Kind kind = Kind::add;
    ValueId value;
    double filler = 0;
    NodeId node;
};

struct ScoreChain {
    NodeId product;  // MatMul or FusedMatMul
    ValueId query, key;
    bool query_swapped = false;  // the operand is [.., items, rows]
    bool key_swapped = false;    // the operand is [.., items, rows], as MatMul needs it
    double scale = 1;
    std::vector<MaskTerm> masks;  // nearest to the Softmax first
    SymbolicShape shape;          // of the scores where the masks are added, [B,N,S,T] or [B*N,S,T]
};

/// True when the node is a Softmax over the last axis of scores.
bool is_score_softmax(const Scope& scope, const Node& node);
/// False: this is no attention, since no product of two computed values is above the Softmax; or it
/// has a `problem`.
bool find_scores(const Scope& scope, const Node& softmax, ScoreChain& chain, std::string& problem);

}  // namespace lapidary::attention
