// SPDX-License-Identifier: Apache-2.0
// A plugin's shared library, opened, with the description of its contents.
#pragma once

#include <filesystem>

#include "plugin_abi.h"

namespace lapidary {

/// Stays loaded until the process ends: libraries of devices keep threads. Throws not_supported or
/// io_failure with the reason: no such file, the loader's words, no entry point, made for another
/// interface, refused by the plugin itself.
const LpPlugin& load_plugin_library(const std::filesystem::path& file);

}  // namespace lapidary
