// SPDX-License-Identifier: Apache-2.0
#include "cli/options/provider_options.h"

#include <lapidary/base/error.h>
#include <lapidary/engines/plugins.h>

#include "cli/exit_code.h"

namespace lapidary::cli {

ProviderChoice provider_choice(const std::string& text) {
    try {
        return app::parse_provider_choice(text);
    } catch (const Error& error) { throw UsageError("--provider: " + error.message()); }
}

void ProviderOptions::apply(SessionOptions& session) const {
    for (const ProviderChoice& choice : wanted)
        session.providers.push_back(open_provider(choice.name, choice.options));
    session.fallback = fallback;
}

Option& add_plugins(OptionList& options, std::vector<std::string>& files) {
    return options
        .value("--plugin", "FILE", files,
               "A plugin, or a folder of them, to open; may be repeated (lapidary-cli plugins "
               "lists what is found)")
        .repeatable()
        .suggest_files({"so"});
}

Option& add_plugins_off(OptionList& options, std::vector<std::string>& files) {
    return options
        .value("--without-plugin", "FILE", files,
               "A plugin that is found and not to be opened; may be repeated")
        .repeatable()
        .suggest_files({"so"});
}

Option& add_custom_operators(OptionList& options, std::vector<std::string>& files) {
    return options
        .value("--custom-ops", "FILE", files,
               "A library of custom operators that was made for ONNX Runtime, to run without it; "
               "may be repeated")
        .repeatable()
        .suggest_files({"so"});
}

Option& add_provider_options(OptionList& options, ProviderOptions& providers) {
    Option& provider = options
                           .take_all(
                               "--provider", "NAME",
                               [&providers](const std::vector<std::string>& texts) {
                                   for (const std::string& text : texts)
                                       providers.wanted.push_back(provider_choice(text));
                               },
                               "Run what this provider of a plugin takes on its device; with "
                               "options as NAME:KEY=VALUE,... ; may be "
                               "repeated, the first that takes a node has it")
                           .repeatable();
    options
        .take(
            "--fallback", "allow|shapes|forbid",
            [&providers](const std::string& name) {
                providers.fallback = name == "forbid"   ? Fallback::forbid
                                     : name == "shapes" ? Fallback::shapes
                                                        : Fallback::allow;
            },
            "What may run on the CPU: all that no provider takes, unless given; what computes with "
            "shapes; nothing")
        .one_of({"allow", "shapes", "forbid"})
        .needs(provider);
    return provider;
}

}  // namespace lapidary::cli
