// SPDX-License-Identifier: Apache-2.0
#include "worker/process/local_socket.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstddef>
#include <cstring>

namespace lapidary::app {

bool local_socket_answers(const std::string& path, bool is_abstract) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    const std::size_t offset = is_abstract ? 1 : 0;
    if (path.empty() || path.size() + offset + 1 > sizeof(address.sun_path)) return false;
    std::memcpy(address.sun_path + offset, path.data(), path.size());
    int kind = SOCK_STREAM;
#ifdef SOCK_CLOEXEC
    kind |= SOCK_CLOEXEC;
#endif
    const int socket = ::socket(AF_UNIX, kind, 0);
    if (socket < 0) return false;
    const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + offset +
                                               path.size() + (is_abstract ? 0 : 1));
    const bool connected =
        ::connect(socket, reinterpret_cast<const sockaddr*>(&address), length) == 0;
    ::close(socket);
    return connected;
}

}  // namespace lapidary::app
