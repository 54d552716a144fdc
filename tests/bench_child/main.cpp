// SPDX-License-Identifier: Apache-2.0
// Stands in for programs that the engine starts and talks to
// (tests/core/tools/report/bench_test.cpp): bench_child say OUT ERRORS CODE | echo | sleep | die
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string>
#include <string_view>
#include <thread>

#ifdef _WIN32
#include <fcntl.h>
#include <io.h>
#include <windows.h>
#endif

namespace {

/// The end that nothing can catch.
[[noreturn]] void die() {
#ifdef _WIN32
    ::TerminateProcess(::GetCurrentProcess(), 128 + 9);
#else
    std::raise(SIGKILL);
#endif
    std::abort();
}

}  // namespace

int main(int count, char** words) {
#ifdef _WIN32
    for (const int stream : {0, 1, 2}) ::_setmode(stream, _O_BINARY);  // newlines as they are
#endif
    const std::string_view what = count > 1 ? words[1] : "";
    if (what == "say" && count == 5) {
        std::fputs(words[2], stdout);
        std::fputs(words[3], stderr);
        return std::atoi(words[4]);
    }
    if (what == "echo") {
        for (std::string line; std::getline(std::cin, line);) std::cout << line << std::endl;
        return 0;
    }
    if (what == "sleep") std::this_thread::sleep_for(std::chrono::seconds(30));
    if (what == "die") die();
    return 2;
}
