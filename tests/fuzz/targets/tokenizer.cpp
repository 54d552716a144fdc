// SPDX-License-Identifier: Apache-2.0
// Files tokenizer.json, and the tokens that they make of a text.
#include <lapidary/tokenizer/tokenizer.h>

#include "fuzz/fuzz_target.h"

LAPIDARY_FUZZ_TARGET(tokenizer) {
    const auto tokenizer = lapidary::Tokenizer::parse(lapidary::fuzz::text_of(input));
    const auto encoding = tokenizer.encode("Two words, 42 and \xc3\xa9\xe4\xb8\xad\n");
    lapidary::fuzz::require(encoding.ids.size() == encoding.mask.size(),
                            "ids and mask have one length");
    tokenizer.decode(encoding.ids);
}
