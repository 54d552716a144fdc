// SPDX-License-Identifier: Apache-2.0
#include "worker/process/standard_streams.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

#include <lapidary/base/error.h>

namespace lapidary::app {

bool has_input(int descriptor, std::chrono::milliseconds longest) {
    pollfd end{descriptor, POLLIN, 0};
    return ::poll(&end, 1, static_cast<int>(longest.count())) > 0;
}

std::size_t read_some(int descriptor, std::span<char> buffer) {
    for (;;) {
        const ssize_t n = ::read(descriptor, buffer.data(), buffer.size());
        if (n >= 0) return static_cast<std::size_t>(n);
        if (errno != EINTR) return 0;
    }
}

bool write_all(int descriptor, std::string_view text) {
    while (!text.empty()) {
        const ssize_t n = ::write(descriptor, text.data(), text.size());
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        text.remove_prefix(static_cast<std::size_t>(n));
    }
    return true;
}

bool has_reader(int descriptor) {
    pollfd end{descriptor, 0, 0};
    return ::poll(&end, 1, 0) <= 0 || (end.revents & (POLLERR | POLLHUP | POLLNVAL)) == 0;
}

int claim_standard_output() {
    const int own = ::fcntl(1, F_DUPFD_CLOEXEC, 3);
    if (own < 0 || ::dup2(2, 1) < 0)
        fail(ErrorCode::io_failure,
             std::string("no stream for the answers: ") + std::strerror(errno));
    return own;
}

}  // namespace lapidary::app
