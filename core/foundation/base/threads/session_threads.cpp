// SPDX-License-Identifier: Apache-2.0
#include "base/threads/session_threads.h"

#include <algorithm>
#include <optional>
#include <thread>

#include "base/threads/even_split.h"
#include "base/threads/helper_arena.h"
#include "base/threads/inside_task.h"
#include "base/threads/thread_affinity.h"
#include "base/threads/worker_region.h"

namespace lapidary {
namespace {

constexpr int max_threads = 256;

class Pool final : public SessionThreads {
public:
    Pool(int threads, bool spin, const std::shared_ptr<const ThreadSetup>& setup)
        : threads_(threads), setup_(setup), region_(threads, spin) {
        if (threads == 1) return;
        helpers_.emplace(threads, setup, [this](int worker) {
            region_.serve(worker, [this] { return helpers_->is_short_of_threads(); });
        });
    }
    ~Pool() override {
        region_.quit();
        if (helpers_) helpers_->wait_until_left();
    }
    int threads() const override { return threads_; }
    void observe(const RangeObserver* observer) override { observer_ = observer; }
    void call_late() override { calls_late_ = true; }

    void execute(const std::function<void()>& body) override {
        if (depth_ > 0) return body();
        const SetUpThread set_up(*setup_, 0);
        if (threads_ == 1) return body();
        struct Run {
            explicit Run(Pool& p) : pool(p) {
                ++pool.depth_;
                if (!pool.calls_late_) pool.call_workers();
            }
            ~Run() {
                if (pool.has_called_) pool.region_.end_run();
                pool.has_called_ = false;
                --pool.depth_;
            }
            Pool& pool;
        } const run(*this);
        body();
    }

    void parallel_for(std::int64_t count, std::int64_t grain, const RangeBody& body) override {
        if (count <= 0) return;
        const EvenSplit split(count, grain, threads_);
        if (split.parts == 1) return body(0, count);
        parallel_tasks(split.parts, [&](std::int64_t part, int) {
            body(split.begin(part), split.begin(part + 1));
        });
    }

    void parallel_tasks(std::int64_t count, const TaskBody& body) override {
        if (depth_ > 0 && count > 1 && !has_called_ && !InsideTask::is_any()) call_workers();
        region_.run(count, body, InsideTask::is_any() ? nullptr : observer_);
    }

private:
    void call_workers() {
        has_called_ = true;
        region_.begin_run([this](int worker) { helpers_->call(worker); });
    }

    int threads_;
    int depth_ = 0;
    bool calls_late_ = false, has_called_ = false;  // for this run
    std::shared_ptr<const ThreadSetup> setup_;
    WorkerRegion region_;
    std::optional<HelperArena> helpers_;  // none: the calling thread is the only one
    const RangeObserver* observer_ = nullptr;
};

}  // namespace

int default_thread_count() {
    if (const auto usable = thread_processors(); usable && usable->count() > 0)
        return usable->count();
    return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

int usable_thread_count(int asked) {
    return asked > 0 ? std::min(asked, max_threads) : default_thread_count();
}

std::unique_ptr<SessionThreads> make_session_threads(int threads, bool spin,
                                                     std::shared_ptr<const ThreadSetup> setup) {
    if (!setup) setup = std::make_shared<const ThreadSetup>();
    return std::make_unique<Pool>(usable_thread_count(threads), spin, setup);
}

}  // namespace lapidary
