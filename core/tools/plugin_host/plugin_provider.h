// SPDX-License-Identifier: Apache-2.0
// The provider of a plugin as one of the engine's.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "exec/provider.h"
#include "plugin_abi.h"

namespace lapidary {

/// Throws invalid_input where the plugin's struct lacks what a provider needs.
void check_plugin_provider(const std::string& plugin, const LpProvider& provider);

/// Opened on that device. `provider` must stay. Throws what the plugin refuses with.
std::shared_ptr<const DeviceProvider> open_plugin_provider(
    const LpProvider& provider, std::uint32_t device,
    const std::map<std::string, std::string>& options);

}  // namespace lapidary
