// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace lapidary::app {

/// The name of this machine in its network; empty if the system does not say.
std::string host_name();

}  // namespace lapidary::app
