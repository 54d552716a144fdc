// SPDX-License-Identifier: Apache-2.0
#include "cli/argument_checks.h"

#include <charconv>
#include <cstdint>
#include <string_view>
#include <vector>

#include <lapidary/error.h>
#include <lapidary/nearest_name.h>
#include <lapidary/optimize.h>
#include <lapidary/session.h>

namespace lapidary::cli {
namespace {

std::vector<std::string> command_names(const CLI::App& app) {
    std::vector<std::string> names;
    for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
        names.push_back(command->get_name());
    return names;
}

std::vector<std::string> option_names(const CLI::App& command) {
    std::vector<std::string> names;
    for (const CLI::Option* option : command.get_options())
        for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    return names;
}

}  // namespace

CLI::Validator is_level() {
    return CLI::Validator(
        [](std::string& name) {
            if (level_from_name(name)) return std::string();
            const std::vector<std::string> names{"disabled",          "basic",
                                                 "extended",          "all",
                                                 "ORT_DISABLE_ALL",   "ORT_ENABLE_BASIC",
                                                 "ORT_ENABLE_EXTENDED", "ORT_ENABLE_LAYOUT",
                                                 "ORT_ENABLE_ALL"};
            return "expected disabled, basic, extended or all, or ONNX Runtime's name of one (ORT_ENABLE_BASIC), found " +
                   quote(name) + did_you_mean(name, names);
        },
        "");
}

CLI::Validator is_pass() {
    return CLI::Validator(
        [](std::string& name) {
            if (!find_passes(name).empty()) return std::string();
            std::vector<std::string> names;
            for (const PassInfo& pass : all_passes()) names.emplace_back(pass.name);
            return "there is no pass " + quote(name) + did_you_mean(name, names) + "; \"lapidary-cli passes\" lists them";
        },
        "");
}

CLI::Validator is_count() {
    return CLI::Validator(
        [](std::string& text) {
            std::uint64_t number = 0;
            const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), number);
            if (status == std::errc() && end == text.data() + text.size()) return std::string();
            return "expected a whole number from 0 to 18446744073709551615, found " + quote(text);
        },
        "");
}

CLI::Validator is_config_entry() {
    return CLI::Validator(
        [](std::string& entry) {
            const std::string key = entry.substr(0, entry.find('='));
            if (key.size() == entry.size() || key.empty()) return "expected KEY=VALUE, found " + quote(entry);
            std::vector<std::string> keys;
            for (const ConfigKey& known : config_keys()) keys.emplace_back(known.name);
            for (const std::string& known : keys)
                if (known == key) return std::string();
            std::string list;
            for (const std::string& known : keys) list += (list.empty() ? "; known are " : ", ") + known;
            const std::string meant = did_you_mean(key, keys);
            return "there is no session option " + quote(key) + (meant.empty() ? list : meant);
        },
        "");
}

std::string unknown_command(const CLI::App& app, int argc, const char* const* argv) {
    for (int i = 1; i < argc; ++i) {
        const std::string_view argument = argv[i];
        if (argument.starts_with('-')) continue;
        const std::vector<std::string> names = command_names(app);
        for (const std::string& name : names)
            if (name == argument) return {};
        const std::string meant = did_you_mean(argument, names);
        if (!meant.empty()) return "there is no command " + quote(argument) + meant;
        std::string list;
        for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
        return "there is no command " + quote(argument) + "; there are " + list;
    }
    return {};
}

std::string unknown_arguments(const CLI::App& app, const CLI::ExtrasError& error) {
    const CLI::App* command = &app;
    for (const CLI::App* parsed : app.get_subcommands()) command = parsed;
    for (const std::string& argument : command->remaining()) {
        if (!argument.starts_with("--")) continue;
        const std::string name = argument.substr(0, argument.find('='));
        return command->get_name() + " has no option " + quote(name) + did_you_mean(name, option_names(*command));
    }
    return error.what();
}

}  // namespace lapidary::cli
