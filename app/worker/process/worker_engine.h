// SPDX-License-Identifier: Apache-2.0
// Runs models in a process of its own, which may die, be killed or run out of memory without taking
// this one along.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include <lapidary/base/error.h>
#include <lapidary/internal/joined_threads.h>

#include "worker/jobs/engine.h"

namespace lapidary::app {

class WorkerProcess;

/// Begins Error::where() of what a worker process that ended left unfinished.
inline constexpr char worker_place[] = "worker process";

/// How a worker process ended that nobody had asked to end.
struct WorkerEnd {
    std::string reason;   // "signal 9 (Killed)", "exit code 3"
    std::string running;  // what it was at: "the profile of squeezenet.onnx"; empty: nothing
    // the plugin or library that it was opening before it was ready; empty: none
    std::string opening;
    std::string last_words;  // last line of its standard error; empty: none
    // false: it died before it was ready, or soon after again and again; the next call tries again
    bool starts_again = true;
};

/// A worker of which nothing was heard for longer than one that is well is ever silent, while a
/// call waits for it.
struct WorkerSilence {
    bool is_silent = true;  // false: it was heard again, has ended, or nobody waits for it any more
    std::string running;    // what it is at
};

struct WorkerOptions {
    // program and arguments; a memory limit comes behind
    std::vector<std::string> command;
    std::vector<std::string> arguments = {};   // behind it
    std::uint64_t memory_limit = 0;            // bytes; 0: none
    std::chrono::milliseconds patience{2000};  // from a cancel to the kill
    /// From a thread of the engine; within milliseconds of the end.
    std::function<void(const WorkerEnd&)> on_end = {};
    // several signs of life are missing (worker_beat)
    std::chrono::milliseconds silence{8000};
    /// From the thread of a call that waits, once with `is_silent` and once without. The call goes
    /// on waiting.
    std::function<void(const WorkerSilence&)> on_silence = {};
};

/// Starts `lapidary-cli serve` at once and again whenever it ends. Calls block, from any thread;
/// one job runs at a time, in the order of the calls. A cancel is passed on at once; a worker that
/// does not answer it within the patience is killed. When the worker dies the running call throws
/// Error{process_ended}; the next call goes to a new one. A model that only exists in this process
/// (`!source.in_other_process()`) is run here by a LocalEngine.
class WorkerEngine : public Engine {
public:
    /// Throws limit_exceeded when the system refuses a thread.
    explicit WorkerEngine(WorkerOptions options);
    /// Ends the worker. No call may be running.
    ~WorkerEngine() override;

    /// In a worker of its own while the other one is at something else. Returns where no worker can
    /// be had.
    void survive_reading(const ModelSource& model, const Progress& progress) override;
    RunRecord profile(const ModelSource& model, const RunSettings& settings,
                      const Progress& progress) override;
    std::vector<Measurement> measure(
        const MeasureJob& job, const Progress& progress,
        const std::function<void(const std::vector<Measurement>&)>& on_round) override;
    SweepResult sweep(const SweepJob& job, const Progress& progress, const SweepControl* control,
                      const std::function<void(const SweepResult&)>& on_change) override;
    std::vector<OutputComparison> compare_outputs(const ModelSource& a, const ModelSource& b,
                                                  const RunSettings& settings,
                                                  const Progress& progress) override;
    QuantizeRecord quantize(const QuantizeJob& job, const Progress& progress,
                            const std::function<void(const QuantizeRecord&)>& on_change) override;
    SampleLook look_at_samples(const ModelSource& model, const SampleChoice& samples,
                               const std::filesystem::path& labels,
                               const Progress& progress) override;
    InputLook look_at_inputs(const ModelSource& model, const RunSettings& settings,
                             const std::vector<std::string>& dropped,
                             const Progress& progress) override;

    /// From the next call on.
    void set_memory_limit(std::uint64_t bytes);
    /// WorkerOptions::arguments, from the next call on.
    void set_arguments(std::vector<std::string> arguments);
    /// Kills the worker that is there, which the running call is told of as of any other end. From
    /// any thread.
    void end_worker();
    /// Of the worker process that is there; 0: none at the moment.
    long process_id() const;

private:
    struct Turn;
    /// For a worker beside this one, while it is at something.
    std::optional<WorkerOptions> options_if_busy() const;
    using Json = nlohmann::json;
    /// One request from its turn to its answer, which is what it returns. `what` names it for
    /// messages.
    Json call(Json request, const std::string& what, const Progress& progress,
              const SweepControl* control = nullptr,
              const std::function<void(const Json&)>& on_state = {});
    void wait_until_ready(std::unique_lock<std::mutex>& lock, const std::string& what,
                          const Progress& progress);
    void watch_silence(std::unique_lock<std::mutex>& lock, const std::string& what);
    Json converse(std::unique_lock<std::mutex>& lock, const std::shared_ptr<WorkerProcess>& process,
                  std::int64_t id, const Progress& progress, const SweepControl* control,
                  const std::function<void(const Json&)>& on_state);
    struct Conversation;
    void forget_lines();
    void pass_on(std::unique_lock<std::mutex>& lock, Conversation& talk);
    void wait_for_line(std::unique_lock<std::mutex>& lock, const Conversation& talk);
    void manage();
    void live(const std::shared_ptr<WorkerProcess>& process);
    void retire(std::unique_lock<std::mutex>& lock, const Progress* progress);

    WorkerOptions options_;
    LocalEngine local_;
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::shared_ptr<WorkerProcess> process_;      // null: none
    std::uint64_t process_limit_ = 0;             // it was started with
    std::vector<std::string> process_arguments_;  // likewise
    bool ready_ = false;                          // it said hello
    bool wanted_ = true;                          // start one
    bool end_expected_ = false;                   // it was asked to
    bool stopping_ = false, managed_ = false;     // managed_: the manager has ended
    // how often in a row it died with nothing to do, soon after its start
    int early_ends_ = 0;
    std::string start_failure_;  // why the last start failed; empty: it did not
    WorkerEnd newest_end_;
    // when it last wrote a line, or was asked something
    std::chrono::steady_clock::time_point heard_;
    bool reported_silent_ = false;  // on_silence was told that it is
    // its number as it tells it: of a script that started it, another one
    long reported_process_ = 0;
    std::size_t inbox_bytes_ = 0;        // of inbox_
    std::deque<std::string> inbox_;      // lines of the worker for the running call
    std::string running_;                // what the running call is; empty: none
    std::deque<std::uint64_t> waiting_;  // calls in their order, the running one first
    std::uint64_t next_turn_ = 0;
    std::int64_t next_id_ = 1;
    JoinedThreads manager_;  // last: it uses the rest
};

}  // namespace lapidary::app
