// SPDX-License-Identifier: Apache-2.0
#include "samples/transformer_layers.h"

namespace lapidary::samples {

ValueId gelu_erf(ModelBuilder& m, ValueId x) {
    const ValueId erf = m.op("Erf", {m.op("Div", {x, m.scalar(1.4142135381698608f)})});
    return m.op("Mul", {m.op("Mul", {x, m.op("Add", {erf, m.scalar(1)})}), m.scalar(0.5f)});
}

ValueId gelu_tanh(ModelBuilder& m, ValueId x) {
    const ValueId half = m.op("Mul", {x, m.scalar(0.5f)});
    const ValueId cubic =
        m.op("Mul", {m.op("Pow", {x, m.scalar(3)}), m.scalar(0.044714998453855515f)});
    const ValueId inner = m.op("Mul", {m.op("Add", {x, cubic}), m.scalar(0.7978845834732056f)});
    return m.op("Mul", {half, m.op("Add", {m.op("Tanh", {inner}), m.scalar(1)})});
}

ValueId dimension(ModelBuilder& m, ValueId x, std::int64_t axis) {
    const ValueId index = m.constant(Tensor::scalar<std::int64_t>(axis));
    const ValueId size = m.op("Gather", {m.op("Shape", {x}), index}, {attribute("axis", 0)});
    return m.op("Unsqueeze", {size, m.ints({0})});
}

ValueId split_heads(ModelBuilder& m, ValueId x, std::int64_t heads, std::int64_t size,
                    bool transposed) {
    const ValueId shape =
        m.op("Concat", {dimension(m, x, 0), dimension(m, x, 1), m.ints({heads}), m.ints({size})},
             {attribute("axis", 0)});
    const ValueId split = m.op("Reshape", {x, shape});
    return m.op("Transpose", {split},
                {transposed ? list("perm", {0, 2, 3, 1}) : list("perm", {0, 2, 1, 3})});
}

ValueId merge_heads(ModelBuilder& m, ValueId x, std::int64_t width) {
    const ValueId back = m.op("Transpose", {x}, {list("perm", {0, 2, 1, 3})});
    const ValueId shape =
        m.op("Concat", {dimension(m, back, 0), dimension(m, back, 1), m.ints({width})},
             {attribute("axis", 0)});
    return m.op("Reshape", {back, shape});
}

}  // namespace lapidary::samples
