// SPDX-License-Identifier: Apache-2.0
//   before:  y = BatchNormalization(Conv(x, W, b))   s = gamma / sqrt(variance + epsilon); also
//            ConvTranspose
//   after:   y = Conv(x, W * s, (b - mean) * s + beta)
#include "passes/basic/products/linear_operator.h"

namespace lapidary::passes {
using namespace pattern;

PassBody fuse_conv_batch_norm() {
    const auto conv =
        op("Conv|ConvTranspose", {any("x"), constant("weight"), maybe(constant("bias"))})
            .named("conv")
            .require(read_once(), "the convolution's result is also read elsewhere");
    return {.rules = {
                {.pattern = batch_normalization(conv),
                 .rewrite = [](const Match& m, PassContext& context) {
                     const Node& conv = m.node("conv");
                     std::string why;
                     const auto linear = linear_operator(m.scope(), conv, why);
                     if (!linear) return stopped_by(why);
                     const auto affine = batch_normalization_affine(m);
                     if (!affine)
                         return declined(
                             "the BatchNormalization's constants give no finite scale and shift");
                     if (static_cast<std::int64_t>(affine->scale.size()) != linear->channels)
                         return declined(
                             "the BatchNormalization has " + std::to_string(affine->scale.size()) +
                             " channels, the convolution " + std::to_string(linear->channels));
                     FoldedOperator folded = fold_after(context, *linear, *affine);
                     if (!folded.problem.empty()) return declined(folded.problem);
                     const std::string text =
                         "BatchNormalization went into the weights of " + conv.op_type;
                     context.replace(m.root(), folded.op, folded.inputs, folded.attributes,
                                     m.nodes());
                     return applied(text);
                 }}}};
}

}  // namespace lapidary::passes
