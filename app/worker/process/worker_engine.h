// SPDX-License-Identifier: Apache-2.0
// Runs models in a separate process, which may crash, be killed or run out of memory without harm
// to this one.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include <lapidary/base/error.h>
#include <lapidary/internal/joined_threads.h>

#include "worker/jobs/engine.h"
#include "worker/jobs/engine_handle.h"

namespace lapidary::app {

class WorkerProcess;

/// The start of Error::where() for calls that the end of a worker process interrupted.
inline constexpr char worker_place[] = "worker process";

/// How a worker process ended without being asked to.
struct WorkerEnd {
    std::string reason;   // "signal 9 (Killed)", "exit code 3"
    std::string running;  // its job: "the profile of squeezenet.onnx"; empty: none
    // the plugin or library that it was opening during its start; empty: none
    std::string opening;
    std::string last_words;  // last line of its standard error; empty: none
    // false: it died during its start, or repeatedly soon after it; the next call tries again
    bool starts_again = true;
};

/// Reported while a call waits for a worker that has been silent for longer than a healthy one ever
/// is.
struct WorkerSilence {
    bool is_silent = true;  // false: it sent something, has ended, or no call waits for it any more
    std::string running;    // its job
};

struct WorkerOptions {
    // program and arguments; a memory limit follows
    std::vector<std::string> command;
    std::vector<std::string> arguments = {};   // after the command
    std::uint64_t memory_limit = 0;            // bytes; 0: none
    std::chrono::milliseconds patience{2000};  // from a cancel until the kill
    /// Called on a thread of the engine, within milliseconds after the end.
    std::function<void(const WorkerEnd&)> on_end = {};
    // several times worker_beat
    std::chrono::milliseconds silence{8000};
    /// Called on the thread of a waiting call, once with `is_silent` and once without. The call
    /// goes on waiting.
    std::function<void(const WorkerSilence&)> on_silence = {};
    /// The command reaches a worker on another machine (ServeOptions::is_elsewhere), which is
    /// started by calls alone, once for each, and does the jobs of all lanes.
    bool is_elsewhere = false;
};

/// Starts `lapidary-cli serve` at once, and again whenever it ends. Calls block and may come from
/// any thread; one job runs at a time, in the order of the calls. A cancel is passed on at once; a
/// worker that does not react within the patience is killed. If the worker dies, the running call
/// throws Error{process_ended}, and the next call uses a new worker. A model that only exists in
/// this process (`!source.in_other_process()`) is run here by a LocalEngine.
/// Each Lane has a worker of its own, which is started when the first job of the lane is called.
class WorkerEngine : public Engine {
public:
    /// Throws limit_exceeded if the system refuses a thread.
    explicit WorkerEngine(WorkerOptions options);
    /// Ends the worker. No call may be running.
    ~WorkerEngine() override;

    void run(const JobKind& kind, const void* job, void* result, const Progress& progress,
             const CallHooks& hooks) override;

    /// Applies from the next call on.
    void set_memory_limit(std::uint64_t bytes);
    /// The documents that are open (ModelSource::document). Each worker releases the models of
    /// others when it gets its next job.
    void set_documents(const std::vector<std::uint64_t>& open);
    /// Sets WorkerOptions::arguments, from the next call on.
    void set_arguments(std::vector<std::string> arguments);
    /// Kills the workers that are silent, or else the one that runs models; the running call throws
    /// as after any other end. From any thread.
    void end_worker();
    /// The id of the current worker process that runs models; 0: none at the moment.
    long process_id() const;
    /// The same of another lane.
    long process_id(Lane lane) const;
    /// How the newest worker that ended did so; empty: none has.
    WorkerEnd newest_end() const;
    /// For whoever may outlive the engine.
    const EngineHandlePtr& handle() const { return handle_; }

private:
    struct Turn;
    WorkerEngine(WorkerOptions options, EngineHandlePtr handle);
    bool is_busy() const;
    /// The engine of that lane, started if it is not there yet. It lives as long as this one.
    WorkerEngine& engine_of(Lane lane);
    /// Those that were started beside this one.
    std::vector<WorkerEngine*> other_lanes() const;
    bool end_if_silent();
    using Json = nlohmann::json;
    /// Names the open documents, and those that the job is about.
    Json request_of(const JobKind& kind, const void* job) const;
    /// One request from its turn to its answer, which is what it returns. `what` names it for
    /// messages.
    Json ask(Json request, const std::string& what, const Progress& progress,
             const SweepControl* control, const std::function<void(const Json&)>& on_state);
    void wait_until_ready(std::unique_lock<std::mutex>& lock, const std::string& what,
                          const Progress& progress);
    void watch_silence(std::unique_lock<std::mutex>& lock, const std::string& what);
    Json exchange(std::unique_lock<std::mutex>& lock, const std::shared_ptr<WorkerProcess>& process,
                  std::int64_t id, const Progress& progress, const SweepControl* control,
                  const std::function<void(const Json&)>& on_state);
    struct Conversation;
    void forget_lines();
    void forward_controls(std::unique_lock<std::mutex>& lock, Conversation& talk);
    void wait_for_line(std::unique_lock<std::mutex>& lock, const Conversation& talk);
    void manage();
    void live(const std::shared_ptr<WorkerProcess>& process);
    /// One line of the worker. `opening` becomes the file that it says it opens.
    void take_line(WorkerProcess& process, std::string line, std::string& opening);
    void stop_worker(std::unique_lock<std::mutex>& lock, const Progress* progress);

    WorkerOptions options_;
    LocalEngine local_;
    EngineHandlePtr handle_;
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::shared_ptr<WorkerProcess> process_;      // null: none
    std::uint64_t process_limit_ = 0;             // the process was started with it
    std::vector<std::string> process_arguments_;  // the process was started with them
    bool ready_ = false;                          // it said hello
    bool sending_ = false;                        // a request
    bool wanted_ = true;                          // a process should be started
    bool end_expected_ = false;                   // the process was asked to end
    bool stopping_ = false, managed_ = false;     // managed_: the manager has ended
    // how often in a row it died idle soon after its start
    int early_ends_ = 0;
    std::string start_failure_;  // why the last start failed; empty: it succeeded
    WorkerEnd newest_end_;
    // when the worker last sent a line, or was sent a request
    std::chrono::steady_clock::time_point heard_;
    bool reported_silent_ = false;  // on_silence was called with is_silent
    // the id that the worker reports; differs from the child's if a script started the worker
    long reported_process_ = 0;
    std::size_t inbox_bytes_ = 0;        // of inbox_
    std::deque<std::string> inbox_;      // lines of the worker for the running call
    std::string running_;                // what the running call is; empty: none
    std::deque<std::uint64_t> waiting_;  // calls in their order, the running one first
    std::optional<std::vector<std::uint64_t>> documents_;  // empty: set_documents() was not called
    std::uint64_t next_turn_ = 0;
    std::int64_t next_id_ = 1;
    JoinedThreads manager_;                                // ends before the members it uses
    mutable std::mutex lanes_mutex_;                       // of lanes_, not of what is in it
    std::map<Lane, std::unique_ptr<WorkerEngine>> lanes_;  // all but Lane::runs
};

}  // namespace lapidary::app
