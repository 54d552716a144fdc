// SPDX-License-Identifier: Apache-2.0
#include "worker/process/standard_streams.h"

#include <fcntl.h>
#include <io.h>
#include <windows.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>

#include <lapidary/base/error.h>

namespace lapidary::app {

// Windows gives no answer for anything but pipes; there, reading waits.
bool has_input(int descriptor, std::chrono::milliseconds longest) {
    const HANDLE pipe = reinterpret_cast<HANDLE>(::_get_osfhandle(descriptor));
    const auto end = std::chrono::steady_clock::now() + longest;
    for (DWORD there = 0; ::PeekNamedPipe(pipe, nullptr, 0, nullptr, &there, nullptr) && there == 0;
         ::Sleep(1))
        if (std::chrono::steady_clock::now() > end) return false;
    return true;
}

std::size_t read_some(int descriptor, std::span<char> buffer) {
    const int n = ::_read(descriptor, buffer.data(), static_cast<unsigned>(buffer.size()));
    return n > 0 ? static_cast<std::size_t>(n) : 0;
}

bool write_all(int descriptor, std::string_view text) {
    constexpr std::size_t largest_step = std::size_t{1} << 20;
    while (!text.empty()) {
        const int n = ::_write(descriptor, text.data(),
                               static_cast<unsigned>(std::min(text.size(), largest_step)));
        if (n <= 0) return false;
        text.remove_prefix(static_cast<std::size_t>(n));
    }
    return true;
}

// Windows gives no answer for the writing end.
bool has_reader(int) { return true; }

int claim_standard_output() {
    const int own = ::_dup(1);
    if (own < 0 || ::_dup2(2, 1) < 0)
        fail(ErrorCode::io_failure,
             std::string("no stream for the answers: ") + std::strerror(errno));
    ::_setmode(own, _O_BINARY);
    ::SetHandleInformation(reinterpret_cast<HANDLE>(::_get_osfhandle(own)), HANDLE_FLAG_INHERIT, 0);
    return own;
}

}  // namespace lapidary::app
