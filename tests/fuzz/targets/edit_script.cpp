// SPDX-License-Identifier: Apache-2.0
// Edit scripts. The normal form of a script reads as the same script.
#include <lapidary/edit/edit_script.h>

#include "fuzz/fuzz_target.h"

LAPIDARY_FUZZ_TARGET(edit_script) {
    const auto script = lapidary::parse_edit_script(lapidary::fuzz::text_of(input));
    const std::string text = lapidary::to_string(script);
    lapidary::fuzz::require(lapidary::to_string(lapidary::parse_edit_script(text)) == text,
                            "the normal form of an edit script reads as itself");
}
