// SPDX-License-Identifier: Apache-2.0
// Work on many samples: several at a time, each on one thread, where what they hold fits in memory;
// else one after the other, with all threads inside of its kernels. Results are taken in the order
// of the samples, so that they do not depend on the number of threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include <lapidary/base/error.h>
#include <lapidary/base/progress.h>

#include "base/threads/task_threads.h"

namespace lapidary {

/// What is done with each sample. What run() finds lies at a place of the derived class until the
/// place is used again.
class SampleWork {
public:
    virtual ~SampleWork() = default;
    /// Compiles the sessions with so many threads. Comes before the first run(), and once more with
    /// all threads where several samples at a time do not fit in memory.
    virtual void prepare(int threads) = 0;
    /// Does what needs no other sample. On any thread, beside others at other places.
    virtual void run(std::size_t sample, std::size_t place) = 0;
    /// Bytes that the place holds, and that a run works in.
    virtual std::uint64_t held_bytes(std::size_t place) const = 0;
    virtual std::uint64_t working_bytes() const = 0;
    /// Called on the calling thread, in the order of the samples. False: no further sample is
    /// wanted.
    virtual bool take(std::size_t sample, std::size_t place) = 0;
    /// In place of take(), of a sample whose run() threw an Error other than cancelled.
    virtual void leave_out(std::size_t sample, std::size_t place, const Error& why) = 0;
};

class SampleRuns {
public:
    /// `threads`: as of TaskThreads. `count`: of all samples; few of them go one after the other.
    /// `work` must outlive it.
    SampleRuns(SampleWork& work, int threads, std::size_t count);
    /// How many places `work` has to have; they are numbered from 0.
    std::size_t places() const { return failures_.size(); }

    /// Does the work of the samples `which`. Progress says `what`. Throws cancelled, and whatever
    /// else `work` throws.
    void run(std::span<const std::size_t> which, std::string_view what, const Progress& progress);
    /// Calls body(i) for i in [0, count) on all threads; from within SampleWork::run() on its
    /// thread alone.
    void spread(std::size_t count, const std::function<void(std::size_t)>& body);

private:
    void run_batch(std::size_t size);
    void run_one(std::size_t index, std::size_t place);  // of which_
    void run_several();
    bool fits(std::size_t size) const;
    bool is_done() const { return is_over_ || next_ >= which_.size(); }

    SampleWork& work_;
    TaskThreads team_;
    bool is_prepared_ = false, is_measured_ = false;
    bool goes_alone_;                               // one sample at a time
    std::uint64_t working_ = 0, held_ = 0;          // bytes of a sample, the most so far
    std::vector<std::unique_ptr<Error>> failures_;  // by place
    // Of the current run():
    std::span<const std::size_t> which_;
    std::string_view what_;
    const Progress* progress_ = nullptr;
    std::size_t next_ = 0;
    bool is_over_ = false;
};

}  // namespace lapidary
