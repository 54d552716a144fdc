// SPDX-License-Identifier: Apache-2.0
// How a variant is made from the model as it was opened, and the JSON text that another process or a project file
// reads.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include <lapidary/optimize.h>

#include "worker/other_model.h"
#include "worker/quantization.h"
#include "worker/runs_on.h"

namespace lapidary::app {

struct Recipe {
    Level level = Level::disabled;
    std::vector<std::string> disabled_passes;      // sorted
    std::vector<std::string> enabled_passes;       // sorted; those that are off by default
    std::optional<std::size_t> stop_after;         // rewrites
    std::map<std::string, std::int64_t> dimensions;
    // neighbouring nodes in one kernel when it runs; nothing: as the level has it
    std::optional<bool> session_passes;
    // the model as opened is quantized first, then what stands above follows
    std::optional<Quantization> quantization;
    // another file takes the place of the model as opened: what stands above is done to it; never quantized
    std::optional<OtherModel> other_model;
    std::optional<RunsOn> runs_on;                 // nothing: this program, on the CPU
    friend bool operator==(const Recipe&, const Recipe&) = default;

    /// Changes nothing: what was opened.
    bool isOriginal() const {
        return level == Level::disabled && enabled_passes.empty() && dimensions.empty() && !session_passes &&
               !quantization && !other_model && !runs_on;
    }
    /// Another file as it is.
    bool isOtherAlone() const {
        return other_model && level == Level::disabled && enabled_passes.empty() && dimensions.empty() &&
               !session_passes && !runs_on;
    }
    /// Quantized and nothing else.
    bool isQuantizedAlone() const {
        return quantization && level == Level::disabled && enabled_passes.empty() && dimensions.empty() &&
               !session_passes && !runs_on;
    }
    bool isPlainLevel() const {
        return disabled_passes.empty() && enabled_passes.empty() && !stop_after && dimensions.empty() &&
               !session_passes && !quantization && !other_model && !runs_on;
    }
    bool runsInOtherEngine() const { return runs_on && runs_on->isOtherEngine(); }
    /// Switches a pass; a pass that is in its default state is listed nowhere.
    void setPass(const PassInfo& pass, bool on);
    bool isOn(const PassInfo& pass) const;
    OptimizeOptions options() const;
    /// What sessions of the variant run.
    SessionPasses sessionPasses() const;
};

/// Compact JSON, members in alphabetical order; equal recipes give equal text.
std::string recipe_text(const Recipe& recipe);
/// Throws invalid_input naming the member that is wrong or not known.
Recipe parse_recipe(std::string_view text);
/// The same as a value of the JSON library.
nlohmann::json recipe_json(const Recipe& recipe);
Recipe read_recipe(const nlohmann::json& json);

}  // namespace lapidary::app
