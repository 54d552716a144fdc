// SPDX-License-Identifier: Apache-2.0
// Where the time of one run of a decoder goes.
#pragma once

#include <string>
#include <vector>

#include <lapidary/graph/graph.h>
#include <lapidary/profile/profile.h>
#include <lapidary/tensor/dtype.h>

namespace lapidary {

/// The wall time of one run, shared out among what its nodes do. All but wall_ms add up to it.
struct TokenTime {
    double wall_ms = 0;       // of the run
    double attention_ms = 0;  // attention operators, products of two activations, softmax
    double products_ms = 0;   // other products
    double head_ms = 0;       // the product that the logits come from
    double cache_ms = 0;      // nodes that write a cache of keys or values
    double rest_ms = 0;       // all other nodes
    double overhead_ms = 0;   // between the nodes
};

/// The outputs of a decoder by which its nodes are recognized.
struct DecoderOutputs {
    std::string logits;               // its name
    std::vector<std::string> caches;  // their names
};

/// The product that the logits come from, behind at most a few elementwise nodes or casts; no id
/// where there is none.
NodeId find_head(const Graph& graph, const std::string& logits);

/// The element type that the head's weight is stored in; undefined where the head or a weight that
/// is a constant of the graph is not found.
DType head_weight_type(const Graph& graph, const std::string& logits);

/// Of the typical run of the profile; `graph` is the one that ran (Session::model()).
TokenTime token_time(const Graph& graph, const DecoderOutputs& outputs, const Profile& profile);

}  // namespace lapidary
