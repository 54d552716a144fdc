// SPDX-License-Identifier: Apache-2.0
#include "emulated/workers.h"

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace lapidary::cuda::emulated {
namespace {

/// One job at a time. A caller that finds the workers busy works alone.
class Workers {
public:
    Workers() {
        for (unsigned i = 1; i < std::clamp(std::thread::hardware_concurrency(), 1u, 8u); ++i)
            threads_.emplace_back([this] { serve(); });
    }
    ~Workers() {
        {
            const std::lock_guard lock(mutex_);
            ends_ = true;
        }
        wake_.notify_all();
        for (std::thread& t : threads_) t.join();
    }

    void run(const std::function<void()>& work, std::size_t pieces) {
        if (pieces < 2 || threads_.empty() || !taken_.try_lock()) return work();
        const std::lock_guard taken(taken_, std::adopt_lock);
        {
            const std::lock_guard lock(mutex_);
            work_ = &work;
            failure_ = nullptr;
            ++round_;
        }
        wake_.notify_all();
        std::exception_ptr own;
        try {
            work();
        } catch (...) { own = std::current_exception(); }
        std::unique_lock lock(mutex_);
        work_ = nullptr;  // helpers that have not begun find no work
        idle_.wait(lock, [&] { return busy_ == 0; });
        if (own) std::rethrow_exception(own);
        if (failure_) std::rethrow_exception(failure_);
    }

private:
    void serve() {
        std::size_t seen = 0;
        std::unique_lock lock(mutex_);
        for (;;) {
            wake_.wait(lock, [&] { return ends_ || round_ != seen; });
            if (ends_) return;
            seen = round_;
            if (work_ == nullptr) continue;
            const std::function<void()>& work = *work_;
            ++busy_;
            lock.unlock();
            std::exception_ptr failed;
            try {
                work();
            } catch (...) { failed = std::current_exception(); }
            lock.lock();
            if (failed) failure_ = failed;
            if (--busy_ == 0) idle_.notify_all();
        }
    }

    std::vector<std::thread> threads_;
    std::mutex taken_, mutex_;
    std::condition_variable wake_, idle_;
    const std::function<void()>* work_ = nullptr;
    std::exception_ptr failure_;
    std::size_t round_ = 0, busy_ = 0;
    bool ends_ = false;
};

}  // namespace

void run_on_workers(const std::function<void()>& work, std::size_t pieces) {
    static Workers workers;
    workers.run(work, pieces);
}

}  // namespace lapidary::cuda::emulated
