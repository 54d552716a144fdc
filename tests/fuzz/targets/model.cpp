// SPDX-License-Identifier: Apache-2.0
// Model files, of ONNX and of ONNX Runtime's own format, without inference of types.
#include <lapidary/onnx_io/model_io.h>

#include "fuzz/fuzz_target.h"

LAPIDARY_FUZZ_TARGET(model) {
    lapidary::LoadOptions options;
    options.limits = lapidary::fuzz::small_limits();
    options.infer_types = false;
    lapidary::load_model_from_memory(input, options);
}
