// SPDX-License-Identifier: Apache-2.0
//   before:  y = Conv(BatchNormalization(x), W, b)
//   after:   y = Conv(x, W * s, b + sum of W * t)   s, t: scale and shift of the BatchNormalization
//            per input channel
// Sound when the Conv pads nothing or t is 0: padded zeros would have to be shifted too.
#include "passes/basic/products/linear_operator.h"

namespace lapidary::passes {
using namespace pattern;

PassBody fuse_batch_norm_conv() {
    const auto norm = batch_normalization(any("x")).require(
        read_once(), "the BatchNormalization's result is also read elsewhere");
    const auto conv = op("Conv", {norm, constant("weight"), maybe(constant("bias"))})
                          .named("conv")
                          .require(is_float(), "the element type is no float");
    return {
        .rules = {
            {.pattern = conv, .rewrite = [](const Match& m, PassContext& context) {
                 const Node& conv = m.node("conv");
                 std::string why;
                 if (!linear_operator(m.scope(), conv, why)) return stopped_by(why);
                 const auto affine = batch_normalization_affine(m);
                 if (!affine)
                     return declined(
                         "the BatchNormalization's constants give no finite scale and shift");
                 FoldedOperator folded = fold_before_conv(context, conv, m.value("x"), *affine);
                 if (!folded.problem.empty()) return declined(folded.problem);
                 context.replace(m.root(), folded.op, folded.inputs, folded.attributes, m.nodes());
                 return applied("BatchNormalization went into the weights of the Conv after it");
             }}}};
}

}  // namespace lapidary::passes
