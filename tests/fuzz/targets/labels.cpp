// SPDX-License-Identifier: Apache-2.0
// Labels of samples: classes, texts and boxes.
#include <lapidary/base/error.h>
#include <lapidary/proof/accuracy.h>

#include "fuzz/fuzz_target.h"

LAPIDARY_FUZZ_TARGET(labels) {
    using namespace lapidary;
    const fuzz::InputFile table(input, ".csv");
    for (const auto read : {load_labels, load_boxes}) try {
            read(table.path());
        } catch (const Error& error) {
            fuzz::require(error.code() != ErrorCode::internal, error.what());
        }
    const fuzz::InputFile texts(input, ".tsv");
    load_texts(texts.path());
}
