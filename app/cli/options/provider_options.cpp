// SPDX-License-Identifier: Apache-2.0
#include "cli/options/provider_options.h"

#include <lapidary/error.h>
#include <lapidary/plugins.h>

#include "cli/usage_error.h"

namespace lapidary::cli {

ProviderChoice provider_choice(const std::string& text) {
    const std::size_t colon = text.find(':');
    ProviderChoice choice{text.substr(0, colon), {}};
    if (choice.name.empty()) throw UsageError("--provider: expected NAME or NAME:KEY=VALUE,..., found " + quote(text));
    for (std::size_t at = colon; at != std::string::npos;) {
        const std::size_t end = text.find(',', at + 1);
        const std::string item = text.substr(at + 1, end == std::string::npos ? end : end - at - 1);
        const std::size_t equals = item.find('=');
        if (equals == 0 || equals == std::string::npos)
            throw UsageError("--provider: expected KEY=VALUE after the colon, found " + quote(item));
        choice.options[item.substr(0, equals)] = item.substr(equals + 1);
        at = end;
    }
    return choice;
}

void ProviderOptions::apply(SessionOptions& session) const {
    for (const ProviderChoice& choice : wanted) session.providers.push_back(open_provider(choice.name, choice.options));
    session.fallback = fallback;
}

Option& add_plugins(OptionList& options, std::vector<std::string>& files) {
    return options
        .value("--plugin", "FILE", files,
               "A plugin, or a folder of them, to open; may be repeated (lapidary-cli plugins tells what is found)")
        .repeatable()
        .suggest_files({"so"});
}

Option& add_provider_options(OptionList& options, ProviderOptions& providers) {
    Option& provider =
        options
            .take_all(
                "--provider", "NAME",
                [&providers](const std::vector<std::string>& texts) {
                    for (const std::string& text : texts) providers.wanted.push_back(provider_choice(text));
                },
                "Run what this provider of a plugin takes on its device; with options as NAME:KEY=VALUE,... ; may be "
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
            "What may run on the CPU: all that no provider takes, unless given; what computes with shapes; nothing")
        .one_of({"allow", "shapes", "forbid"})
        .needs(provider);
    return provider;
}

}  // namespace lapidary::cli
