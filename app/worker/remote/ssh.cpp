// SPDX-License-Identifier: Apache-2.0
#include "worker/remote/ssh.h"

#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <optional>
#include <utility>

#include <lapidary/base/error.h>
#include <lapidary/internal/joined_threads.h>

#include "worker/process/worker_process.h"

namespace lapidary::app {
namespace {

constexpr const char* ssh_variable = "LAPIDARY_SSH";
constexpr std::chrono::milliseconds between_looks{20};
constexpr std::chrono::seconds longest_wait_to_send{10};
constexpr std::size_t most_answer_bytes = std::size_t{1} << 20;

std::string ssh_program() {
    const char* const given = std::getenv(ssh_variable);
    return given != nullptr && *given != '\0' ? given : "ssh";
}

/// Kills a process when its job is cancelled, or when it has not ended in time.
class ScriptWatch {
public:
    ScriptWatch(WorkerProcess& process, CancelToken cancel)
        : process_(process), cancel_(std::move(cancel)) {
        thread_.start(1, "thread that watches ssh", [this](int) {
            std::unique_lock lock(mutex_);
            while (!changed_.wait_for(lock, between_looks, [this] { return is_done_; })) {
                is_late_ = end_ && std::chrono::steady_clock::now() > *end_;
                if (is_late_ || cancel_.is_cancelled()) return process_.kill();
            }
        });
    }

    /// The process has so long from now on.
    void limit(std::chrono::milliseconds longest) {
        const std::lock_guard lock(mutex_);
        end_ = std::chrono::steady_clock::now() + longest;
    }
    /// Whether it was killed because its time was over.
    bool is_late() const {
        const std::lock_guard lock(mutex_);
        return is_late_;
    }

private:
    WorkerProcess& process_;
    const CancelToken cancel_;
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::optional<std::chrono::steady_clock::time_point> end_;  // nothing: no limit yet
    bool is_done_ = false, is_late_ = false;
    JoinedThreads thread_{[this] {
        const std::lock_guard lock(mutex_);
        is_done_ = true;
        changed_.notify_all();
    }};  // last: it uses the rest
};

}  // namespace

std::vector<std::string> ssh_command(const Target& target, const std::string& script) {
    if (script.find('\'') != std::string::npos)
        fail(ErrorCode::internal, "a script for ssh has a single quote");
    return {ssh_program(),
            "-T",
            "-oBatchMode=yes",
            "-oConnectTimeout=10",
            "-oServerAliveInterval=2",
            "-oServerAliveCountMax=3",
            "--",
            target.host,
            "exec sh -c '" + script + "'"};
}

std::string folder_script(const Target& target) {
    const std::string& folder = target.folder;
    if (folder.empty()) return "d=\"${XDG_CACHE_HOME:-$HOME/.cache}/lapidary\"; ";
    if (folder.starts_with('/')) return "d=\"" + folder + "\"; ";
    return "d=\"$HOME/" + (folder.starts_with("~/") ? folder.substr(2) : folder) + "\"; ";
}

std::vector<std::string> run_script(const Target& target, const std::string& script,
                                    const Progress& progress,
                                    const std::function<void(const SendLine&)>& write,
                                    std::chrono::milliseconds longest_answer) {
    progress.cancel.throw_if_cancelled();
    std::optional<WorkerProcess> process;
    try {
        process.emplace(ssh_command(target, script));
    } catch (const Error& error) {
        throw Error(ErrorCode::io_failure,
                    error.message() + "; other machines are reached by OpenSSH's program ssh, " +
                        "which has to be installed, or named by LAPIDARY_SSH");
    }
    process->wait_to_send(longest_wait_to_send);
    ScriptWatch watch(*process, progress.cancel);
    if (write) write([&](const std::string& line) { return process->send(line); });
    process->close_input();
    watch.limit(longest_answer);
    std::vector<std::string> lines;
    std::size_t bytes = 0;
    while (auto line = process->read_line()) {
        bytes += line->size() + 1;
        if (bytes > most_answer_bytes)
            fail(ErrorCode::io_failure, target.host + " wrote more than " +
                                            std::to_string(most_answer_bytes) +
                                            " bytes where a few lines were expected");
        lines.push_back(std::move(*line));
    }
    const std::string end = process->wait_for_end();
    progress.cancel.throw_if_cancelled();
    if (watch.is_late())
        fail(ErrorCode::io_failure, target.host + " did not answer within " +
                                        std::to_string(longest_answer.count() / 1000) +
                                        " seconds; `ssh " + target.host +
                                        " true` in a terminal shows more");
    if (end != "exit code 0")
        fail(ErrorCode::io_failure, connection_problem(target, end, process->last_words()));
    return lines;
}

std::string connection_problem(const Target& target, const std::string& end,
                               const std::string& last_words) {
    const bool is_of_ssh = end == "exit code 255";  // ssh's own failures
    std::string words = last_words;
    while (!words.empty() && (words.back() == '\r' || words.back() == '.')) words.pop_back();
    if (words.empty()) words = end;
    if (!is_of_ssh) return target.host + " could not do what was asked: " + words;
    std::string advice = "`ssh " + target.host + " true` in a terminal shows more";
    if (words.find("ermission denied") != std::string::npos)
        advice = "ssh asks no password here: add a key, for example by `ssh-copy-id " +
                 target.host + "`";
    else if (words.find("ost key verification failed") != std::string::npos)
        advice = "run `ssh " + target.host + "` in a terminal once and compare its key";
    return target.host + " cannot be reached: " + words + "; " + advice;
}

}  // namespace lapidary::app
