// SPDX-License-Identifier: Apache-2.0
// Reads and writes axes, slices and permutations of movement operators in the form of each opset:
// attributes in older versions, inputs in newer ones.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rewrite/pass.h"

namespace lapidary {

using Ints = std::vector<std::int64_t>;

/// Elements of a constant integer tensor, or nothing.
std::optional<Ints> constant_ints_of(const Scope& scope, ValueId value);
/// `axis` from the front, or nothing when it is outside the rank (or the rank unknown, -1).
std::optional<std::int64_t> axis_from_front(std::int64_t axis, int rank);
/// The axis of a Concat, from the front; nothing when the rank of its result is unknown.
std::optional<std::int64_t> concat_axis(const Scope& scope, const Node& concat);

/// True when Squeeze, Unsqueeze or Reduce* of this version takes its axes as input 1.
bool axes_are_input(std::string_view op_type, std::int64_t version);
/// True when the node names its axes (an absent list means all axes, or all of size 1).
bool names_axes(const Node& node);
/// The named axes of Squeeze, Unsqueeze (counted in `rank` of the output) or Reduce*: from the
/// front, ascending. Nothing when they are not named, not constant or not within the rank.
std::optional<Ints> named_axes(const Scope& scope, const Node& node, int rank);

struct SliceAxis {
    std::int64_t axis = 0, start = 0, end = 0, step = 1;
};
/// Slice with constant arguments, axes from the front, ascending; nothing when an argument is no
/// constant.
std::optional<std::vector<SliceAxis>> slice_axes(const Scope& scope, const Node& node);

/// The permutation of a Transpose, or nothing when it is absent and the rank unknown.
std::optional<Ints> permutation_of(const Scope& scope, const Node& transpose);
Ints inverse(const Ints& permutation);
/// One permutation for Transpose by `first`, then by `second`.
Ints compose(const Ints& first, const Ints& second);
bool is_identity(const Ints& permutation);
std::string to_text(const Ints& values);  // "[0,2,1]"

/// The nodes that compute the value, nearest first, at most 64: candidates for erase_unused() once
/// it has no reader.
std::vector<NodeId> nodes_above(const Scope& scope, ValueId value);

/// Arguments for PassContext::node() and replace().
struct Call {
    std::string op;
    std::vector<ValueId> inputs;
    std::vector<Attribute> attributes;
};
Call reshape_call(PassContext& context, ValueId data, const Ints& shape);
/// Squeeze, Unsqueeze or Reduce* with these axes; `attributes` has everything else.
Call axes_call(PassContext& context, std::string op, ValueId data, const Ints& axes,
               std::vector<Attribute> attributes = {});
Call slice_call(PassContext& context, ValueId data, const std::vector<SliceAxis>& axes);
inline NodeId replace(PassContext& context, NodeId root, const Call& call,
                      std::span<const NodeId> matched = {}) {
    return context.replace(root, call.op, call.inputs, call.attributes, matched);
}

}  // namespace lapidary
