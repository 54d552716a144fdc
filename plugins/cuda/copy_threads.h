// SPDX-License-Identifier: Apache-2.0
// Threads that copy parts of large pieces of host memory at once: one alone does not keep up with a
// bus.
#pragma once

#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace lapidary::cuda {

/// Started with the first call of run().
class CopyThreads {
public:
    /// `helpers`: beside the thread that calls; 0: it does all parts.
    explicit CopyThreads(unsigned helpers) : helpers_(helpers) {}
    /// As many as this machine spares: half of its processors with the one that calls, at most 8
    /// with it.
    static unsigned usual_helpers();
    CopyThreads(const CopyThreads&) = delete;
    CopyThreads& operator=(const CopyThreads&) = delete;
    ~CopyThreads();

    unsigned parts() const { return helpers_ + 1; }
    /// part(0) to part(parts() - 1), each on a thread of its own; returns when all are done. Throws
    /// what one threw. One call at a time.
    void run(const std::function<void(unsigned)>& part);

private:
    void serve(unsigned part);
    void do_part(unsigned part);

    const unsigned helpers_;
    std::mutex mutex_;
    std::condition_variable wake_, done_;
    std::vector<std::thread> threads_;
    const std::function<void(unsigned)>* part_ = nullptr;
    unsigned round_ = 0, left_ = 0;  // calls of run(), and helpers that are not done with this one
    bool ends_ = false;
    std::exception_ptr failure_;
};

}  // namespace lapidary::cuda
