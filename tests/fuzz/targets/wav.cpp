// SPDX-License-Identifier: Apache-2.0
#include "tensor_io/wav_file.h"

#include "fuzz/fuzz_target.h"

LAPIDARY_FUZZ_TARGET(wav) {
    const lapidary::fuzz::InputFile file(input, ".wav");
    lapidary::load_wav(file.path());
}
