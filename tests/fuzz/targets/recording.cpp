// SPDX-License-Identifier: Apache-2.0
// Recordings of a model in its framework: an index in JSON, as Polygraphy writes it, or an archive.
#include <lapidary/inspect/recording.h>

#include "fuzz/fuzz_target.h"

LAPIDARY_FUZZ_TARGET(recording) {
    using namespace lapidary;
    const bool is_archive = fuzz::text_of(input).starts_with("PK");
    const fuzz::InputFile file(input, is_archive ? ".npz" : ".json");
    load_recording(file.path(), 16u << 20);
}
