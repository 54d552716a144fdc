// SPDX-License-Identifier: Apache-2.0
#include "emulated/work_thread.h"

#include <chrono>

#include "device_error.h"
#include "emulated/memory.h"
#include "plugin_abi.h"

namespace lapidary::cuda::emulated {

WorkThread::WorkThread() {
    thread_ = std::thread([this] { serve(); });
}

WorkThread::~WorkThread() {
    {
        const std::lock_guard lock(mutex_);
        ends_ = true;
    }
    wake_.notify_all();
    lingers_.notify_all();
    thread_.join();
}

void WorkThread::wait() {
    std::unique_lock lock(mutex_);
    ++waiting_;
    lingers_.notify_one();
    idle_.wait(lock, [&] { return work_.empty() && !is_busy_; });
    --waiting_;
    if (failure_.empty()) return;
    const std::string text = failure_;
    failure_.clear();
    throw DeviceError(LP_INTERNAL, "emulated device: " + text);
}

void WorkThread::push(Piece piece) {
    Memory::get().note_queued();
    {
        const std::lock_guard lock(mutex_);
        work_.push_back(std::move(piece));
    }
    wake_.notify_one();
    lingers_.notify_one();
}

void WorkThread::run_first(std::unique_lock<std::mutex>& lock) {
    const Piece piece = std::move(work_.front());
    work_.pop_front();
    const bool is_left_out = !failure_.empty() && !piece.is_always;
    lock.unlock();
    std::string failure;
    try {
        if (!is_left_out) piece.work();
    } catch (const std::exception& e) { failure = e.what(); }
    lock.lock();
    if (!failure.empty()) failure_ = failure;
}

void WorkThread::serve() {
    std::unique_lock lock(mutex_);
    for (;;) {
        wake_.wait(lock, [&] { return ends_ || !work_.empty(); });
        if (work_.empty()) return;
        is_busy_ = true;
        lock.unlock();
        Memory::get().open();
        lock.lock();
        std::size_t pieces = 0;
        do {
            for (; !work_.empty(); ++pieces) run_first(lock);
            // opening memory takes longer than most kernels, so it stays open a moment
            lingers_.wait_for(lock, std::chrono::microseconds(300),
                              [&] { return ends_ || waiting_ > 0 || !work_.empty(); });
        } while (!work_.empty());
        lock.unlock();
        Memory::get().close();
        Memory::get().note_done(pieces);
        lock.lock();
        is_busy_ = false;
        if (work_.empty()) idle_.notify_all();
    }
}

void WorkEvent::set() {
    {
        const std::lock_guard lock(mutex_);
        is_set_ = true;
    }
    is_set_condition_.notify_all();
}

void WorkEvent::wait() {
    std::unique_lock lock(mutex_);
    is_set_condition_.wait(lock, [&] { return is_set_; });
}

}  // namespace lapidary::cuda::emulated
