// SPDX-License-Identifier: Apache-2.0
// Edits random models by random lines of edit scripts.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>

#include "lapgen/oracle.h"

namespace lapidary::lapgen {

/// How often lines of a form were applied and refused.
struct EditCounts {
    int applied = 0;       // to a model that is valid afterwards
    int refused = 0;       // with a sentence
    int left_invalid = 0;  // of the refused: could be done, but the model would be invalid
    int compared = 0;      // of the applied: results were compared, and are the same
};
/// By EditVerb::form.
using EditTally = std::map<std::string, EditCounts, std::less<>>;

/// Applies up to eight random lines, one after another (deterministic in `seed`). A line that is
/// refused has to leave the model as it was, by a sentence, and be said to leave it invalid where
/// it can be done all the same. After a line that is applied, types have to be those that inference
/// of the whole model gives, a file of the model has to be read by our own reader and be written
/// again the same, and a line that says it keeps results has to: on random inputs, changed ones
/// and the first again, within bounds(). All lines as one script have to give the same file as one
/// by one. The result is judged as any other model (judge()), at level all and one of the others by
/// turns. Where something differs, the model
/// that the last line was tried on is written to the folder, if one is given.
Verdict judge_edits(const GeneratedModel& generated, std::uint64_t seed, EditTally& tally,
                    const std::filesystem::path& folder = {});

}  // namespace lapidary::lapgen
