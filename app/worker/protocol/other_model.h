// SPDX-License-Identifier: Apache-2.0
// A second model's file beside the one that is open: what a variant of its recipe is instead of it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include <lapidary/graph/model.h>
#include <lapidary/base/progress.h>

namespace lapidary::app {

struct OtherModel {
    std::string file;  // absolute, UTF-8
    // as it was when it was named: one that changed since is refused; 0: not known
    std::uint64_t bytes = 0;
    std::int64_t modified = 0;  // its time stamp, in the file clock's ticks; 0: not known
    // LoadOptions' own: what the user said of a file that does not tell
    std::int64_t channel_block = 0;
    friend bool operator==(const OtherModel&, const OtherModel&) = default;
};

/// The file as it is now. Throws io_failure.
OtherModel other_model(const std::filesystem::path& file);

/// Reads it; its nodes stand for those of `opened` that are called the same (a node without a name:
/// whose first output is called the same). Throws as load_model(), io_failure where the file
/// changed, invalid_input where the inputs of the two are not the same, naming one that is not,
/// not_supported where nobody said how its channels are laid out (channel_block_problem()).
Model load_other(const OtherModel& other, const Model& opened, const Progress& progress = {});

nlohmann::json other_model_json(const OtherModel& other);
/// Throws invalid_input naming the member that is wrong.
OtherModel read_other_model(const nlohmann::json& json);

}  // namespace lapidary::app
