// SPDX-License-Identifier: Apache-2.0
// Pictures, PNG or JPEG by what the file holds, as the input of a model.
#include <lapidary/tensor/tensor_file.h>

#include "fuzz/fuzz_target.h"

LAPIDARY_FUZZ_TARGET(image) {
    const lapidary::fuzz::InputFile file(input, ".png");
    lapidary::load_image(file.path(), {1, 3, 16, 16}, lapidary::DType::f32, {},
                         lapidary::fuzz::small_limits());
}
