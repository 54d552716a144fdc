// SPDX-License-Identifier: Apache-2.0
#include "base/at.h"
#include "samples/model_builder.h"
#include "samples/sample_models.h"

namespace lapidary::samples {

Model unet(std::uint64_t seed) {
    ModelBuilder m("unet", 13, seed);
    const Dim batch = Dim::symbolic("batch");
    ValueId x = m.input("input", DType::f32, {batch, 3, 256, 256});
    const auto block = [&](ValueId v, const std::string& path, std::int64_t in, std::int64_t out) {
        ModelBuilder::Scope scope(m, path);
        v = m.op("Relu", {m.conv(v, path + ".conv1", in, out, 3)});
        return m.op("Relu", {m.conv(v, path + ".conv2", out, out, 3)});
    };
    constexpr std::int64_t base = 32;
    std::vector<ValueId> skips;
    std::int64_t in = 3;
    for (int level = 0; level < 4; ++level) {
        x = block(x, "encoder" + std::to_string(level + 1), in, base << level);
        in = base << level;
        skips.push_back(x);
        x = m.max_pool(x, 2, 2, 0);
    }
    x = block(x, "bottleneck", in, base << 4);
    for (int level = 3; level >= 0; --level) {
        const std::int64_t out = base << level;
        const std::string path = "upconv" + std::to_string(level + 1);
        const ValueId w = m.weight(path + ".weight", {2 * out, out, 2, 2}, 0.08f),
                      b = m.weight(path + ".bias", {out}, 0.05f);
        {
            ModelBuilder::Scope scope(m, path);
            x = m.op("ConvTranspose", {x, w, b},
                     {list("kernel_shape", {2, 2}), list("strides", {2, 2})});
        }
        x = m.op("Concat", {x, at(skips, level)}, {attribute("axis", 1)});
        x = block(x, "decoder" + std::to_string(level + 1), 2 * out, out);
    }
    m.output(m.op("Sigmoid", {m.conv(x, "conv", base, 1, 1)}), "mask", DType::f32,
             {batch, 1, 256, 256});
    return m.finish();
}

}  // namespace lapidary::samples
