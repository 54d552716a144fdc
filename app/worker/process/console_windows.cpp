// SPDX-License-Identifier: Apache-2.0
#include "worker/process/console.h"

#include <fcntl.h>
#include <io.h>
#include <windows.h>
#include <shellapi.h>

#include <cstdlib>
#include <filesystem>

namespace lapidary::app {
namespace {

const CancelToken* interrupt_token = nullptr;

/// In a thread of its own. FALSE leaves the second Ctrl-C to the system, which ends the program.
BOOL WINAPI on_control(DWORD event) {
    if (event != CTRL_C_EVENT || interrupt_token == nullptr || interrupt_token->is_cancelled())
        return FALSE;
    interrupt_token->cancel();
    return TRUE;
}

}  // namespace

void prepare_standard_streams() {
    _fmode = _O_BINARY;
    for (int stream = 0; stream < 3; ++stream) ::_setmode(stream, _O_BINARY);
    ::SetConsoleOutputCP(CP_UTF8);
}

std::vector<std::string> program_arguments(int argc, char** argv) {
    int count = 0;
    wchar_t** const words = ::CommandLineToArgvW(::GetCommandLineW(), &count);
    if (words == nullptr) return {argv, argv + argc};
    std::vector<std::string> arguments;
    for (int i = 0; i < count; ++i) {
        const int length =
            ::WideCharToMultiByte(CP_UTF8, 0, words[i], -1, nullptr, 0, nullptr, nullptr);
        std::string& argument =
            arguments.emplace_back(static_cast<std::size_t>(length > 0 ? length : 1), '\0');
        ::WideCharToMultiByte(CP_UTF8, 0, words[i], -1, argument.data(), length, nullptr, nullptr);
        argument.pop_back();  // the terminating zero
    }
    ::LocalFree(words);
    return arguments;
}

void cancel_on_interrupt(const CancelToken& token) {
    interrupt_token = &token;
    ::SetConsoleCtrlHandler(&on_control, TRUE);
}

void cancel_on_hangup(const CancelToken&) {}

bool is_output_closed() { return false; }

bool is_error_terminal() { return ::_isatty(2) != 0; }

}  // namespace lapidary::app
