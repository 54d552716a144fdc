// SPDX-License-Identifier: Apache-2.0
// Local sockets on which other programs listen.
#pragma once

#include <string>

namespace lapidary::app {

/// True if a program listens at that path. `is_abstract`: the name lies in the kernel's abstract
/// namespace, where X servers also listen.
bool local_socket_answers(const std::string& path, bool is_abstract);

}  // namespace lapidary::app
