// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include <lapidary/graph/model.h>

#include "worker/protocol/recipe.h"

namespace lapidary::app {

/// Which model, in words that another process understands: node and value ids come out the same
/// there, because loading and optimizing are deterministic.
struct ModelSource {
    std::filesystem::path file;  // or
    std::string sample;          // a name of list_samples(), or neither: only in this process
    // as it was when opened: another process refuses a file that changed since
    std::uint64_t file_bytes = 0;
    std::int64_t file_modified = 0;  // its time stamp, in the file clock's ticks
    std::optional<Recipe> recipe;    // that makes the variant; nothing: as opened
    ModelPtr model;                  // the variant in this process
    std::int64_t channel_block = 0;  // of LoadOptions
    // file of load_quantized() that the recipe's quantization made; empty: it is made anew
    std::filesystem::path quantized;
    bool in_other_process() const { return !file.empty() || !sample.empty(); }
    /// What sessions of the variant run: as opened, one kernel per node.
    SessionPasses session_passes() const { return recipe.value_or(Recipe()).sessionPasses(); }
};

}  // namespace lapidary::app
