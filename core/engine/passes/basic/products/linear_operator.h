// SPDX-License-Identifier: Apache-2.0
// Conv, ConvTranspose, Gemm and MatMul with constant weights, and folding of affine maps into them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "passes/basic/products/channel_affine.h"
#include "rewrite/pass.h"

namespace lapidary {

struct LinearOperator {
    NodeId node;
    std::int64_t channels = 0;  // of the output
    int rank = -1;              // of the output; -1: unknown, at least one
    int axis = 1;               // of the channels in the output; negative: from the end
};

/// The node as a linear operator; nothing, with the reason, when its weights are no constants or
/// its bias is not per channel.
std::optional<LinearOperator> linear_operator(const Scope& scope, const Node& node,
                                              std::string& why);

/// One operator that computes affine(linear(x)). `problem`: why there is none; then nothing was
/// edited.
struct FoldedOperator {
    std::string op;
    std::vector<ValueId> inputs;
    std::vector<Attribute> attributes;
    std::string problem;
};
FoldedOperator fold_after(PassContext& context, const LinearOperator& linear,
                          const ChannelAffine& affine);
/// Rewrite of a match of "conv" (read by "y" alone), constant "c" and the arithmetic node "y": y
/// computed by the convolution alone. The remark is "<operator of y> <what happened> of <operator
/// of conv>".
Outcome fold_into_conv(const pattern::Match& match, PassContext& context,
                       const std::string& what_happened);
/// One Conv that computes conv(affine(x)), where the affine map has one value per input channel.
/// Sound with shifts only when the Conv pads nothing, which is checked.
FoldedOperator fold_before_conv(PassContext& context, const Node& conv, ValueId x,
                                const ChannelAffine& affine);

}  // namespace lapidary
