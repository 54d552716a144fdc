// SPDX-License-Identifier: Apache-2.0
#include "base/process/foreign_call.h"

#include <signal.h>
#include <windows.h>

#include <cstdlib>
#include <cstring>

#include <lapidary/base/failure.h>

namespace lapidary {
namespace {

thread_local const char* current_call = nullptr;

LPTOP_LEVEL_EXCEPTION_FILTER earlier_filter = nullptr;

void write_text(const char* text) {
    DWORD written = 0;
    ::WriteFile(::GetStdHandle(STD_ERROR_HANDLE), text, static_cast<DWORD>(std::strlen(text)),
                &written, nullptr);
}

// Nothing here allocates or locks.
void report_foreign_call() {
    const char* const who = current_call;
    if (who == nullptr) return;
    current_call = nullptr;
    write_text("\n");
    write_text(foreign_crash_mark);
    write_text(who);
    write_text("\n");
}

LONG WINAPI on_exception(EXCEPTION_POINTERS* exception) {
    report_foreign_call();
    return earlier_filter ? earlier_filter(exception) : EXCEPTION_CONTINUE_SEARCH;
}

extern "C" void on_abort(int) { report_foreign_call(); }  // abort() continues afterwards

// Exits without flushing, because the program's own output is not complete.
void on_exit() {
    const char* const who = foreign_exit_caller();
    if (who == nullptr) return;
    for (const char* text : {"\n", foreign_crash_mark, who, ", which called exit()\n"})
        write_text(text);
    ::TerminateProcess(::GetCurrentProcess(), foreign_exit_code);
}

}  // namespace

ForeignCall::ForeignCall(const char* who) noexcept : before_(current_call) { current_call = who; }
ForeignCall::~ForeignCall() { current_call = before_; }
const char* ForeignCall::current() noexcept { return current_call; }

void name_foreign_crashes() {
    std::atexit(&on_exit);
    ::SetErrorMode(SEM_FAILCRITICALERRORS |
                   SEM_NOGPFAULTERRORBOX);  // no dialog that waits for a user
    earlier_filter = ::SetUnhandledExceptionFilter(&on_exception);
    ::signal(SIGABRT, &on_abort);
}

}  // namespace lapidary
