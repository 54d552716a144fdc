// SPDX-License-Identifier: Apache-2.0
#include "samples/model_builder.h"
#include "samples/sample_models.h"

namespace lapidary::samples {

Model lstm(std::uint64_t seed) {
    ModelBuilder m("lstm", 14, seed);
    const Dim batch = Dim::symbolic("batch"), sequence = Dim::symbolic("sequence");
    constexpr std::int64_t vocabulary = 10000, embedding = 128, hidden = 128, tags = 17;
    const ValueId ids = m.input("input_ids", DType::i64, {batch, sequence});
    ValueId x;
    {
        const ValueId table = m.weight("embedding.weight", {vocabulary, embedding}, 1);
        ModelBuilder::Scope scope(m, "embedding");
        x = m.op("Gather", {table, ids});
    }
    {
        ModelBuilder::Scope scope(m, "lstm");
        x = m.op("Transpose", {x}, {list("perm", {1, 0, 2})});
        // Initial states of zeros, shaped by the batch at run time.
        const ValueId size =
            m.op("Gather", {m.op("Shape", {x}), m.constant(Tensor::scalar<std::int64_t>(1))},
                 {attribute("axis", 0)});
        const ValueId zero_axis = m.ints({0});
        const ValueId shape =
            m.op("Concat", {m.ints({2}), m.op("Unsqueeze", {size, zero_axis}), m.ints({hidden})},
                 {attribute("axis", 0)});
        const ValueId zeros =
            m.op("ConstantOfShape", {shape}, {attribute("value", Tensor::of<float>({1}, {0}))});
        std::int64_t in = embedding;
        for (int layer = 0; layer < 2; ++layer) {
            const std::string suffix = "_l" + std::to_string(layer);
            const ValueId w = m.weight("lstm.weight_ih" + suffix, {2, 4 * hidden, in}, 0.05f);
            const ValueId r = m.weight("lstm.weight_hh" + suffix, {2, 4 * hidden, hidden}, 0.05f);
            const ValueId b = m.weight("lstm.bias" + suffix, {2, 8 * hidden}, 0.05f);
            const ValueId y = m.ops("LSTM", {x, w, r, b, ValueId{}, zeros, zeros},
                                    {attribute("direction", std::string("bidirectional")),
                                     attribute("hidden_size", hidden)},
                                    3)[0];
            x = m.op("Transpose", {y}, {list("perm", {0, 2, 1, 3})});
            x = m.op("Reshape", {x, m.ints({0, 0, -1})});
            in = 2 * hidden;
        }
        x = m.op("Transpose", {x}, {list("perm", {1, 0, 2})});
    }
    m.output(m.dense(x, "classifier", 2 * hidden, tags), "logits", DType::f32,
             {batch, sequence, tags});
    return m.finish();
}

}  // namespace lapidary::samples
