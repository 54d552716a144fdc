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
          bank.lent_.notify_all();
      }) {}

void ThreadBank::require(int count) {
    const std::lock_guard growing(growing_);
    if (count > size_) start(count - size_);
}

// Only those that are started may quit half-way: a batch of its own.
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
        lent_.wait(lock, [&] { return batch.quits || !loans_.empty(); });
        --idle_;
        if (batch.quits) return;
        const Loan loan = loans_.front();
        loans_.pop_front();
        --waiting_;
        ++loan.user->lent_;
        lock.unlock();
        loan.user->use_thread(loan.number);
        lock.lock();
        if (--loan.user->lent_ == 0) returned_.notify_all();
    }
}

void ThreadBank::acquire(ThreadUser& user, int number) {
    bool grows = false;
    {
        const std::lock_guard lock(mutex_);
        loans_.push_back({&user, number});
        ++waiting_;
        grows = waiting_ > idle_ && size_ < default_thread_count() - 1;
    }
    lent_.notify_one();
    if (!grows) return;
    // Not waiting for others who start threads: they may have to wait for a thread that this
    // user has.
    const std::unique_lock growing(growing_, std::try_to_lock);
    if (!growing) return;
    try {
        if (size_ < default_thread_count() - 1) start(1);
    } catch (const Error&) {  // without it then: who borrows works itself
    }
}

void ThreadBank::release(ThreadUser& user) {
    std::unique_lock lock(mutex_);
    waiting_ -= static_cast<int>(
        std::erase_if(loans_, [&](const Loan& loan) { return loan.user == &user; }));
    returned_.wait(lock, [&] { return user.lent_ == 0; });
}

}  // namespace lapidary
