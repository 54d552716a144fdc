// SPDX-License-Identifier: Apache-2.0
// Types and shapes of hostile models: with the sizes that the model declares, and with each free
// size of an input set.
#include <lapidary/onnx_io/model_io.h>
#include <lapidary/ops/infer.h>

#include "fuzz/fuzz_target.h"

LAPIDARY_FUZZ_TARGET(shapes) {
    lapidary::LoadOptions options;
    options.limits = lapidary::fuzz::small_limits();
    const lapidary::Model model = lapidary::load_model_from_memory(input, options);
    lapidary::InferOptions sizes;
    for (const lapidary::ValueId id : model.graph.inputs()) {
        const auto& shape = model.graph.value(id).type.shape;
        if (!shape) continue;
        for (const lapidary::Dim& dim : *shape)
            if (dim.is_symbolic())
                sizes.dimensions[dim.symbol()] = static_cast<std::int64_t>(input.size() % 5);
    }
    lapidary::Model sized = model;
    lapidary::infer_types(sized, sizes);
}
