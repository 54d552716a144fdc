// SPDX-License-Identifier: Apache-2.0
#include "worker/protocol/recipe.h"

#include <algorithm>
#include <iterator>

#include <lapidary/passes/device_passes.h>
#include <lapidary/passes/user_rules.h>
#include <lapidary/internal/parse_json.h>

#include "worker/protocol/described_json.h"
#include "worker/protocol/recipe_members.h"

namespace lapidary::app {
namespace {

void include(std::vector<std::string>& names, std::string_view name, bool listed) {
    const auto at = std::lower_bound(names.begin(), names.end(), name);
    const bool there = at != names.end() && *at == name;
    if (listed && !there) names.insert(at, std::string(name));
    if (!listed && there) names.erase(at);
}

}  // namespace

void Recipe::setPass(const PassInfo& pass, bool on) {
    include(disabled_passes, pass.name, pass.on_by_default && !on);
    include(enabled_passes, pass.name, !pass.on_by_default && on);
}

bool Recipe::isOn(const PassInfo& pass) const {
    const auto& names = pass.on_by_default ? disabled_passes : enabled_passes;
    return std::binary_search(names.begin(), names.end(), pass.name) != pass.on_by_default;
}

void Recipe::addRules(RuleText added) {
    const auto same = std::ranges::find(rules, added.file, &RuleText::file);
    if (same == rules.end()) rules.push_back(std::move(added));
    else *same = std::move(added);
    forgetMissingRules();
}

void Recipe::removeRules(std::string_view file) {
    std::erase_if(rules, [&](const RuleText& text) { return text.file == file; });
    forgetMissingRules();
}

void Recipe::forgetMissingRules() {
    const std::vector<UserPass> known = user_passes(rules);
    for (std::vector<std::string>* names : {&disabled_passes, &enabled_passes})
        std::erase_if(*names, [&](const std::string& name) {
            return name.starts_with(user_pass_prefix) &&
                   std::ranges::find(known, name, &UserPass::name) == known.end();
        });
}

Recipe Recipe::base() const {
    Recipe recipe;
    recipe.edits = edits;
    recipe.quantization = quantization;
    recipe.other_model = other_model;
    return recipe;
}

OptimizeOptions Recipe::options() const {
    OptimizeOptions options;
    options.free_dimensions = dimensions;
    if (runsInOtherEngine()) {
        options.level = Level::disabled;  // the other engine rewrites the graph after the rules
        options.rules = rules;
        std::ranges::copy_if(
            disabled_passes, std::back_inserter(options.disabled_passes),
            [](const std::string& name) { return name.starts_with(user_pass_prefix); });
        return options;
    }
    if (runs_on && !runs_on->providers.empty())
        options.provider = passes_for(runs_on->providers.front());
    options.level = level.value_or(Level::disabled);
    options.disabled_passes = disabled_passes;
    options.enabled_passes = enabled_passes;
    options.rules = rules;
    options.stop_after = stop_after;
    return options;
}

SessionPasses Recipe::sessionPasses() const {
    if (runsInOtherEngine()) return {SessionPasses::Set::none, {}};
    return {session_passes_for(session_passes, level.value_or(Level::disabled)), disabled_passes};
}

Recipe Recipe::running() const {
    Recipe recipe = *this;
    recipe.level = runLevel();
    if (isOriginal()) return plain(recipe.runLevel());  // the original has no switches
    return recipe;
}

std::string recipe_text(const Recipe& recipe) { return line_of(json_of(recipe)); }

Recipe parse_recipe(std::string_view text) {
    return read_json<Recipe>(parse_json(text, "recipe"), "recipe");
}

}  // namespace lapidary::app
