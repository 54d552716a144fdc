// SPDX-License-Identifier: Apache-2.0
// The program ssh: how it is started, and short scripts that it runs on another machine.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include <lapidary/base/progress.h>

#include "worker/remote/target.h"

namespace lapidary::app {

/// The command that has `sh` run the script on the target. ssh is found on PATH, or where the
/// environment variable LAPIDARY_SSH says. It asks no question (BatchMode) and notices within
/// seconds where the other machine is silent. The script must have no single quote, because the
/// shell that a user has there takes it in such quotes.
std::vector<std::string> ssh_command(const Target& target, const std::string& script);

/// The script's beginning, which sets "$d" to the target's folder of programs and models.
std::string folder_script(const Target& target);

/// Takes a line that the script reads; returns false where the other end is gone.
using SendLine = std::function<bool(const std::string&)>;

/// Runs the script and returns the lines that it writes. `write` is called once to send it its
/// input, which then ends; from there on the script has so long to end. Throws io_failure with
/// connection_problem() where the script fails, where it does not end, and where it writes more
/// than a megabyte; cancelled.
std::vector<std::string> run_script(
    const Target& target, const std::string& script, const Progress& progress,
    const std::function<void(const SendLine&)>& write = {},
    std::chrono::milliseconds longest_answer = std::chrono::seconds(60));

/// A sentence about a connection that failed or ended, and what to do: "board cannot be reached:
/// Connection refused; try `ssh board` in a terminal". `end`: as WorkerProcess::wait_for_end() says
/// it. `last_words`: of ssh's errors.
std::string connection_problem(const Target& target, const std::string& end,
                               const std::string& last_words);

}  // namespace lapidary::app
