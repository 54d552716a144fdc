// SPDX-License-Identifier: Apache-2.0
// How a variant is made from the model as it was opened, and the JSON text that another process or
// a project file reads.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include <lapidary/passes/optimize.h>

#include "worker/protocol/other_model.h"
#include "worker/protocol/quantization.h"
#include "worker/protocol/runs_on.h"

namespace lapidary::app {

struct Recipe {
    // nothing: the graph as its file has it. That is no way of running: see running()
    std::optional<Level> level;
    std::vector<std::string> disabled_passes;  // sorted
    std::vector<std::string> enabled_passes;   // sorted; those that are off by default
    std::optional<std::size_t> stop_after;     // rewrites
    std::map<std::string, std::int64_t> dimensions;
    // neighbouring nodes in one kernel when it runs; nothing: as the level has it
    std::optional<bool> session_passes;
    // the model as opened is quantized first, then what stands above follows
    std::optional<Quantization> quantization;
    // another file takes the place of the model as opened: what stands above is done to it; never
    // quantized
    std::optional<OtherModel> other_model;
    std::optional<RunsOn> runs_on;  // nothing: this program, on the CPU
    friend bool operator==(const Recipe&, const Recipe&) = default;

    /// Changes nothing: what was opened.
    bool isOriginal() const { return changesNothing() && !quantization && !other_model; }
    /// Another file as it is.
    bool isOtherAlone() const { return other_model && changesNothing(); }
    /// Quantized and nothing else.
    bool isQuantizedAlone() const { return quantization && changesNothing(); }
    /// One of the four levels and nothing else.
    bool isPlainLevel() const { return level && *this == plain(*level); }
    static Recipe plain(Level level) {
        Recipe recipe;
        recipe.level = level;
        return recipe;
    }
    /// At which the variant runs: a graph as its file has it at level all, as in every session of
    /// ONNX Runtime.
    Level runLevel() const { return level.value_or(default_run_level); }
    /// Of the variant that runs where this one is in force; itself where it has a level.
    Recipe running() const;
    bool runsInOtherEngine() const { return runs_on && runs_on->isOtherEngine(); }
    /// Switches a pass; a pass that is in its default state is listed nowhere.
    void setPass(const PassInfo& pass, bool on);
    bool isOn(const PassInfo& pass) const;
    OptimizeOptions options() const;
    /// What sessions of its graph run; without a level one kernel per node.
    SessionPasses sessionPasses() const;

private:
    bool changesNothing() const {
        return !level && enabled_passes.empty() && dimensions.empty() && !session_passes &&
               !runs_on;
    }
};

/// Compact JSON, members in alphabetical order; equal recipes give equal text.
std::string recipe_text(const Recipe& recipe);
/// Throws invalid_input naming the member that is wrong or not known.
Recipe parse_recipe(std::string_view text);
/// The same as a value of the JSON library.
nlohmann::json recipe_json(const Recipe& recipe);
Recipe read_recipe(const nlohmann::json& json);

}  // namespace lapidary::app
