// SPDX-License-Identifier: Apache-2.0
// Traces in Chrome's format, and profiles of ONNX Runtime.
#include <lapidary/profile/trace_file.h>

#include "fuzz/fuzz_target.h"

LAPIDARY_FUZZ_TARGET(trace) {
    const lapidary::fuzz::InputFile file(input, ".json");
    lapidary::load_trace(file.path());
}
