// SPDX-License-Identifier: Apache-2.0
#include "base/process/foreign_call.h"

#include <signal.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>

#include <lapidary/base/failure.h>

namespace lapidary {
namespace {

thread_local const char* current_call = nullptr;

constexpr int crash_signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT};
struct sigaction earlier[NSIG];

void write_text(const char* text) {
    [[maybe_unused]] const auto written = ::write(STDERR_FILENO, text, std::strlen(text));
}

// Nothing here allocates or locks. The previous handler of the signal runs next, for example the
// one for truncated mapped files.
extern "C" void on_crash(int number, siginfo_t* info, void* context) {
    if (const char* who = current_call) {
        current_call = nullptr;
        write_text("\n");
        write_text(foreign_crash_mark);
        write_text(who);
        write_text("\n");
    }
    const struct sigaction& before = earlier[number];
    if (before.sa_flags & SA_SIGINFO) {
        before.sa_sigaction(number, info, context);
    } else if (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN) {
        before.sa_handler(number);
    } else {
        ::signal(number, SIG_DFL);  // the instruction runs again, or abort() raises again
        if (info->si_code <= 0) ::raise(number);
    }
}

// Exits without flushing, because the program's own output is not complete.
void on_exit() {
    const char* const who = foreign_exit_caller();
    if (who == nullptr) return;
    for (const char* text : {"\n", foreign_crash_mark, who, ", which called exit()\n"})
        write_text(text);
    ::_exit(foreign_exit_code);
}

}  // namespace

ForeignCall::ForeignCall(const char* who) noexcept : before_(current_call) { current_call = who; }
ForeignCall::~ForeignCall() { current_call = before_; }
const char* ForeignCall::current() noexcept { return current_call; }

void name_foreign_crashes() {
    std::atexit(&on_exit);
    std::at_quick_exit(&on_exit);
    for (const int number : crash_signals) {
        struct sigaction action {};
        action.sa_sigaction = &on_crash;
        action.sa_flags = SA_SIGINFO | SA_NODEFER | SA_ONSTACK;
        sigemptyset(&action.sa_mask);
        ::sigaction(number, &action, &earlier[number]);
    }
}

}  // namespace lapidary
