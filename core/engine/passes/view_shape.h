// SPDX-License-Identifier: Apache-2.0
// Views: operators that only change the shape, not the elements or their order.
#pragma once

#include "passes/axis_arguments.h"

namespace lapidary {

/// Transpose that moves only dimensions of size 1.
bool moves_only_ones(const Scope& scope, const Node& transpose);
/// Reshape, Flatten, Squeeze, Unsqueeze, or a Transpose that moves only dimensions of size 1.
bool is_view(const Scope& scope, const Node& node);

/// One node that gives `source` the shape of the result of `root`, the last of a chain of views of
/// it.
struct ViewPlan {
    enum class Kind { none, nothing, reshape, squeeze, unsqueeze, flatten };
    Kind kind = Kind::none;
    Ints values;          // shape or axes; flatten: the axis
    std::string problem;  // of none
};
/// The target never has a -1 that is ambiguous because another dimension may be 0, unless the
/// target of `root` has it.
ViewPlan plan_view(const PassContext& context, ValueId source, const Node& root);
Call view_call(PassContext& context, ValueId source, const ViewPlan& plan);

/// Both shapes are the same for elements in the same order: by symbols, or because all but one
/// dimension are equal positive numbers.
bool same_view(const Type& a, const Type& b);

}  // namespace lapidary
