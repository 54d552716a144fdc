// SPDX-License-Identifier: Apache-2.0
// Ends processes from outside, as a user, the system or a fault of their own does.
#pragma once

#include <string_view>

namespace lapidary::test {

/// At once, whatever it does (POSIX: SIGKILL). One that is gone already stays gone; 0 is none.
void end_process(long process);
/// As a failed assertion does (POSIX: SIGABRT).
void abort_process(long process);

/// How the words begin by which WorkerProcess::wait_for_end() reports these ends.
#ifdef _WIN32
inline constexpr std::string_view ended_process = "exit code 9", aborted_process = "exit code 3";
#else
inline constexpr std::string_view ended_process = "signal 9", aborted_process = "signal 6";
#endif

}  // namespace lapidary::test
