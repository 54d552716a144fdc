// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <iostream>

#include <lapidary/failure.h>

#include "cli/command_line.h"

namespace {

const lapidary::CancelToken& interrupt() {
    static const lapidary::CancelToken token;
    return token;
}

// The token is made before the handler is installed, so all that happens here is one lock-free store.
// SA_RESETHAND leaves the second SIGINT to the system, which ends the program.
extern "C" void on_interrupt(int) { interrupt().cancel(); }

}  // namespace

int main(int argc, char** argv) {
    lapidary::name_foreign_crashes();
    interrupt();
    struct sigaction action {};
    action.sa_handler = on_interrupt;
    action.sa_flags = SA_RESETHAND;
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, nullptr);
    std::signal(SIGPIPE, SIG_IGN);  // a closed pipe shows as a failed stream, below
    std::signal(SIGXFSZ, SIG_IGN);  // a file that may grow no more likewise
    const bool is_terminal = isatty(STDERR_FILENO) == 1;
    const char* no_colour = std::getenv("NO_COLOR");  // https://no-color.org: set and not empty
    const lapidary::cli::TerminalFeatures features{is_terminal, is_terminal && !(no_colour && *no_colour)};
    int code = lapidary::cli::run_command_line(argc, argv, std::cout, std::cerr, interrupt(), features);
    std::cout.flush();
    if (!std::cout && code == lapidary::cli::exit_fine) {
        std::cerr << "lapidary-cli: the output could not be written\n";
        code = lapidary::cli::exit_bad_input;
    }
    return code;
}
