// SPDX-License-Identifier: Apache-2.0
// Where pairs of QuantizeLinear and DequantizeLinear go, by benefit: in front of products, behind
// convolutions, and between them where values are moved or joined only. Graph outputs, what
// products of matrices give, and what has no integer kernel stay float.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include <lapidary/quantize/calibrate.h>
#include <lapidary/quantize/quantize.h>

#include "quantize/quantized_operator.h"

namespace lapidary {

struct Placement {
    std::map<NodeId, WeightedProduct> products;       // that are quantized
    std::map<NodeId, WeightedProduct> weights_alone;  // of which the weight is, and nothing else
    std::map<NodeId, std::string> reasons;            // of all other nodes
    // value that gets a pair -> the value whose range it takes
    std::map<ValueId, ValueId> pairs;
    /// Such a value in front of a Concat alone -> the value whose range it takes instead, where
    /// that keeps what an activation behind a convolution bounds.
    std::map<ValueId, ValueId> joined;
    std::set<NodeId> readers;  // nodes that read the pairs of their inputs
    // pairs that every reader takes: else the float would have to be made too ...
    std::set<ValueId> for_all;
    /// ... but these nodes: convolutions and Gemm that stay float with a pair behind them. Newer
    /// ONNX Runtime rounds their weights to 8 bits, with one scale, where it finds a pair in front
    /// as well.
    std::set<NodeId> float_readers;
};

Placement place_by_benefit(const Graph& graph, const QuantizeOptions& options);

/// What calibration has to watch: the ranges of `placement`, and the channels in front of products.
std::vector<WatchedValue> values_to_watch(const Graph& graph, const Placement& placement);

}  // namespace lapidary
