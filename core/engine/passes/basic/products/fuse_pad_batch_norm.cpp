// SPDX-License-Identifier: Apache-2.0
//   before:  y = BatchNormalization(Pad(Conv(x, W, b)))
//   after:   y = Pad(Conv(x, W * s, ...))
// Sound for reflect, edge and wrap padding; for constant padding when scale * value + shift is one
// number for all channels, which becomes the new value. The Pad must leave images and channels
// alone.
#include <algorithm>

#include "passes/basic/products/linear_operator.h"
#include "passes/basic/movement/padding.h"

namespace lapidary::passes {
using namespace pattern;

PassBody fuse_pad_batch_norm() {
    const auto conv =
        op("Conv|ConvTranspose", {any("x"), constant("weight"), maybe(constant("bias"))})
            .named("conv")
            .require(read_once(), "the convolution's result is also read elsewhere");
    const auto pad = op("Pad", {conv})
                         .more_inputs()
                         .named("pad")
                         .require(read_once(), "the padded value is also read elsewhere");
    return {.rules = {
                {.pattern = batch_normalization(pad),
                 .rewrite = [](const Match& m, PassContext& context) {
                     std::string why;
                     const auto linear = linear_operator(m.scope(), m.node("conv"), why);
                     if (!linear) return stopped_by(why);
                     const auto padding = padding_of(context, m.node("pad"), linear->rank, why);
                     if (!padding) return stopped_by(why);
                     if (!padding->only_spatial())
                         return declined("the Pad changes images or channels");
                     const auto affine = batch_normalization_affine(m);
                     if (!affine)
                         return declined(
                             "the BatchNormalization's constants give no finite scale and shift");
                     if (static_cast<std::int64_t>(affine->scale.size()) != linear->channels)
                         return declined(
                             "the BatchNormalization has " + std::to_string(affine->scale.size()) +
                             " channels, the convolution " + std::to_string(linear->channels));
                     double value = 0;
                     if (padding->mode == "constant") {
                         for (std::size_t i = 0; i < affine->scale.size(); ++i) {
                             const double v = affine->scale[i] * padding->value + affine->shift[i];
                             if (i > 0 && v != value)
                                 return declined("the padded value would differ between channels");
                             value = v;
                         }
                     }
                     FoldedOperator folded = fold_after(context, *linear, *affine);
                     if (!folded.problem.empty()) return declined(folded.problem);

                     const Node& pad = m.node("pad");
                     std::vector<ValueId> inputs = pad.inputs;
                     std::vector<Attribute> attributes = pad.attributes;
                     if (padding->mode == "constant" && value != padding->value) {
                         if (pad.version < 11) {
                             std::erase_if(attributes,
                                           [](const Attribute& a) { return a.name == "value"; });
                             attributes.push_back(attr("value", static_cast<float>(value)));
                         } else {
                             if (inputs.size() < 3) inputs.resize(3);
                             inputs[2] = context.constant_scalar(
                                 "pad_value", m.constant("weight").dtype(), value);
                         }
                     }
                     inputs[0] = context.node(folded.op, folded.inputs, folded.attributes,
                                              m.node("conv").name);
                     context.replace(m.root(), "Pad", inputs, attributes, m.nodes());
                     return applied("BatchNormalization after a Pad went into the weights of " +
                                    folded.op);
                 }}}};
}

}  // namespace lapidary::passes
