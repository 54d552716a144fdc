// SPDX-License-Identifier: Apache-2.0
// Options for plugins and for the devices of a session.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include <lapidary/exec/session.h>

#include "worker/protocol/runs_on.h"

#include "cli/options/option_list.h"

namespace lapidary::cli {

using app::ProviderChoice;

struct ProviderOptions {
    std::vector<ProviderChoice> wanted;  // in order of preference; empty: the CPU alone
    Fallback fallback = Fallback::allow;

    /// Opens the providers and sets them in the session's options. Throws as open_provider().
    void apply(SessionOptions& session) const;
};

/// --plugin, of all commands
Option& add_plugins(OptionList& options, std::vector<std::string>& files);
/// --without-plugin, likewise
Option& add_plugins_off(OptionList& options, std::vector<std::string>& files);
/// --custom-ops, likewise
Option& add_custom_operators(OptionList& options, std::vector<std::string>& files);
/// --provider NAME[:KEY=VALUE,...] and --fallback
Option& add_provider_options(OptionList& options, ProviderOptions& providers);

/// Parses "cuda:device=1,precision=tf32". Throws UsageError.
ProviderChoice provider_choice(const std::string& text);

}  // namespace lapidary::cli
