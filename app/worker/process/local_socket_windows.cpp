// SPDX-License-Identifier: Apache-2.0
// On Windows displays have no sockets, and there is no other use.
#include "worker/process/local_socket.h"

namespace lapidary::app {

bool local_socket_answers(const std::string&, bool) { return false; }

}  // namespace lapidary::app
