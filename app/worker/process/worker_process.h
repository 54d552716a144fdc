// SPDX-License-Identifier: Apache-2.0
// A child process that several threads communicate with line by line. It has its own process group
// (on Windows a job), so that it ends together with the processes it starts.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace lapidary::app {

/// Longest line of a worker or a probe, in bytes. Large results come in shared memory, so a longer
/// line is an error.
inline constexpr std::size_t longest_line = std::size_t{64} << 20;

class WorkerProcess {
public:
    /// Starts the command in its own process group, so that Ctrl-C in a terminal reaches only the
    /// parent. Throws Error{io_failure}.
    explicit WorkerProcess(const std::vector<std::string>& command);
    WorkerProcess(const WorkerProcess&) = delete;
    WorkerProcess& operator=(const WorkerProcess&) = delete;
    /// Kills the process if it still runs.
    ~WorkerProcess();

    long id() const { return id_; }
    /// From any thread. Waits at most a second, or as wait_to_send() says, for a process that does
    /// not read. Does nothing if the process is gone. False where not all was written.
    bool send(const std::string& line);
    /// How long send() waits for a process that does not read, for example across a slow network.
    /// To be called before the first send().
    void wait_to_send(std::chrono::milliseconds longest) { longest_send_ = longest; }
    /// For one thread: waits for the next line of the process's output. Empty when the process has
    /// ended. A process that sends a line longer than longest_line is killed.
    std::optional<std::string> read_line();
    /// After read_line() returned empty: how the process ended, "signal 9 (Killed)", "exit code 3"
    /// or "a line of more than 67108864 bytes".
    std::string wait_for_end();
    /// The last line on its standard error; empty: none.
    std::string last_words() const;
    void close_input();
    /// Kills the process and those it started.
    void kill();

private:
    void take_errors();
    bool end_if_flooded();
    std::string flood_text() const;
    std::chrono::milliseconds longest_send_{1000};
    long id_ = -1;
    std::intptr_t process_ = 0, job_ = 0;  // Windows: handles
    int in_ = -1, out_ = -1, err_ = -1;
    std::string text_;
    std::size_t looked_at_ = 0;
    bool flooded_ = false;
    mutable std::mutex mutex_;  // guards the members below, in_ and waiting for the child
    std::string errors_;
    bool reaped_ = false;
};

/// The command line program to start as a worker process: beside this program, or where
/// LAPIDARY_WORKER says. Empty: there is none, or LAPIDARY_WORKER is "off".
std::string find_worker_program();
/// Why find_worker_program() returned empty, as a sentence.
std::string why_no_worker();

}  // namespace lapidary::app
