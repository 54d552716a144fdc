// SPDX-License-Identifier: Apache-2.0
// How a variant is made from the opened model, and its JSON text for another process or a project
// file.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <lapidary/passes/optimize.h>

#include "worker/models/other_model.h"
#include "worker/protocol/quantization.h"
#include "worker/protocol/runs_on.h"

namespace lapidary::app {

struct Recipe {
    // empty: the graph as in its file, which is not a way to run: see running()
    std::optional<Level> level;
    std::vector<std::string> disabled_passes;  // sorted
    std::vector<std::string> enabled_passes;   // sorted; passes that are off by default
    std::optional<std::size_t> stop_after;     // after that many rewrites
    std::map<std::string, std::int64_t> dimensions;
    // fuse neighbouring nodes into one kernel when it runs; empty: as the level says
    std::optional<bool> session_passes;
    // rules of the user with the text of their files, so that the files are not needed again; they
    // run at every level
    std::vector<RuleText> rules;
    // lines of a script (lapidary/edit/edit_script.h) that are applied first, to the other model
    // where there is one
    std::string edits;
    // quantizes the model after its edits; then the level and its switches apply
    std::optional<Quantization> quantization;
    // lines of a second script, which are applied last: to what the level made. They need a level,
    // which may be disabled; another engine has none that a line could be applied to.
    std::string edits_after;
    // another file that replaces the opened model; the members above apply to it; never combined
    // with quantization
    std::optional<OtherModel> other_model;
    std::optional<RunsOn> runs_on;  // empty: on the CPU, in this program
    friend bool operator==(const Recipe&, const Recipe&) = default;

    /// Changes nothing: the model as opened.
    bool isOriginal() const { return changesNothing() && !quantization && !other_model; }
    /// What its level applies to: the other file, the edits and the quantization alone. The
    /// original where it has none of them.
    Recipe base() const;
    /// Its own base: another file, an edited or a quantized model that no level applies to.
    bool isBase() const { return !isOriginal() && *this == base(); }
    /// Another file without changes.
    bool isOtherAlone() const { return other_model && changesNothing(); }
    /// Quantized without other changes.
    bool isQuantizedAlone() const { return quantization && changesNothing(); }
    /// The opened model with its edits and no other changes.
    bool isEditedAlone() const { return !quantization && !other_model && isBase(); }
    /// One of the four levels without other changes.
    bool isPlainLevel() const { return level && *this == plain(*level); }
    static Recipe plain(Level level) {
        Recipe recipe;
        recipe.level = level;
        return recipe;
    }
    /// The level at which the variant runs. A graph as in its file runs at level all, as in every
    /// session of ONNX Runtime.
    Level runLevel() const { return level.value_or(default_run_level); }
    /// The recipe of the variant that runs if this one is selected; the same if it has a level.
    Recipe running() const;
    bool runsInOtherEngine() const { return runs_on && runs_on->isOtherEngine(); }
    /// Switches a pass. A pass in its default state is not listed.
    void setPass(const PassInfo& pass, bool on);
    bool isOn(const PassInfo& pass) const;
    /// Adds the rules of a file, in place of those that it had before.
    void addRules(RuleText added);
    /// Takes a file's rules away, with their switches.
    void removeRules(std::string_view file);
    OptimizeOptions options() const;
    /// The passes that sessions of its graph apply; without a level: one kernel per node.
    SessionPasses sessionPasses() const;

private:
    /// Takes away the switches of rules that no file has any more.
    void forgetMissingRules();
    bool changesNothing() const {
        return !level && enabled_passes.empty() && dimensions.empty() && !session_passes &&
               !runs_on && rules.empty() && edits.empty() && edits_after.empty();
    }
};

/// Compact JSON, members in alphabetical order. Equal recipes give equal text.
std::string recipe_text(const Recipe& recipe);
/// Throws invalid_input naming the member that is wrong or unknown.
Recipe parse_recipe(std::string_view text);

}  // namespace lapidary::app
