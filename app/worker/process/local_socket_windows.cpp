// SPDX-License-Identifier: Apache-2.0
// Displays have no sockets here, and nothing else asks.
#include "worker/process/local_socket.h"

namespace lapidary::app {

bool local_socket_answers(const std::string&, bool) { return false; }

}  // namespace lapidary::app
