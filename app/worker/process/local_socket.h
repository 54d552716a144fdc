// SPDX-License-Identifier: Apache-2.0
// Sockets of this machine that other programs listen at.
#pragma once

#include <string>

namespace lapidary::app {

/// Whether somebody listens at that path. `is_abstract`: the name lives in the kernel's abstract
/// namespace instead, as X servers also offer theirs.
bool local_socket_answers(const std::string& path, bool is_abstract);

}  // namespace lapidary::app
