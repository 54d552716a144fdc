// SPDX-License-Identifier: Apache-2.0
#include "copy_threads.h"

#include <algorithm>

namespace lapidary::cuda {

unsigned CopyThreads::usual_helpers() {
    const unsigned processors = std::thread::hardware_concurrency();
    return processors < 4 ? 0 : std::min(7u, processors / 2 - 1);
}

CopyThreads::~CopyThreads() {
    {
        const std::lock_guard lock(mutex_);
        ends_ = true;
    }
    wake_.notify_all();
    for (std::thread& thread : threads_) thread.join();
}

void CopyThreads::run(const std::function<void(unsigned)>& part) {
    while (threads_.size() < helpers_)
        threads_.emplace_back(
            [this, number = static_cast<unsigned>(threads_.size()) + 1] { serve(number); });
    {
        const std::lock_guard lock(mutex_);
        part_ = &part;
        left_ = helpers_;
        failure_ = nullptr;
        ++round_;
    }
    wake_.notify_all();
    do_part(0);
    std::unique_lock lock(mutex_);
    done_.wait(lock, [&] { return left_ == 0; });
    part_ = nullptr;
    if (failure_) std::rethrow_exception(failure_);
}

void CopyThreads::do_part(unsigned part) {
    try {
        (*part_)(part);
    } catch (...) {
        const std::lock_guard lock(mutex_);
        if (!failure_) failure_ = std::current_exception();
    }
}

void CopyThreads::serve(unsigned part) {
    unsigned seen = 0;
    std::unique_lock lock(mutex_);
    while (true) {
        wake_.wait(lock, [&] { return ends_ || round_ != seen; });
        if (ends_) return;
        seen = round_;
        lock.unlock();
        do_part(part);
        lock.lock();
        if (--left_ == 0) done_.notify_one();
    }
}

}  // namespace lapidary::cuda
