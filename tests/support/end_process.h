// SPDX-License-Identifier: Apache-2.0
// Ends processes from outside, like a user, the system or a crash.
#pragma once

#include <string_view>

namespace lapidary::test {

/// Kills the process (POSIX: SIGKILL). Does nothing if it has ended or is 0.
void end_process(long process);
/// Ends the process like a failed assertion (POSIX: SIGABRT).
void abort_process(long process);

/// The beginnings of the texts by which WorkerProcess::wait_for_end() reports these ends.
#ifdef _WIN32
inline constexpr std::string_view ended_process = "exit code 9", aborted_process = "exit code 3";
#else
inline constexpr std::string_view ended_process = "signal 9", aborted_process = "signal 6";
#endif

}  // namespace lapidary::test
