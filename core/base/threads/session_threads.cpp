// SPDX-License-Identifier: Apache-2.0
#include "base/threads/session_threads.h"

#include <algorithm>
#include <thread>

#include "base/threads/thread_affinity.h"
#include "base/threads/thread_bank.h"
#include "base/threads/worker_region.h"

namespace lapidary {
namespace {

constexpr int max_threads = 256;

/// Brings threads of the bank to the region.
class ThreadLender final : public ThreadBorrower {
public:
    ThreadLender(int threads, std::shared_ptr<WorkerRegion> region, std::shared_ptr<const ThreadSetup> setup)
        : region_(std::move(region)), setup_(std::move(setup)), bank_(ThreadBank::of_process()) {
        bank_->require(threads - 1);
    }
    ThreadLender(const ThreadLender&) = delete;
    ThreadLender& operator=(const ThreadLender&) = delete;
    ~ThreadLender() {
        region_->quit();
        bank_->recall(*this);
    }
    void lend(int worker) { bank_->lend(*this, worker); }
    void use_thread(int worker) override {
        const SetUpThread set_up(*setup_, worker);
        region_->serve(worker, [this] { return bank_->is_short(); });
    }

private:
    std::shared_ptr<WorkerRegion> region_;
    std::shared_ptr<const ThreadSetup> setup_;
    std::shared_ptr<ThreadBank> bank_;
};

// The fixed split of [0, count): as many nearly equal parts as threads, none shorter than grain.
struct Split {
    std::int64_t count, parts;
    Split(std::int64_t n, std::int64_t grain, int threads)
        : count(n), parts(std::clamp<std::int64_t>(n / std::max<std::int64_t>(grain, 1), 1, threads)) {}
    std::int64_t begin(std::int64_t part) const { return count / parts * part + std::min(part, count % parts); }
};

class Pool final : public SessionThreads {
public:
    Pool(int threads, bool spin, std::shared_ptr<const ThreadSetup> setup)
        : threads_(threads), setup_(std::move(setup)), region_(std::make_shared<WorkerRegion>(threads, spin)),
          lender_(threads, region_, setup_) {}
    ~Pool() override { region_->quit(); }
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
                if (pool.has_called_) pool.region_->end_run();
                pool.has_called_ = false;
                --pool.depth_;
            }
            Pool& pool;
        } const run(*this);
        body();
    }

    void parallel_for(std::int64_t count, std::int64_t grain, const RangeBody& body) override {
        if (count <= 0) return;
        const Split split(count, grain, threads_);
        if (split.parts == 1) return body(0, count);
        parallel_tasks(split.parts, [&](std::int64_t part, int) { body(split.begin(part), split.begin(part + 1)); });
    }

    void parallel_tasks(std::int64_t count, const TaskBody& body) override {
        if (depth_ > 0 && count > 1 && !has_called_ && !WorkerRegion::is_inside_task()) call_workers();
        region_->run(count, body, WorkerRegion::is_inside_task() ? nullptr : observer_);
    }

private:
    void call_workers() {
        has_called_ = true;
        region_->begin_run([this](int worker) { lender_.lend(worker); });
    }

    int threads_;
    int depth_ = 0;
    bool calls_late_ = false, has_called_ = false;  // for this run
    std::shared_ptr<const ThreadSetup> setup_;
    std::shared_ptr<WorkerRegion> region_;
    ThreadLender lender_;
    const RangeObserver* observer_ = nullptr;
};

}  // namespace

int default_thread_count() {
    if (const auto usable = thread_processors(); usable && usable->count() > 0) return usable->count();
    return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

std::unique_ptr<SessionThreads> make_session_threads(int threads, bool spin, std::shared_ptr<const ThreadSetup> setup) {
    if (!setup) setup = std::make_shared<const ThreadSetup>();
    return std::make_unique<Pool>(threads > 0 ? std::min(threads, max_threads) : default_thread_count(), spin,
                                  std::move(setup));
}

}  // namespace lapidary
