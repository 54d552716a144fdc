// SPDX-License-Identifier: Apache-2.0
#include "worker/process/serve.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <new>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <lapidary/base/failure.h>
#include <lapidary/internal/base64.h>
#include <lapidary/internal/joined_threads.h>
#include <lapidary/internal/parse_json.h>
#include <lapidary/internal/shared_memory.h>

#include "worker/protocol/error_json.h"
#include "worker/jobs/job_kind.h"
#include "worker/process/line_reader.h"
#include "worker/process/running_process.h"
#include "worker/process/standard_streams.h"
#include "worker/process/worker_limits.h"

namespace lapidary {
namespace app {

/// What every request of a job has; its other members are those of the job.
struct RequestHead {
    std::int64_t id = 0;
    std::string job;
    std::optional<std::vector<std::uint64_t>> documents;  // for ModelCache::keep_open()
};
/// About a job that was asked for: one of them.
struct Order {
    std::optional<std::int64_t> cancel, pause, resume;
};

}  // namespace app

template <>
struct Members<app::RequestHead> {
    using T = app::RequestHead;
    static constexpr auto list =
        members<T>(member<&T::id>("id").required(), member<&T::job>("job").required(),
                   member<&T::documents>("documents"));
};
template <>
struct Members<app::Order> {
    using T = app::Order;
    static constexpr auto list = members<T>(
        member<&T::cancel>("cancel"), member<&T::pause>("pause"), member<&T::resume>("resume"));
};

}  // namespace lapidary

namespace lapidary::app {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds between_reports{33};
constexpr std::chrono::milliseconds glance{20};
constexpr std::chrono::seconds time_to_stop{1};

/// The stream of answers, a whole line at a time.
class Answers {
public:
    explicit Answers(int out) : out_(out) {}
    void send(const Json& answer) {
        const std::string line = line_of(answer) + '\n';
        const std::lock_guard lock(mutex_);
        if (is_closed_) return;
        write_all(out_, line);  // a failure is ignored: without a reader the input ends too
    }
    bool has_reader() const { return app::has_reader(out_); }
    /// Nothing is sent any more.
    void close() { is_closed_ = true; }

private:
    int out_;
    std::mutex mutex_;
    std::atomic<bool> is_closed_ = false;
};

Json error_answer(const Error& error) { return {{"error", json_of(SentError::of(error))}}; }

struct Task {
    std::int64_t id = 0;
    std::string job;
    std::optional<std::vector<std::uint64_t>> documents;
    Json request;  // the members of the job
    CancelToken cancel;
    SweepControl control;
};

class Server {
public:
    explicit Server(const ServeOptions& options)
        : options_(options), answers_(options.out), limits_(limits_for(options.memory_limit)) {}

    void run() {
        answers_.send({{"hello",
                        {{"program", "lapidary-cli"},
                         {"version", options_.version},
                         {"protocol", protocol_version},
                         {"process", this_process()}}}});
        worker_.start(2, "threads that run jobs and report that they do", [this](int which) {
            if (which == 0) work();
            else beat();
        });
        const LineReader* reading = nullptr;
        LineReader requests(options_.in, longest_request, [this, &reading] {
            return is_over() || (options_.is_elsewhere && reading->was_quiet_for(longest_quiet));
        });
        reading = &requests;
        std::string line;
        for (std::size_t number = 1;; ++number) {
            const LineReader::Kind kind = requests.next(line);
            if (kind == LineReader::Kind::end) break;
            try {
                if (kind == LineReader::Kind::too_long)
                    fail_limit("the line is longer than " + std::to_string(longest_request) +
                               " bytes");
                take(line);
            } catch (Error& error) {
                answers_.send(error_answer(error.at("line " + std::to_string(number))));
            }
        }
        finish();
    }

private:
    /// True if the reader of the answers is gone, or the process must stop.
    bool is_over() const {
        return !answers_.has_reader() || parent_process() != parent_ ||
               options_.stop.is_cancelled();
    }

    void take(const std::string& line) {
        if (line.find_first_not_of(" \t\r") == std::string::npos) return;
        Json request = parse_json(line, "a request");
        const std::string what = "a request";
        if (request.contains("cancel") || request.contains("pause") || request.contains("resume"))
            return obey(read_json<Order>(request, what));
        auto head = read_json<RequestHead>(request, what, true);
        request.erase("id");
        request.erase("job");
        request.erase("documents");
        const std::lock_guard lock(mutex_);
        if (tasks_.contains(head.id))
            fail_input("there is a job " + std::to_string(head.id) + " already");
        auto task = std::make_shared<Task>();
        task->id = head.id;
        task->job = std::move(head.job);
        task->documents = std::move(head.documents);
        task->request = std::move(request);
        tasks_[head.id] = task;
        queue_.push_back(std::move(task));
        changed_.notify_all();
    }

    /// Carries out an order. Does nothing if the job has ended, because its answer was sent.
    void obey(const Order& order) {
        const std::lock_guard lock(mutex_);
        const auto act = [&](const std::optional<std::int64_t>& id, const auto& on_task) {
            if (!id) return;
            if (const auto at = tasks_.find(*id); at != tasks_.end()) on_task(*at->second);
        };
        act(order.cancel, [](Task& task) { task.cancel.cancel(); });
        act(order.pause, [](Task& task) { task.control.paused = true; });
        act(order.resume, [](Task& task) { task.control.paused = false; });
    }

    void work() {
        std::unique_lock lock(mutex_);
        for (;;) {
            changed_.wait(lock, [this] { return !queue_.empty() || stopping_; });
            if (queue_.empty()) break;
            const std::shared_ptr<Task> task = queue_.front();
            queue_.pop_front();
            lock.unlock();
            Json answer = answer_to(*task);
            answer["id"] = task->id;
            if (options_.is_elsewhere) send_block(answer);
            lock.lock();
            tasks_.erase(task->id);  // first, because the reader of the answer may use the id again
            lock.unlock();
            answers_.send(answer);
            lock.lock();
        }
        done_ = true;
        changed_.notify_all();
    }

    /// Sends the block that the answer names, if it names one, and leaves its size.
    void send_block(Json& answer) {
        if (!answer.contains("result") || !answer["result"].is_object() ||
            !answer["result"].contains("block"))
            return;
        try {
            const ResultBlock block = read_json<BlockResult>(answer["result"], "the result").block;
            const SharedMemory memory = SharedMemory::take(block.name, block.bytes);
            for (std::span<const std::byte> rest = memory.bytes(); !rest.empty();) {
                const std::size_t part = std::min(rest.size(), part_bytes);
                answers_.send({{"id", answer["id"]},
                               {"part", to_base64(rest.first(part))},
                               {"of", block.bytes}});
                rest = rest.subspan(part);
            }
            answer["result"] = json_of(BlockResult{{"", block.bytes}});
        } catch (const Error& error) {
            const Json id = answer["id"];
            answer = error_answer(error);
            answer["id"] = id;
        }
    }

    Json answer_to(Task& task) {
        try {
            task.cancel.throw_if_cancelled();
            const JobKind* const kind = find_job(task.job);
            if (!kind)
                fail_input("there is no job " + quote(task.job) + "; the jobs are " + known_jobs());
            if (task.documents) cache_.keep_open(*task.documents);
            const Progress progress = progress_of(task);
            const auto send_state = [&](Json state) {
                answers_.send({{"id", task.id}, {"state", std::move(state)}});
            };
            return {
                {"result", kind->serve(task.request, {progress, &task.control, limits_, &cache_},
                                       send_state)}};
        } catch (const Error& error) {
            if (error.code() != ErrorCode::limit_exceeded || options_.memory_limit == 0)
                return error_answer(error);
            cache_.clear();
            Error reported(error.code(),
                           error.message() + "; " + memory_limit_text(options_.memory_limit));
            for (std::size_t i = error.where().size(); i-- > 0;) reported.at(error.where()[i]);
            return error_answer(reported);
        } catch (const std::bad_alloc&) { return out_of_memory(); } catch (...) {
            const Error error = error_in_flight("the job");
            if (error.code() == ErrorCode::limit_exceeded) return out_of_memory();  // no thread
            return error_answer(error);
        }
    }

    Json out_of_memory() {
        cache_.clear();
        const std::string text = options_.memory_limit == 0
                                     ? "there is not enough memory for this"
                                     : "there is not enough memory for this; " +
                                           memory_limit_text(options_.memory_limit);
        return error_answer(Error(ErrorCode::limit_exceeded, text));
    }

    Progress progress_of(Task& task) {
        struct Last {
            std::string stage;
            Clock::time_point when;
        };
        return {task.cancel, [this, id = task.id, last = std::make_shared<Last>()](
                                 std::string_view stage, double fraction) {
                    const auto now = Clock::now();
                    if (stage == last->stage && now - last->when < between_reports) return;
                    *last = {std::string(stage), now};
                    answers_.send(
                        {{"id", id}, {"progress", {{"stage", stage}, {"fraction", fraction}}}});
                }};
    }

    /// Where run() fails half-way.
    void quit() {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
        for (const auto& [id, task] : tasks_) task->cancel.cancel();
        changed_.notify_all();
    }

    /// Lets requested jobs finish as long as there is a reader on this machine. Paused jobs are
    /// resumed, because no order can follow.
    void finish() {
        std::unique_lock lock(mutex_);
        stopping_ = true;
        for (const auto& [id, task] : tasks_) task->control.paused = false;
        // a job that is cancelled because the connection ended must not look as if it were done
        if (options_.is_elsewhere) answers_.close();
        changed_.notify_all();
        while (!changed_.wait_for(lock, glance, [this] { return done_; }))
            if (options_.is_elsewhere || is_over()) break;
        for (const auto& [id, task] : tasks_) task->cancel.cancel();
        const bool ended = changed_.wait_for(lock, time_to_stop, [this] { return done_; });
        lock.unlock();
        SharedMemory::remove_left_by(this_process());  // results that were not taken
        if (!ended) std::_Exit(options_.stop.is_cancelled() ? options_.code_when_stopped : 0);
        worker_.join();
    }

    /// Sends signs of life while a job runs, because a job may send nothing for a long time; to
    /// another machine always, because the answers show that the connection is there.
    void beat() {
        std::unique_lock lock(mutex_);
        while (!changed_.wait_for(lock, worker_beat, [this] { return done_; })) {
            if (tasks_.empty() && !options_.is_elsewhere) continue;
            lock.unlock();
            answers_.send({{"alive", true}});
            lock.lock();
        }
    }

    ServeOptions options_;
    const long parent_ = parent_process();
    Answers answers_;
    Limits limits_;  // of each run
    ModelCache cache_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::map<std::int64_t, std::shared_ptr<Task>> tasks_;  // waiting and running
    std::deque<std::shared_ptr<Task>> queue_;
    bool stopping_ = false, done_ = false;
    JoinedThreads worker_{[this] { quit(); }};  // last: it uses the rest
};

}  // namespace

std::string opening_line(const std::string& file) { return line_of({{"opening", file}}) + '\n'; }

void serve(const ServeOptions& options) {
    limit_this_process(options.memory_limit);
    SharedMemory::remove_abandoned();  // of workers that were killed
    Server(options).run();
}

}  // namespace lapidary::app
