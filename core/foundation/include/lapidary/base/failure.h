// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <lapidary/base/error.h>

namespace lapidary {

/// The exception in flight as an Error that people can read; to be called inside `catch (...)` at
/// the boundary of a job. `doing` says what was being done: "running \"net.onnx\"". An Error comes
/// back as it is. What the system refuses (memory, threads, files) is limit_exceeded or io_failure
/// with the system's reason; what is left is a bug: internal, and no text of a library.
Error error_in_flight(const std::string& doing);

/// Begins the line that a crash in somebody else's code writes to the standard error, after
/// name_foreign_crashes().
inline constexpr char foreign_crash_mark[] = "crashed in ";

/// From now on a crash (SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT) of a thread that runs code of a
/// plugin, of a library of custom operators or of ONNX Runtime writes "crashed in <whose code, for
/// which operator>" to the standard error before it ends the process as it would have. Where such
/// code calls exit(), the process ends with foreign_exit_code instead of the code asked for, and
/// the line says so. Crashes of the program itself are as before. Once per process, early.
void name_foreign_crashes();

/// What the process ends with where somebody else's code calls exit(): never the 0 of a success.
inline constexpr int foreign_exit_code = 3;

/// While one lives, a call of exit() on any thread is treated as a crash of foreign code. For
/// programs that end by returning from main(), after name_foreign_crashes().
class ExitWatch {
public:
    ExitWatch() noexcept;  // begins to watch
    ExitWatch(const ExitWatch&) = delete;
    ExitWatch& operator=(const ExitWatch&) = delete;
    ~ExitWatch();
};

}  // namespace lapidary
