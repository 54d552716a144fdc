// SPDX-License-Identifier: Apache-2.0
#include "exec/parallel.h"

#include <sched.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <thread>
#include <vector>

#ifdef LAPIDARY_PARALLEL_TBB
#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/partitioner.h>
#include <oneapi/tbb/task_arena.h>
#endif

namespace lapidary {
namespace {

constexpr int max_threads = 256;

std::int64_t now_ns() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// The fixed split of [0, count): as many nearly equal parts as threads, none shorter than grain.
struct Split {
    std::int64_t count, parts;
    Split(std::int64_t n, std::int64_t grain, int threads)
        : count(n), parts(std::clamp<std::int64_t>(n / std::max<std::int64_t>(grain, 1), 1, threads)) {}
    std::int64_t begin(std::int64_t part) const { return count / parts * part + std::min(part, count % parts); }
};

class Pool : public SessionThreads {
public:
    explicit Pool(int threads) : threads_(threads) {}
    int threads() const override { return threads_; }
    void observe(const RangeObserver* observer) override { observer_ = observer; }

    void parallel_for(std::int64_t count, std::int64_t grain, const RangeBody& body) override {
        if (count <= 0) return;
        const Split split(count, grain, threads_);
        if (split.parts == 1) body(0, count);
        else run_parts(split, body);
    }

protected:
    virtual void run_parts(const Split& split, const RangeBody& body) = 0;

    void run_part(const Split& split, std::int64_t part, int thread, const RangeBody& body) const {
        if (observer_ == nullptr) {
            body(split.begin(part), split.begin(part + 1));
            return;
        }
        const std::int64_t begin = now_ns();
        body(split.begin(part), split.begin(part + 1));
        (*observer_)(thread, begin, now_ns());
    }

private:
    int threads_;
    const RangeObserver* observer_ = nullptr;
};

#ifdef LAPIDARY_PARALLEL_TBB

class TbbPool final : public Pool {
public:
    explicit TbbPool(int threads) : Pool(threads), arena_(threads) {
        // Session thread counts are the user's choice and may pass the core count, oneTBB's default bound.
        static const tbb::global_control bound(tbb::global_control::max_allowed_parallelism, max_threads);
    }
    void execute(const std::function<void()>& body) override { arena_.execute(body); }

private:
    void run_parts(const Split& split, const RangeBody& body) override {
        const auto work = [&] {
            tbb::parallel_for(
                tbb::blocked_range<std::int64_t>(0, split.parts, 1),
                [&](const tbb::blocked_range<std::int64_t>& r) {
                    const int thread = std::max(tbb::this_task_arena::current_thread_index(), 0);
                    for (std::int64_t part = r.begin(); part < r.end(); ++part) run_part(split, part, thread, body);
                },
                tbb::simple_partitioner{});
        };
        // Inside execute() this thread is in the arena already.
        if (tbb::this_task_arena::max_concurrency() == threads() && tbb::this_task_arena::current_thread_index() >= 0) work();
        else arena_.execute(work);
    }
    tbb::task_arena arena_;
};

using ChosenPool = TbbPool;

#else

class StdPool final : public Pool {
public:
    using Pool::Pool;
    void execute(const std::function<void()>& body) override { body(); }

private:
    void run_parts(const Split& split, const RangeBody& body) override {
        std::vector<std::exception_ptr> errors(static_cast<std::size_t>(split.parts));
        const auto guarded = [&](std::int64_t part) {
            try {
                run_part(split, part, static_cast<int>(part), body);
            } catch (...) {
                errors[static_cast<std::size_t>(part)] = std::current_exception();
            }
        };
        std::vector<std::thread> workers;
        for (std::int64_t part = 1; part < split.parts; ++part) workers.emplace_back(guarded, part);
        guarded(0);
        for (auto& w : workers) w.join();
        for (const auto& e : errors)
            if (e) std::rethrow_exception(e);
    }
};

using ChosenPool = StdPool;

#endif

}  // namespace

int default_thread_count() {
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0) return CPU_COUNT(&set);
    return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

std::unique_ptr<SessionThreads> make_session_threads(int threads) {
    return std::make_unique<ChosenPool>(threads > 0 ? std::min(threads, max_threads) : default_thread_count());
}

}  // namespace lapidary
