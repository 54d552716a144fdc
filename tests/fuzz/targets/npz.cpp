// SPDX-License-Identifier: Apache-2.0
#include <lapidary/tensor/tensor_file.h>

#include "fuzz/fuzz_target.h"

LAPIDARY_FUZZ_TARGET(npz) {
    const lapidary::fuzz::InputFile file(input, ".npz");
    lapidary::load_npz(file.path(), lapidary::fuzz::small_limits());
}
