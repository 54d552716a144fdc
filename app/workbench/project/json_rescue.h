// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace lapidary::app {

/// Repairs a JSON text that is cut off: keeps everything up to the last complete value and closes
/// open objects and arrays. Empty if not even one value is complete. Does not repair text that is
/// not JSON.
std::string rescuedJson(std::string_view text);

}  // namespace lapidary::app
