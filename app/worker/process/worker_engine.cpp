// SPDX-License-Identifier: Apache-2.0
#include "worker/process/worker_engine.h"

#include <algorithm>
#include <exception>
#include <utility>
#include <vector>

#include <lapidary/internal/base64.h>
#include <lapidary/internal/parse_json.h>
#include <lapidary/internal/shared_memory.h>

#include "worker/protocol/error_json.h"
#include "worker/jobs/job_kind.h"
#include "worker/process/serve.h"
#include "worker/process/worker_process.h"

namespace lapidary::app {
namespace {

using Clock = std::chrono::steady_clock;

// how often a waiting call looks whether it was cancelled or paused
constexpr std::chrono::milliseconds cancel_poll_interval{10};
constexpr std::chrono::seconds longest_start{60};
// for one call, or ahead: it may be killed before it is ready
constexpr int most_starts = 3;
constexpr std::chrono::seconds early{2};
constexpr std::chrono::milliseconds longest_end{1500};  // at the end of this program
constexpr std::chrono::seconds longest_send_elsewhere{3};

[[noreturn]] void fail_dead(const WorkerEnd& end) {
    std::string message = "it ended (" + end.reason + ")";
    if (!end.running.empty()) message += " while running " + end.running;
    if (!end.last_words.empty()) message += "; its last words: " + end.last_words;
    throw Error(ErrorCode::process_ended, std::move(message)).at(worker_place);
}

/// Of an opening_line(); empty where it is none.
std::string opened_file(const std::string& line) {
    try {
        return parse_json(line, "the line of the worker").at("opening").get<std::string>();
    } catch (const std::exception&) { return {}; }
}

/// Of the hello; 0 where it has none.
long reported_process(const std::string& line) {
    try {
        return parse_json(line, "the hello of the worker").at("hello").value("process", 0L);
    } catch (const std::exception&) { return 0; }
}

}  // namespace

WorkerEngine::WorkerEngine(WorkerOptions options)
    : WorkerEngine(std::move(options), std::make_shared<EngineHandle>(*this)) {}

WorkerEngine::WorkerEngine(WorkerOptions options, EngineHandlePtr handle)
    : options_(std::move(options)), handle_(std::move(handle)) {
    manager_.start(1, "thread that watches the worker", [this](int) { manage(); });
}

WorkerEngine::~WorkerEngine() {
    if (handle_->is_of(*this)) handle_->close();
    {
        std::unique_lock lock(mutex_);
        stopping_ = end_expected_ = true;
        changed_.notify_all();
        if (process_) process_->close_input();
        while (!changed_.wait_for(lock, longest_end, [this] { return managed_; }))
            if (process_) process_->kill();  // a process may have been started just now
    }
    manager_.join();
}

// ---- the manager thread, which starts the worker and reads its lines

void WorkerEngine::manage() {
    SharedMemory::remove_abandoned();
    std::unique_lock lock(mutex_);
    for (;;) {
        changed_.wait(lock, [this] { return wanted_ || stopping_; });
        if (stopping_) break;
        wanted_ = false;
        std::vector<std::string> command = options_.command;
        const std::vector<std::string> arguments = options_.arguments;
        command.insert(command.end(), arguments.begin(), arguments.end());
        const std::uint64_t limit = options_.memory_limit;
        if (limit > 0) command.insert(command.end(), {"--memory-limit", std::to_string(limit)});
        lock.unlock();
        std::shared_ptr<WorkerProcess> process;
        std::string failure;
        try {
            process = std::make_shared<WorkerProcess>(command);
        } catch (const Error& error) { failure = error.what(); }
        lock.lock();
        start_failure_ = failure;
        changed_.notify_all();
        if (!process) continue;
        if (options_.is_elsewhere) process->wait_to_send(longest_send_elsewhere);
        process_ = process;
        process_limit_ = limit;
        process_arguments_ = arguments;
        ready_ = end_expected_ = false;
        forget_lines();
        heard_ = Clock::now();
        reported_process_ = 0;
        if (stopping_) process->close_input();
        lock.unlock();
        live(process);
        lock.lock();
    }
    managed_ = true;
    changed_.notify_all();
}

void WorkerEngine::take_line(WorkerProcess& process, std::string line, std::string& opening) {
    std::unique_lock lock(mutex_);
    heard_ = Clock::now();
    if (!ready_ && line.starts_with("{\"hello\"")) {
        ready_ = true;
        reported_process_ = reported_process(line);
    } else if (!ready_ && line.starts_with("{\"opening\"")) {
        opening = opened_file(line);
    } else if (options_.is_elsewhere && line.starts_with("{\"alive\"")) {
        if (!sending_) {
            lock.unlock();
            process.send({});
            lock.lock();
        }
    } else if (!running_.empty()) {
        inbox_bytes_ += line.size();
        inbox_.push_back(std::move(line));
        // A worker that writes faster than its lines are read has to wait.
        changed_.notify_all();
        changed_.wait(
            lock, [&] { return inbox_bytes_ < longest_line || running_.empty() || end_expected_; });
    }
    changed_.notify_all();
}

void WorkerEngine::live(const std::shared_ptr<WorkerProcess>& process) {
    const auto start = Clock::now();
    std::string opening;
    while (std::optional<std::string> line = process->read_line())
        take_line(*process, std::move(*line), opening);
    WorkerEnd end;
    end.reason = process->wait_for_end();
    end.last_words = process->last_words();
    for (const long number : {process->id(), reported_process_})
        if (number > 0 && !options_.is_elsewhere) SharedMemory::remove_left_by(number);
    bool expected = false;
    {
        const std::lock_guard lock(mutex_);
        end.running = running_;
        if (!ready_) end.opening = opening;
        newest_end_ = end;
        expected = end_expected_ || stopping_;
        process_ = nullptr;
        early_ends_ =
            running_.empty() && !expected && Clock::now() - start < early ? early_ends_ + 1 : 0;
        // otherwise another start would probably fail too
        wanted_ = (ready_ || expected) && early_ends_ < most_starts && !options_.is_elsewhere;
        end.starts_again = wanted_;
        if (!ready_ && !expected)
            start_failure_ =
                options_.command.front() + " ended before it was ready (" + end.reason + ")" +
                (end.opening.empty() ? "" : ", while it opened " + quote(end.opening)) +
                (end.last_words.empty() ? "" : ": " + end.last_words);
        ready_ = false;
        changed_.notify_all();
    }
    if (!expected && options_.on_end) options_.on_end(end);
}

// ---- calls

/// The place of a call in the queue of calls. The constructor waits until it is first.
struct WorkerEngine::Turn {
    Turn(WorkerEngine& engine, std::unique_lock<std::mutex>& held, const Progress& progress)
        : of(engine), lock(held), number(engine.next_turn_++) {
        of.waiting_.push_back(number);
        try {
            if (of.waiting_.front() != number) progress.step("wait for another task");
            while (of.waiting_.front() != number) {
                of.changed_.wait_for(lock, cancel_poll_interval);
                progress.cancel.throw_if_cancelled();
            }
        } catch (...) {
            leave();
            throw;
        }
    }
    ~Turn() {
        of.running_.clear();
        of.heard_ = Clock::now();
        of.watch_silence(lock, {});
        leave();
    }
    void leave() {
        std::erase(of.waiting_, number);
        of.changed_.notify_all();
    }
    WorkerEngine& of;
    std::unique_lock<std::mutex>& lock;
    std::uint64_t number;
};

nlohmann::json WorkerEngine::ask(Json request, const std::string& what, const Progress& progress,
                                 const SweepControl* control,
                                 const std::function<void(const Json&)>& on_state) {
    std::unique_lock lock(mutex_);
    const Turn turn(*this, lock, progress);
    heard_ = Clock::now();
    wait_until_ready(lock, what, progress);
    const std::int64_t id = next_id_++;
    request["id"] = id;
    forget_lines();
    heard_ = Clock::now();
    running_ = what;
    const auto process = process_;
    sending_ = true;
    lock.unlock();
    process->send(line_of(request));
    lock.lock();
    sending_ = false;
    heard_ = Clock::now();  // a slow network takes its time
    return exchange(lock, process, id, progress, control, on_state);
}

/// Reports once when the worker was silent for too long, and once when that is over.
void WorkerEngine::watch_silence(std::unique_lock<std::mutex>& lock, const std::string& what) {
    const bool is_silent = process_ && Clock::now() - heard_ > options_.silence;
    if (is_silent == reported_silent_) return;
    reported_silent_ = is_silent;
    if (!options_.on_silence) return;
    lock.unlock();
    options_.on_silence({is_silent, what});
    lock.lock();
}

void WorkerEngine::wait_until_ready(std::unique_lock<std::mutex>& lock, const std::string& what,
                                    const Progress& progress) {
    const auto deadline = Clock::now() + longest_start;
    if (process_ &&
        (process_limit_ != options_.memory_limit || process_arguments_ != options_.arguments))
        stop_worker(lock, &progress);
    if (!process_) {
        start_failure_.clear();
        wanted_ = true;
        changed_.notify_all();
    }
    for (int starts = 1; !ready_;) {
        if (!process_ && !start_failure_.empty() && !wanted_) {
            if (starts++ == (options_.is_elsewhere ? 1 : most_starts))
                fail(ErrorCode::io_failure, start_failure_);
            start_failure_.clear();
            wanted_ = true;
            changed_.notify_all();
        }
        if (Clock::now() > deadline)
            fail(ErrorCode::io_failure, options_.command.front() + " is not ready after a minute");
        changed_.wait_for(lock, cancel_poll_interval);
        progress.cancel.throw_if_cancelled();
        watch_silence(lock, what);
    }
}

/// Ends the worker on purpose and waits until it is gone.
void WorkerEngine::stop_worker(std::unique_lock<std::mutex>& lock, const Progress* progress) {
    end_expected_ = true;
    const auto process = process_;
    process->kill();
    while (process_ == process) {
        changed_.wait_for(lock, cancel_poll_interval);
        if (progress) progress->cancel.throw_if_cancelled();
    }
}

namespace {

/// An answer to the job `id`, or the error of a request that was not understood, which has none.
bool concerns(const Json& answer, std::int64_t id) {
    if (!answer.is_object()) return false;
    return answer.value("id", Json()) == Json(id) ||
           (!answer.contains("id") && answer.contains("error"));
}

void report(const Json& reported, const Progress& progress) {
    if (progress.report)
        progress.report(reported.value("stage", std::string()), reported.value("fraction", -1.0));
}

}  // namespace

/// What is known of a job while the worker does it.
struct WorkerEngine::Conversation {
    std::shared_ptr<WorkerProcess> process;
    std::int64_t id;
    const Progress& progress;
    const SweepControl* control;
    const std::function<void(const nlohmann::json&)>& on_state;
    std::optional<Clock::time_point> cancelled = {};  // when the cancel was sent to the worker
    bool paused = false;
    std::exception_ptr thrown = {};  // by on_state or progress: ends the job
    std::optional<nlohmann::json> result = {};
    std::optional<Error> error = {};
    std::optional<SharedMemory> block = {};  // whose parts arrive
    std::size_t arrived = 0;                 // bytes of it

    void take_part(const std::string& text, std::size_t bytes) {
        const std::vector<std::byte> part = from_base64(text);
        if (!block) block = SharedMemory::create(bytes);
        if (part.size() > block->bytes().size() - arrived)
            fail_input("the parts of a result are larger than it");
        std::ranges::copy(part, block->bytes().begin() + static_cast<std::ptrdiff_t>(arrived));
        arrived += part.size();
    }
    /// Has the result name the block whose parts arrived.
    void complete_block() {
        if (!block) return;
        if (arrived != block->bytes().size()) fail_input("parts of a result are missing");
        (*result)["block"] = {{"name", block->name()}, {"bytes", arrived}};
        block->hand_on();
    }

    /// Takes one line of the worker.
    void hear(const std::string& line) {
        try {
            const Json answer = parse_json(line, "the answer of the worker");
            if (!concerns(answer, id)) return;
            if (answer.contains("result")) {
                result = answer.at("result");
                complete_block();
            } else if (answer.contains("part")) {
                take_part(answer.at("part").get_ref<const std::string&>(),
                          answer.at("of").get<std::size_t>());
            } else if (answer.contains("error")) {
                error = read_json<SentError>(answer.at("error"), "the error").error();
            } else if (answer.contains("state") && on_state && !thrown) {
                on_state(answer.at("state"));
            } else if (answer.contains("progress") && !cancelled) {
                report(answer.at("progress"), progress);
            }
        } catch (...) { thrown = std::current_exception(); }
    }
};

/// Sends the worker the caller's requests to cancel, pause or resume.
void WorkerEngine::forward_controls(std::unique_lock<std::mutex>& lock, Conversation& talk) {
    const auto report = [&](const char* word) {
        lock.unlock();
        talk.process->send(line_of({{word, talk.id}}));
        lock.lock();
    };
    if (!talk.cancelled && (talk.thrown || talk.progress.cancel.is_cancelled())) {
        talk.cancelled = Clock::now();
        report("cancel");
    }
    if (talk.control && talk.control->paused != talk.paused) {
        talk.paused = !talk.paused;
        report(talk.paused ? "pause" : "resume");
    }
}

/// Waits for one cancel_poll_interval, or until there is a line; fails where no line will come.
void WorkerEngine::wait_for_line(std::unique_lock<std::mutex>& lock, const Conversation& talk) {
    const bool is_dead = process_ != talk.process;
    const bool is_stuck =
        !is_dead && talk.cancelled && Clock::now() - *talk.cancelled > options_.patience;
    if (is_stuck) stop_worker(lock, nullptr);
    if ((is_dead || is_stuck) && talk.thrown) std::rethrow_exception(talk.thrown);
    if (is_dead) fail_dead(newest_end_);
    if (is_stuck)
        fail(ErrorCode::cancelled,
             "cancelled; the worker process did not stop by itself and was ended");
    changed_.wait_for(lock, cancel_poll_interval);
}

/// Forwards reports of the worker until its answer arrives, and returns that. An exception of
/// `on_state` or `progress` cancels the job before it is thrown on.
nlohmann::json WorkerEngine::exchange(std::unique_lock<std::mutex>& lock,
                                      const std::shared_ptr<WorkerProcess>& process,
                                      std::int64_t id, const Progress& progress,
                                      const SweepControl* control,
                                      const std::function<void(const Json&)>& on_state) {
    Conversation talk{process, id, progress, control, on_state};
    for (;;) {
        forward_controls(lock, talk);
        watch_silence(lock, running_);
        if (inbox_.empty()) {
            wait_for_line(lock, talk);
            continue;
        }
        const std::string line = std::move(inbox_.front());
        inbox_.pop_front();
        inbox_bytes_ -= line.size();
        changed_.notify_all();
        lock.unlock();
        talk.hear(line);
        lock.lock();
        if ((talk.result || talk.error) && talk.thrown) std::rethrow_exception(talk.thrown);
        if (talk.error) throw *talk.error;
        if (talk.result) return std::move(*talk.result);
    }
}

nlohmann::json WorkerEngine::request_of(const JobKind& kind, const void* job) const {
    Json request = kind.request(job);
    const std::lock_guard lock(mutex_);
    if (!documents_) return request;
    std::vector<std::uint64_t> open = kind.documents(job);
    open.insert(open.end(), documents_->begin(), documents_->end());
    request["documents"] = open;
    return request;
}

void WorkerEngine::run(const JobKind& kind, const void* job, void* result, const Progress& progress,
                       const CallHooks& hooks) {
    if (!kind.in_other_process(job)) return local_.run(kind, job, result, progress, hooks);
    const Lane lane = kind.runs_beside() && is_busy() ? Lane::models : kind.lane();
    const Json sent =
        engine_of(lane).ask(request_of(kind, job), kind.title(job), progress, hooks.control,
                            [&](const Json& state) { kind.read_state(state, hooks.on_state); });
    kind.read_result(sent, job, result, progress, handle_);
}

}  // namespace lapidary::app
