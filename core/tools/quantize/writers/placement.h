// SPDX-License-Identifier: Apache-2.0
// Where pairs of QuantizeLinear and DequantizeLinear go, by benefit: before products, after
// convolutions, and between them around operators that only move or join values. Graph outputs,
// results of matrix products and operators without an integer kernel stay float.
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
    std::map<NodeId, WeightedProduct> weights_alone;  // only their weight is quantized
    std::map<NodeId, std::string> reasons;            // for all other nodes
    // value that gets a pair -> the value whose range it takes
    std::map<ValueId, ValueId> pairs;
    /// A value of `pairs` that only a Concat reads -> the value whose range it takes instead, if
    /// that keeps the bounds of an activation after a convolution.
    std::map<ValueId, ValueId> joined;
    std::set<NodeId> readers;  // nodes that read the pairs of their inputs
    // pairs that every reader takes: otherwise the float would be needed as well ...
    std::set<ValueId> for_all;
    /// ... except these nodes: convolutions and Gemm that stay float and have a pair after them.
    /// Newer ONNX Runtime versions round their weights to 8 bits with one scale if they find a pair
    /// before them too.
    std::set<NodeId> float_readers;
};

Placement place_by_benefit(const Graph& graph, const QuantizeOptions& options);

/// The values that calibration must observe: the ranges of `placement`, and the channels of inputs
/// of products.
std::vector<WatchedValue> values_to_watch(const Graph& graph, const Placement& placement);

}  // namespace lapidary
