// SPDX-License-Identifier: Apache-2.0
// A program started beside this one, with its standard streams on pipes.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace lapidary {

class PipedProcess {
public:
    /// Looks `command[0]` up in PATH. Throws Error{io_failure} when it cannot be started.
    explicit PipedProcess(const std::vector<std::string>& command);
    PipedProcess(const PipedProcess&) = delete;
    PipedProcess& operator=(const PipedProcess&) = delete;
    /// Kills the process if it still runs.
    ~PipedProcess();

    /// Appends available output and error output, waiting at most `longest` for some. False when
    /// the process has closed both.
    bool read(std::string& out, std::string& err, std::chrono::milliseconds longest);
    /// False once it has closed its output.
    bool has_output() const;
    /// False when it has closed its input.
    bool write(std::string_view text);
    void close_input();
    /// Waits until the process ends. Returns the exit code, or 128 + signal when it was killed.
    int wait();

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace lapidary
