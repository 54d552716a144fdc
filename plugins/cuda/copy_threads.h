// SPDX-License-Identifier: Apache-2.0
// Threads that copy parts of a large block of host memory in parallel: one thread alone is slower
// than the bus to the device.
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
    /// `helpers`: threads beside the calling one. With 0 the caller copies all parts.
    explicit CopyThreads(unsigned helpers) : helpers_(helpers) {}
    /// Helpers that suit this machine: half of its processors, at most 8, including the calling
    /// thread.
    static unsigned usual_helpers();
    CopyThreads(const CopyThreads&) = delete;
    CopyThreads& operator=(const CopyThreads&) = delete;
    ~CopyThreads();

    unsigned parts() const { return helpers_ + 1; }
    /// part(0) to part(parts() - 1), each on another thread. Returns when all are done and rethrows
    /// what one of them threw. Only one call at a time.
    void run(const std::function<void(unsigned)>& part);

private:
    void serve(unsigned part);
    void do_part(unsigned part);

    const unsigned helpers_;
    std::mutex mutex_;
    std::condition_variable wake_, done_;
    std::vector<std::thread> threads_;
    const std::function<void(unsigned)>* part_ = nullptr;
    // calls of run() so far, and helpers still busy with the newest one
    unsigned round_ = 0, left_ = 0;
    bool ends_ = false;
    std::exception_ptr failure_;
};

}  // namespace lapidary::cuda
