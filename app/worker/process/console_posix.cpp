// SPDX-License-Identifier: Apache-2.0
#include "worker/process/console.h"

#include <poll.h>
#include <signal.h>
#include <unistd.h>

namespace lapidary::app {
namespace {

const CancelToken* interrupt_token = nullptr;

// All that happens here is one lock-free store. SA_RESETHAND leaves the second SIGINT to the
// system, which ends the program.
extern "C" void on_interrupt(int) { interrupt_token->cancel(); }

}  // namespace

void prepare_standard_streams() {
    ::signal(SIGPIPE, SIG_IGN);
    ::signal(SIGXFSZ, SIG_IGN);
}

std::vector<std::string> program_arguments(int argc, char** argv) { return {argv, argv + argc}; }

void cancel_on_hangup(const CancelToken& token) {
    static const CancelToken* hangup_token = nullptr;
    static const CancelToken kept = token;
    hangup_token = &kept;
    struct sigaction action {};
    action.sa_handler = [](int) { hangup_token->cancel(); };
    action.sa_flags = static_cast<int>(SA_RESETHAND);
    sigemptyset(&action.sa_mask);
    for (const int signal : {SIGHUP, SIGTERM}) ::sigaction(signal, &action, nullptr);
}

void cancel_on_interrupt(const CancelToken& token) {
    interrupt_token = &token;
    struct sigaction action {};
    action.sa_handler = on_interrupt;
    action.sa_flags = SA_RESETHAND;
    sigemptyset(&action.sa_mask);
    ::sigaction(SIGINT, &action, nullptr);
}

bool is_output_closed() {
    pollfd output{STDOUT_FILENO, POLLOUT, 0};
    return ::poll(&output, 1, 0) == 1 && (output.revents & (POLLERR | POLLHUP)) != 0;
}

bool is_error_terminal() { return ::isatty(STDERR_FILENO) == 1; }

}  // namespace lapidary::app
