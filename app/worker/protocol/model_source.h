// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include <lapidary/graph/model.h>

#include "worker/protocol/recipe.h"

namespace lapidary::app {

/// Describes a model so that another process can make the same one. Node and value ids are equal
/// there, because loading and optimizing are deterministic.
struct ModelSource {
    std::filesystem::path file;  // either this
    std::string sample;          // or this, a name of list_samples(); neither: only in this process
    // the caller's document that it belongs to, see ModelCache::keep_open(); 0: none
    std::uint64_t document = 0;
    // as it was when opened; another process refuses a file that has changed since
    std::uint64_t file_bytes = 0;
    std::int64_t file_modified = 0;  // its time stamp, in the file clock's ticks
    std::optional<Recipe> recipe;    // how the variant is made; empty: as opened
    ModelPtr model;                  // the variant in this process
    std::int64_t channel_block = 0;  // as in LoadOptions
    // a file for load_quantized(), made by the recipe's quantization; empty: quantizes again
    std::filesystem::path quantized;
    /// What it is called in messages: the name of its file or of the sample.
    std::string title() const { return sample.empty() ? file.filename().string() : sample; }
    /// What the variant runs on; nothing: this program, on the CPU.
    std::optional<RunsOn> runs_on() const { return recipe ? recipe->runs_on : std::nullopt; }
    bool in_other_process() const { return !file.empty() || !sample.empty(); }
    /// The passes that sessions of the variant apply; as opened: one kernel per node.
    SessionPasses session_passes() const { return recipe.value_or(Recipe()).sessionPasses(); }
};

}  // namespace lapidary::app
