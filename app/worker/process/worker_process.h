// SPDX-License-Identifier: Apache-2.0
// A child process spoken to line by line from several threads. In a process group of its own, on
// Windows in a job.
#pragma once

#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace lapidary::app {

/// Bytes of a line of a worker or a probe. Large results come in shared memory; who sends more is
/// out of control.
inline constexpr std::size_t longest_line = std::size_t{64} << 20;

class WorkerProcess {
public:
    /// In a process group of its own, so that Ctrl-C in a terminal reaches the parent alone. Throws
    /// Error{io_failure}.
    explicit WorkerProcess(const std::vector<std::string>& command);
    WorkerProcess(const WorkerProcess&) = delete;
    WorkerProcess& operator=(const WorkerProcess&) = delete;
    /// Kills it where it still runs.
    ~WorkerProcess();

    long id() const { return id_; }
    /// From any thread. Waits a second at most for a process that reads nothing; a process that is
    /// gone gets nothing.
    void send(const std::string& line);
    /// For one thread: the next line of its output, waiting for it; nothing when the process has
    /// ended. One whose line is longer than longest_line is killed.
    std::optional<std::string> read_line();
    /// After read_line() gave nothing: how it ended, "signal 9 (Killed)", "exit code 3" or "a line
    /// of more than 67108864 bytes".
    std::string wait_for_end();
    /// The last line it wrote to its standard error; empty: none.
    std::string last_words() const;
    void close_input();
    /// The process and what it started.
    void kill();

private:
    void take_errors();
    bool end_if_flooded();
    std::string flood_text() const;
    long id_ = -1;
    std::intptr_t process_ = 0, job_ = 0;  // Windows: handles
    int in_ = -1, out_ = -1, err_ = -1;
    std::string text_;
    std::size_t looked_at_ = 0;
    bool flooded_ = false;
    mutable std::mutex mutex_;  // of what follows, of in_ and of reaping
    std::string errors_;
    bool reaped_ = false;
};

/// The command line program that can be a worker process, beside this program or where
/// LAPIDARY_WORKER says; empty: there is none, or LAPIDARY_WORKER is "off".
std::string find_worker_program();
/// Why find_worker_program() gave nothing, as a sentence.
std::string why_no_worker();

}  // namespace lapidary::app
