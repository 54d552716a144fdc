// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "ops/dimensions/dim_algebra.h"
#include "passes/extended/attention/binary_values.h"
#include "passes/extended/attention/score_mask.h"

namespace lapidary::attention {
namespace {

std::vector<Dim> without_ones(const SymbolicShape& shape) {
    std::vector<Dim> out;
    std::ranges::copy_if(shape, std::back_inserter(out),
                         [](const Dim& d) { return d.value() != 1; });
    return out;
}

/// True if input 0 of `node` is not 0 exactly where its output is not 0 (`reversed` set: where its
/// output is 0).
bool keeps_truth(const Scope& scope, const Node& node, bool& reversed) {
    const std::string& op = node.op_type;
    const ValueId x = node.inputs[0];
    const auto other_is = [&](double c) { return scalar_of(scope.constant(node.inputs[1])) == c; };
    if (op == "Identity") return true;
    if (op == "Cast") {
        // A float between 0 and 1 becomes the integer 0.
        const DType from = scope.dtype(x), to = scope.dtype(node.outputs[0]);
        return to == DType::boolean || from == DType::boolean ||
               (is_integer(from) && is_float(to)) || is_zero_or_one(scope, x);
    }
    if (op == "Not" || (op == "Equal" && other_is(0))) {
        reversed = true;
        return true;
    }
    return ((op == "Equal" && other_is(1)) || (op == "Greater" && other_is(0))) &&
           is_zero_or_one(scope, x);
}

/// True if `node` only changes the shape, and the batch stays first and the keys last.
bool keeps_batch_and_keys(const Scope& scope, const Node& node, const SymbolicShape& shape) {
    const auto& before = scope.type(node.inputs[0]).shape;
    if (!before) return false;
    if (node.op_type == "Expand")
        return before->size() == shape.size() && before->back() == shape.back() &&
               before->front() == shape.front();
    if (node.op_type != "Reshape" && node.op_type != "Squeeze" && node.op_type != "Unsqueeze")
        return false;
    if (without_ones(*before) != without_ones(shape)) return false;
    return shape.size() <= 2 || std::all_of(shape.begin() + 1, shape.end() - 1,
                                            [](const Dim& d) { return d.value() == 1; });
}

}  // namespace

std::optional<KeyMask> key_mask_of(const Scope& scope, ValueId value, const ScoreSizes& sizes) {
    // Shapes broadcast from the right: in front of scores [B,N,S,T] a value of lower rank has heads
    // or queries where it seems to have the batch.
    if (scope.rank(value) != 4 && !surely_equal(sizes.batch, Dim(1))) return std::nullopt;
    if (!is_zero_or_one(scope, value)) return std::nullopt;
    KeyMask mask;
    std::optional<KeyMask> best;  // the one furthest up saves most nodes
    for (int steps = 0; steps < 16; ++steps) {
        const auto& shape = scope.type(value).shape;
        if (!shape) return best;
        if (shape->size() == 2 && surely_equal((*shape)[0], sizes.batch) &&
            may_be_keys((*shape)[1], sizes)) {
            mask.value = value;
            best = mask;
        }
        const Node* node = scope.producer(value);
        if (!node || !node->domain.empty() || node->inputs.empty()) return best;
        if (node->op_type == "Sub" && scalar_of(scope.constant(node->inputs[0])) == 1.0) {
            if (!is_zero_or_one(scope, node->inputs[1])) return best;
            mask.reversed = !mask.reversed;
            value = node->inputs[1];
            continue;
        }
        bool reversed = false;
        if (!keeps_truth(scope, *node, reversed) && !keeps_batch_and_keys(scope, *node, *shape))
            return best;
        mask.reversed ^= reversed;
        value = node->inputs[0];
    }
    return best;
}

}  // namespace lapidary::attention
