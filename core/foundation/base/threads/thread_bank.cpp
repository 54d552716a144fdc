// SPDX-License-Identifier: Apache-2.0
#include "base/threads/thread_bank.h"

#include <lapidary/base/error.h>

#include "base/threads/session_threads.h"

namespace lapidary {

std::shared_ptr<ThreadBank> ThreadBank::of_process() {
    static std::mutex mutex;
    static std::weak_ptr<ThreadBank> newest;
    const std::lock_guard lock(mutex);
    std::shared_ptr<ThreadBank> bank = newest.lock();
    if (!bank) newest = bank = std::make_shared<ThreadBank>();
    return bank;
}

ThreadBank::Batch::Batch(ThreadBank& bank)
    : threads([this, &bank] {
          {
              const std::lock_guard lock(bank.mutex_);
              quits = true;
          }
          bank.acquired_.notify_all();
      }) {}

void ThreadBank::require(int count) {
    const std::lock_guard growing(growing_);
    if (count > size_) start(count - size_);
}

// A batch for each call: when the system refuses a thread, those just started quit, no others.
void ThreadBank::start(int count) {
    Batch& batch = batches_.emplace_back(*this);
    try {
        batch.threads.start(count, "threads for the inside of kernels",
                            [this, &batch](int) { serve(batch); });
    } catch (...) {
        batches_.pop_back();
        throw;
    }
    size_ += count;
}

void ThreadBank::serve(const Batch& batch) {
    std::unique_lock lock(mutex_);
    for (;;) {
        ++idle_;
        acquired_.wait(lock, [&] { return batch.quits || !acquisitions_.empty(); });
        --idle_;
        if (batch.quits) return;
        const Acquisition acquisition = acquisitions_.front();
        acquisitions_.pop_front();
        --waiting_;
        ++acquisition.user->acquired_;
        lock.unlock();
        acquisition.user->use_thread(acquisition.number);
        lock.lock();
        if (--acquisition.user->acquired_ == 0) returned_.notify_all();
    }
}

void ThreadBank::acquire(ThreadUser& user, int number) {
    bool grows = false;
    {
        const std::lock_guard lock(mutex_);
        acquisitions_.push_back({&user, number});
        ++waiting_;
        grows = waiting_ > idle_ && size_ < default_thread_count() - 1;
    }
    acquired_.notify_one();
    if (!grows) return;
    // Does not wait for another caller that starts threads: that one may itself wait for a thread
    // that this user has.
    const std::unique_lock growing(growing_, std::try_to_lock);
    if (!growing) return;
    try {
        if (size_ < default_thread_count() - 1) start(1);
    } catch (const Error&) {  // the session has one helper less
    }
}

void ThreadBank::release(ThreadUser& user) {
    std::unique_lock lock(mutex_);
    waiting_ -= static_cast<int>(std::erase_if(
        acquisitions_, [&](const Acquisition& acquisition) { return acquisition.user == &user; }));
    returned_.wait(lock, [&] { return user.acquired_ == 0; });
}

}  // namespace lapidary
