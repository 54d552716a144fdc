// SPDX-License-Identifier: Apache-2.0
// Runs work on many samples: several at a time, each on one thread, if their memory suffices; else
// one after the other with all threads in the kernels. Results are taken in the order of the
// samples, so that they do not depend on the number of threads.
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

/// How many samples that cannot be read or run are named in warnings; others are only counted.
inline constexpr std::size_t reported_failures = 3;

/// The work on each sample. run() stores its results at a numbered place of the derived class.
class SampleWork {
public:
    virtual ~SampleWork() = default;
    /// Compiles the sessions with so many threads. Called before the first run(), and again with
    /// all threads if several samples at a time do not fit in memory.
    virtual void prepare(int threads) = 0;
    /// Does the work that needs no other sample. Called on any thread, at the same time as for
    /// other places.
    virtual void run(std::size_t sample, std::size_t place) = 0;
    /// Bytes of the results at a place, and of the working memory of a run.
    virtual std::uint64_t held_bytes(std::size_t place) const = 0;
    virtual std::uint64_t working_bytes() const = 0;
    /// Called on the calling thread, in the order of the samples. False: no further sample is
    /// wanted.
    virtual bool take(std::size_t sample, std::size_t place) = 0;
    /// Called in place of take() if run() threw an Error other than cancelled.
    virtual void leave_out(std::size_t sample, std::size_t place, const Error& why) = 0;
};

class SampleRuns {
public:
    /// `threads`: as for TaskThreads. `count`: number of samples; a few run one after the other.
    /// `work` must outlive it.
    SampleRuns(SampleWork& work, int threads, std::size_t count);
    /// The number of places that `work` must have; they are numbered from 0.
    std::size_t places() const { return failures_.size(); }

    /// Does the work of the samples `which`. Progress says `what`. Throws cancelled, and whatever
    /// else `work` throws.
    void run(std::span<const std::size_t> which, std::string_view what, const Progress& progress);
    /// Calls body(i) for i in [0, count) on all threads; within SampleWork::run() only on its own
    /// thread.
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
    bool goes_alone_;                               // samples run one at a time
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
