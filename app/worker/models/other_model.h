// SPDX-License-Identifier: Apache-2.0
// A second model's file, which a recipe uses instead of the opened model.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include <lapidary/graph/model.h>
#include <lapidary/base/progress.h>

namespace lapidary::app {

struct OtherModel {
    std::string file;  // absolute, UTF-8
    // as it was when chosen; a file that has changed since is refused; 0: unknown
    std::uint64_t bytes = 0;
    std::int64_t modified = 0;  // its time stamp, in the file clock's ticks; 0: unknown
    // LoadOptions::channel_block: the user's answer if the file does not state it
    std::int64_t channel_block = 0;
    friend bool operator==(const OtherModel&, const OtherModel&) = default;
};

/// Describes the file as it is now. Throws io_failure.
OtherModel other_model(const std::filesystem::path& file);

/// Reads it. Its nodes refer to the nodes of `opened` with the same name (for nodes without a name:
/// with the same first output). Throws as load_model(), io_failure if the file has changed,
/// invalid_input naming an input that differs between the two models, not_supported if its channel
/// layout is not known (channel_block_problem()).
Model load_other(const OtherModel& other, const Model& opened, const Progress& progress = {});

}  // namespace lapidary::app
