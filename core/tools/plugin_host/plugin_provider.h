// SPDX-License-Identifier: Apache-2.0
// Adapts the provider of a plugin to the engine's interface of providers.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "exec/provider.h"
#include "plugin_abi.h"

namespace lapidary {

/// Throws invalid_input where the plugin's struct lacks what a provider needs.
void check_plugin_provider(const std::string& plugin, const LpProvider& provider);

/// The provider opened on that device. `provider` must outlive it. Throws the plugin's error.
std::shared_ptr<const DeviceProvider> open_plugin_provider(
    const LpProvider& provider, std::uint32_t device,
    const std::map<std::string, std::string>& options);

}  // namespace lapidary
