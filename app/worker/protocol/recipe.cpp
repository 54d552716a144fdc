// SPDX-License-Identifier: Apache-2.0
#include "worker/protocol/recipe.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include <lapidary/passes/device_passes.h>
#include <lapidary/base/error.h>
#include <lapidary/internal/parse_json.h>

namespace lapidary::app {
namespace {

using Json = nlohmann::json;

void include(std::vector<std::string>& names, std::string_view name, bool listed) {
    const auto at = std::lower_bound(names.begin(), names.end(), name);
    const bool there = at != names.end() && *at == name;
    if (listed && !there) names.insert(at, std::string(name));
    if (!listed && there) names.erase(at);
}

[[noreturn]] void refuse(const std::string& what) { fail_input("recipe: " + what); }

std::vector<std::string> names_of(const std::string& member, const Json& list) {
    if (!list.is_array()) refuse("\"" + member + "\" must be a list of pass names");
    std::vector<std::string> names;
    for (const Json& name : list) {
        if (!name.is_string()) refuse("\"" + member + "\" must hold strings only");
        names.push_back(name.get<std::string>());
    }
    std::ranges::sort(names);
    return names;
}

Level level_of(const Json& value) {
    const std::string name = value.is_string() ? value.get<std::string>() : value.dump();
    const auto level = level_from_name(name);
    if (!level) refuse("\"level\" must be disabled, basic, extended or all, found " + quote(name));
    return *level;
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

OptimizeOptions Recipe::options() const {
    OptimizeOptions options;
    options.free_dimensions = dimensions;
    if (runsInOtherEngine()) {
        options.level = Level::disabled;  // that engine rewrites
        return options;
    }
    if (runs_on && !runs_on->providers.empty())
        options.provider = passes_for(runs_on->providers.front());
    options.level = level.value_or(Level::disabled);
    options.disabled_passes = disabled_passes;
    options.enabled_passes = enabled_passes;
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
    if (isOriginal()) return plain(recipe.runLevel());  // its switches mean nothing
    return recipe;
}

Json recipe_json(const Recipe& recipe) {
    Json object = Json::object();
    if (recipe.level) object["level"] = name_of(*recipe.level);
    if (!recipe.disabled_passes.empty()) object["disabled_passes"] = recipe.disabled_passes;
    if (!recipe.enabled_passes.empty()) object["enabled_passes"] = recipe.enabled_passes;
    if (recipe.stop_after) object["stop_after"] = *recipe.stop_after;
    if (!recipe.dimensions.empty()) object["dimensions"] = recipe.dimensions;
    if (recipe.session_passes) object["session_passes"] = *recipe.session_passes;
    if (recipe.quantization) object["quantization"] = quantization_json(*recipe.quantization);
    if (recipe.other_model) object["other_model"] = other_model_json(*recipe.other_model);
    if (recipe.runs_on) object["runs_on"] = runs_on_json(*recipe.runs_on);
    return object;
}

std::string recipe_text(const Recipe& recipe) {
    return recipe_json(recipe).dump(-1, ' ', false, Json::error_handler_t::replace);
}

Recipe parse_recipe(std::string_view text) { return read_recipe(parse_json(text, "recipe")); }

Recipe read_recipe(const Json& object) {
    if (!object.is_object())
        refuse("expected an object, found " +
               quote(object.dump(-1, ' ', false, Json::error_handler_t::replace)));
    Recipe recipe;
    for (const auto& [member, value] : object.items()) {
        if (member == "level") recipe.level = level_of(value);
        else if (member == "disabled_passes") recipe.disabled_passes = names_of(member, value);
        else if (member == "enabled_passes") recipe.enabled_passes = names_of(member, value);
        else if (member == "stop_after") {
            if (!value.is_number_unsigned()) refuse("\"stop_after\" must be a number of rewrites");
            recipe.stop_after = value.get<std::size_t>();
        } else if (member == "dimensions") {
            if (!value.is_object()) refuse("\"dimensions\" must be an object of sizes");
            for (const auto& [name, size] : value.items()) {
                if (!size.is_number_integer())
                    refuse("the size of dimension " + quote(name) + " must be a whole number");
                recipe.dimensions[name] = size.get<std::int64_t>();
            }
        } else if (member == "session_passes") {
            if (!value.is_boolean()) refuse("\"session_passes\" must be true or false");
            recipe.session_passes = value.get<bool>();
        } else if (member == "quantization") {
            recipe.quantization = read_quantization(value);
        } else if (member == "other_model") {
            recipe.other_model = read_other_model(value);
        } else if (member == "runs_on") {
            recipe.runs_on = read_runs_on(value);
        } else {
            refuse("unknown member " + quote(member));
        }
    }
    if (recipe.other_model && recipe.quantization)
        refuse(
            "\"other_model\" and \"quantization\" exclude each other: open the other model to "
            "quantize it");
    return recipe;
}

}  // namespace lapidary::app
