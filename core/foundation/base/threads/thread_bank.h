// SPDX-License-Identifier: Apache-2.0
// The threads that help sessions inside of their kernels, shared by all sessions of the process.
// There are as many as cores beside the calling thread's, or as many as the session with the most
// threads asks for.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <list>
#include <memory>
#include <mutex>

#include <lapidary/internal/joined_threads.h>

namespace lapidary {

/// Uses threads of a bank. Must release them before it is destroyed.
class ThreadUser {
public:
    /// On the acquired thread, until it is given back. Throws nothing.
    virtual void use_thread(int number) = 0;

protected:
    ~ThreadUser() = default;

private:
    friend class ThreadBank;
    int acquired_ = 0;  // threads that work for it now; under the bank's mutex
};

/// For use from any thread. Threads that are not acquired sleep. They end with the last holder of
/// the bank.
class ThreadBank {
public:
    static std::shared_ptr<ThreadBank> of_process();
    ThreadBank() = default;
    ThreadBank(const ThreadBank&) = delete;
    ThreadBank& operator=(const ThreadBank&) = delete;
    ~ThreadBank() = default;

    /// Has at least `count` threads from now on. Throws limit_exceeded when the system refuses one;
    /// the message says how many were asked for and how many started.
    void require(int count);
    /// Calls user.use_thread(number) on the next free thread.
    void acquire(ThreadUser& user, int number);
    /// Drops the work that no thread has begun and waits for the threads that the user has. The
    /// caller must already have asked them to come back.
    void release(ThreadUser& user);
    /// True while somebody waits for a thread: threads that have no work should be released.
    bool is_short() const { return waiting_.load(std::memory_order_relaxed) != 0; }

private:
    /// A call of acquire() that no thread has begun.
    struct Acquisition {
        ThreadUser* user;
        int number;
    };
    /// Threads that were started together.
    struct Batch {
        explicit Batch(ThreadBank& bank);
        bool quits = false;
        JoinedThreads threads;
    };
    void start(int count);
    void serve(const Batch& batch);

    std::mutex growing_;  // held while threads are started; taken before mutex_
    std::mutex mutex_;
    std::condition_variable acquired_, returned_;
    std::deque<Acquisition> acquisitions_;
    std::atomic<int> waiting_{0};  // acquisitions_.size()
    int idle_ = 0;                 // threads
    std::atomic<int> size_{0};     // threads; changed under growing_
    std::list<Batch> batches_;     // the last member: its threads use the others
};

}  // namespace lapidary
