// SPDX-License-Identifier: Apache-2.0
// Tensors as ONNX stores them in files of their own (.pb).
#include <lapidary/onnx_io/model_io.h>

#include "fuzz/fuzz_target.h"

LAPIDARY_FUZZ_TARGET(tensor_proto) {
    const lapidary::fuzz::InputFile file(input, ".pb");
    lapidary::load_value_proto(file.path(), {}, lapidary::fuzz::small_limits());
}
