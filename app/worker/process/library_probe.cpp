// SPDX-License-Identifier: Apache-2.0
#include "worker/process/library_probe.h"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>

#include <lapidary/base/error.h>
#include <lapidary/base/failure.h>
#include <lapidary/internal/joined_threads.h>

#include "worker/process/running_process.h"
#include "worker/process/worker_process.h"

namespace lapidary::app {
namespace {

using Clock = std::chrono::steady_clock;

/// Kills a probe that is cancelled, or still there though it should have ended itself: one that was
/// stopped cannot.
class ProbeWatch {
public:
    ProbeWatch(WorkerProcess& process, unsigned seconds, const CancelToken& cancel)
        : process_(process), deadline_(Clock::now() + std::chrono::seconds(seconds + 2)),
          cancel_(cancel) {
        thread_.start(1, "thread to watch a probe", [this](int) { watch(); });
    }
    /// Once it no longer watches.
    bool is_late() {
        thread_.end();
        return is_late_;
    }

private:
    void watch() {
        std::unique_lock lock(mutex_);
        while (
            !changed_.wait_for(lock, std::chrono::milliseconds(20), [this] { return is_done_; })) {
            is_late_ = Clock::now() >= deadline_;
            if (is_late_ || cancel_.is_cancelled()) return process_.kill();
        }
    }
    void stop() {
        const std::lock_guard lock(mutex_);
        is_done_ = true;
        changed_.notify_all();
    }

    WorkerProcess& process_;
    const Clock::time_point deadline_;
    const CancelToken cancel_;
    std::mutex mutex_;
    std::condition_variable changed_;
    bool is_done_ = false, is_late_ = false;
    JoinedThreads thread_{[this] { stop(); }};  // last: it uses the rest
};

}  // namespace

void end_probe_after(unsigned seconds) { end_process_after(seconds); }

std::string described_in_process(const LibraryQuestion& question, const std::filesystem::path& file,
                                 const CancelToken& cancel) {
    const std::string program = find_worker_program();
    if (program.empty()) fail_unsupported(why_no_worker());
    WorkerProcess process({program, question.command, question.option, file.string()});
    process.close_input();
    ProbeWatch watch(process, question.seconds, cancel);
    std::optional<std::string> answer;
    while (const auto line = process.read_line())
        if (line->starts_with('{')) answer = *line;
    const std::string end = process.wait_for_end();
    const bool is_late = watch.is_late();
    if (answer) return *answer;
    cancel.throw_if_cancelled();
    if (is_late || was_ended_by_time(end))
        fail_unsupported("it was not open after " + std::to_string(question.seconds) +
                         " seconds and was given up");
    const std::string words = process.last_words();
    fail_unsupported("it crashed while it was probed: " + end +
                     (words.starts_with(foreign_crash_mark) ? ", " + words : std::string()));
}

void require_safe_to_open(const LibraryQuestion& question, const std::filesystem::path& file,
                          const std::string& place, const CancelToken& cancel) {
    if (find_worker_program().empty()) return;
    try {
        described_in_process(question, file, cancel);
    } catch (const Error& error) {
        if (error.code() == ErrorCode::cancelled) throw;
        throw Error(error.code(), place + ": " + error.message());
    }
}

}  // namespace lapidary::app
