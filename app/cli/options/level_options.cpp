// SPDX-License-Identifier: Apache-2.0
#include "cli/options/level_options.h"

#include <lapidary/passes/user_rules.h>

#include "cli/options/model_options.h"
#include "cli/options/value_checks.h"

namespace lapidary::cli {
namespace {

constexpr const char* one_level = "disabled|basic|extended|all";

Option& checked_level(Option& option) {
    return option.checked_by(level_problem)
        .suggest({.words = {"disabled", "basic", "extended", "all"}});
}

Option& add_passes(OptionList& options, const std::string& name, std::vector<std::string>& passes,
                   const std::string& help) {
    // names of rules are checked when the rules are read
    return options.value(name, "NAME", passes, help)
        .repeatable()
        .checked_by([](const std::string& pass) {
            return pass.starts_with(user_pass_prefix) ? std::string() : pass_problem(pass);
        })
        .suggest({.words = pass_names()});
}

std::function<void(const std::vector<std::string>&)> into(std::vector<Level>& levels) {
    return [&levels](const std::vector<std::string>& names) {
        levels.clear();
        for (const std::string& name : names) levels.push_back(*level_from_name(name));
    };
}

}  // namespace

Option& add_level(OptionList& options, const std::string& name, std::function<void(Level)> take,
                  const std::string& help) {
    return checked_level(options.take(
        name, one_level,
        [take = std::move(take)](const std::string& text) { take(*level_from_name(text)); }, help));
}

Option& add_levels(OptionList& options, std::vector<Level>& levels) {
    return checked_level(options
                             .take_all("--level", "disabled|basic|extended|all,...", into(levels),
                                       "Levels of optimization, each by itself; all unless given")
                             .separated_by_commas());
}

Option& add_two_levels(OptionList& options, std::vector<Level>& levels, const std::string& help) {
    return checked_level(
        options.take_all("--level", one_level, into(levels), help).repeatable().at_most(2));
}

Option& add_rules(OptionList& options, std::vector<RuleText>& rules) {
    return options
        .take_all(
            "--rules", "FILE",
            [&rules](const std::vector<std::string>& files) {
                for (const std::string& file : files) rules.push_back(load_rules(file));
                user_passes(rules);  // reports mistakes in them
            },
            "Rewriting rules of your own, which run as passes user:NAME before those of the "
            "levels; may be repeated")
        .repeatable()
        .suggest_files({"rules"});
}

Option& add_session_passes(OptionList& options, std::optional<bool>& choice) {
    return options
        .take(
            "--session-passes", "on|off|auto",
            [&choice](const std::string& text) {
                choice = text == "auto" ? std::nullopt : std::optional(text == "on");
            },
            "Sessions put neighbouring nodes into one kernel, or run one kernel per node; auto "
            "unless given: on, but "
            "off for levels disabled and basic")
        .one_of({"on", "off", "auto"});
}

Option& add_disabled_passes(OptionList& options, std::vector<std::string>& passes,
                            const std::string& help) {
    return add_passes(options, "--disable-pass", passes, help);
}

void add_pass_choice(OptionList& options, OptimizeOptions& optimizing) {
    add_disabled_passes(options, optimizing.disabled_passes,
                        "Leave out a pass, by its name here or in ONNX Runtime; may be repeated");
    add_passes(options, "--enable-pass", optimizing.enabled_passes,
               "Run a pass that is off by default; may be repeated");
    add_passes(options, "--only-pass", optimizing.only_passes,
               "Run this pass and no other; may be repeated");
    add_rules(options, optimizing.rules);
}

void add_level_options(OptionList& options, LevelOptions& levels) {
    add_session_passes(options, levels.session_passes);
    add_channel_block(options, levels.channel_block);
    Option& level = add_level(
        options, "--level", [&levels](Level value) { levels.level = value; },
        "Level that the model is optimized at before it runs; all unless given. disabled: one "
        "kernel per node, "
        "Constant "
        "nodes made constants, the file else as it is");
    Option& passes = add_disabled_passes(options, levels.disabled_passes,
                                         "Leave out a pass of the level; may be repeated");
    Option& rules = add_rules(options, levels.rules);
    options
        .value("--recipe", "RECIPE", levels.recipe,
               "Optimize by a recipe, as the window copies it: JSON, or a file with it")
        .suggest_files({"json"})
        .excludes(level)
        .excludes(passes)
        .excludes(rules);
}

}  // namespace lapidary::cli
