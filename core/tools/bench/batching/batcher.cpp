// SPDX-License-Identifier: Apache-2.0
#include <lapidary/bench/batcher.h>

#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>

#include <lapidary/base/error.h>
#include <lapidary/internal/joined_threads.h>

#include "bench/batching/request_group.h"
#include "exec/run/input_check.h"

namespace lapidary {
namespace {

using Clock = std::chrono::steady_clock;

struct Request {
    NamedValues inputs;
    std::promise<NamedValues> answer;
    std::string key;
    std::int64_t rows = 1;
    Clock::time_point due;
};

}  // namespace

struct Batcher::State {
    State(const ModelPtr& model, const BatcherOptions& given, const Progress& progress)
        : options(given), session(Session::compile(model, given.session, progress)),
          axes(session.model().graph, batch_dimensions(*model)) {
        thread.start(1, "thread that groups requests", [this](int) { serve(); });
    }

    void quit() {
        {
            const std::lock_guard lock(mutex);
            quits = true;
        }
        changed.notify_all();
    }

    void serve() {
        for (std::unique_lock lock(mutex);;) {
            changed.wait(lock, [&] { return quits || !waiting.empty(); });
            if (waiting.empty()) return;
            const Clock::time_point due = waiting.front().due;
            changed.wait_until(lock, due,
                               [&] { return quits || rows_like_first() >= options.max_batch; });
            std::vector<Request> group = take_group();
            lock.unlock();
            answer(group);
            lock.lock();
        }
    }

    /// Number of rows that can run together with the first request.
    std::int64_t rows_like_first() const {
        std::int64_t rows = 0;
        for (const Request& r : waiting)
            if (&r == &waiting.front() || r.key == waiting.front().key) rows += r.rows;
        return rows;
    }

    std::vector<Request> take_group() {
        std::vector<Request> group;
        std::int64_t rows = 0;
        for (auto at = waiting.begin(); at != waiting.end();) {
            const bool fits = group.empty() || (!at->key.empty() && at->key == group.front().key &&
                                                rows + at->rows <= options.max_batch);
            if (!fits) {
                ++at;
                continue;
            }
            rows += at->rows;
            group.push_back(std::move(*at));
            at = waiting.erase(at);
            if (rows >= options.max_batch) break;
        }
        return group;
    }

    void answer(std::vector<Request>& group) {
        if (group.size() > 1 && answer_together(group)) return;
        for (Request& request : group) answer_alone(request);
    }

    /// False: the run failed. Then each request runs alone, which shows the faulty ones.
    bool answer_together(std::vector<Request>& group) {
        std::vector<NamedValues> parts;
        std::vector<const NamedValues*> inputs;
        std::vector<std::int64_t> rows;
        for (const Request& r : group) inputs.push_back(&r.inputs), rows.push_back(r.rows);
        count_run(rows);
        try {
            parts = axes.take_apart(session.run(axes.join(inputs)).outputs, rows);
        } catch (const std::exception&) { return false; }
        for (std::size_t i = 0; i < group.size(); ++i) finish(group[i], std::move(parts[i]));
        return true;
    }

    void answer_alone(Request& request) {
        count_run({request.rows});
        try {
            finish(request, session.run(request.inputs).outputs);
        } catch (...) { refuse(request); }
    }

    void count_run(const std::vector<std::int64_t>& rows) {
        const std::lock_guard lock(mutex);
        ++counts.runs;
        for (const std::int64_t n : rows) counts.rows += static_cast<std::size_t>(n);
    }

    void finish(Request& request, NamedValues outputs) {
        {
            const std::lock_guard lock(mutex);
            ++counts.requests;
        }
        request.answer.set_value(std::move(outputs));
    }

    /// Answers with the exception that is being handled.
    void refuse(Request& request) {
        {
            const std::lock_guard lock(mutex);
            ++counts.requests;
            ++counts.failures;
        }
        request.answer.set_exception(std::current_exception());
    }

    const BatcherOptions options;
    Session session;
    const BatchAxes axes;
    mutable std::mutex mutex;
    std::condition_variable changed;
    std::deque<Request> waiting;
    BatcherCounts counts;
    bool quits = false;
    JoinedThreads thread{[this] { quit(); }};  // last: it uses the rest
};

Batcher::Batcher(const ModelPtr& model, const BatcherOptions& options, const Progress& progress) {
    if (options.max_batch < 1)
        fail_input("max_batch: expected 1 or more, found " + std::to_string(options.max_batch));
    if (!(options.max_delay_ms >= 0 && options.max_delay_ms <= 60'000))
        fail_input("max_delay_ms: expected 0 to 60000, found " +
                   std::to_string(options.max_delay_ms));
    state_ = std::make_unique<State>(model, options, progress);
}

Batcher::~Batcher() = default;

std::future<NamedValues> Batcher::submit(NamedValues inputs) {
    Request request;
    std::future<NamedValues> answer = request.answer.get_future();
    try {
        check_inputs(state_->session.model().graph, inputs);
        request.rows = state_->axes.rows_of(inputs);
        request.key = state_->axes.key_of(inputs);
    } catch (...) {
        state_->refuse(request);
        return answer;
    }
    request.inputs = std::move(inputs);
    const double delay = state_->options.max_batch > 1 ? state_->options.max_delay_ms : 0;
    request.due = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                     std::chrono::duration<double, std::milli>(delay));
    {
        const std::lock_guard lock(state_->mutex);
        state_->waiting.push_back(std::move(request));
    }
    state_->changed.notify_all();
    return answer;
}

BatcherCounts Batcher::counts() const {
    const std::lock_guard lock(state_->mutex);
    return state_->counts;
}

}  // namespace lapidary
