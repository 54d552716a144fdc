// SPDX-License-Identifier: Apache-2.0
// Child processes: run to their end, or used in a dialogue of lines.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include <lapidary/base/progress.h>

#include "base/process/piped_process.h"

namespace lapidary {

struct FinishedProgram {
    int code = -1;  // 128 + signal when it was killed
    std::string out, err;
};

/// A program with its standard streams on pipes. The destructor kills it if it still runs. Throws
/// limit_exceeded if it writes tens of megabytes without an end of line. Of its standard error the
/// end is kept.
class ChildProgram {
public:
    /// Looks `command[0]` up in PATH. Throws Error{io_failure} when it cannot be started.
    explicit ChildProgram(const std::vector<std::string>& command);

    /// Throws Error{io_failure} when the program has closed its input.
    void write_line(const std::string& line);
    /// The next line of its output without the end of line (LF or CRLF). Throws Error{io_failure}
    /// with the last line it wrote to its standard error when it ends before, or does not answer
    /// within the time; Error{cancelled}.
    std::string read_line(std::chrono::milliseconds timeout, const CancelToken& cancel = {});
    /// Waits for its end; kills it and throws Error{io_failure} when that takes too long.
    FinishedProgram finish(std::chrono::milliseconds timeout, const CancelToken& cancel = {});

private:
    /// Reads what there is from both pipes, waiting shortly; false when both are closed.
    bool pump();

    std::string name_;
    PipedProcess process_;
    std::string out_text_, err_text_;
};

/// Runs a program to its end with an empty input. Throws Error{io_failure} when it cannot be
/// started or takes too long.
FinishedProgram run_program(const std::vector<std::string>& command,
                            std::chrono::milliseconds timeout, const CancelToken& cancel = {});

}  // namespace lapidary
