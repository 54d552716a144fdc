// SPDX-License-Identifier: Apache-2.0
// Runs of a model over samples, with the values of its middle.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <lapidary/quantize/calibrate.h>
#include <lapidary/exec/session.h>

#include "inputs/sample_runs.h"

namespace lapidary {

/// The inputs and inner values of one run.
class SeenValues {
public:
    /// Null if there is no tensor of that name.
    const Tensor* find(const std::string& name) const;

private:
    friend class WatchedRuns;
    NamedValues inputs_;
    RunResult result_;
};

class WatchedRuns final : private SampleWork {
public:
    /// Calls of one run(), on the calling thread, in the order of the samples.
    struct Reader {
        std::function<bool(std::size_t sample, const SeenValues& values)>
            see;  // false: no further sample is wanted
        std::function<void(std::size_t sample, const Error& why)>
            leave_out;  // could not be read or run; may be empty
    };
    /// The nodes run as they stand. `count`: of the samples that are run; `names`: of the values to
    /// see. `samples` and `progress` must outlive it.
    WatchedRuns(ModelPtr model, const SampleSource& samples, std::size_t count,
                const std::vector<std::string>& names, int threads, const Progress& progress);

    /// Of the samples `which`. Progress says `what`. Throws cancelled, and whatever the reader
    /// throws.
    void run(std::span<const std::size_t> which, std::string_view what, const Reader& reader);
    /// Calls body(i) for i in [0, count), on all threads.
    void spread(std::size_t count, const std::function<void(std::size_t)>& body) {
        runs_.spread(count, body);
    }

private:
    void prepare(int threads) override;
    void run(std::size_t sample, std::size_t place) override;
    std::uint64_t held_bytes(std::size_t place) const override;
    std::uint64_t working_bytes() const override { return session_->plan().arena_bytes; }
    bool take(std::size_t sample, std::size_t place) override {
        return reader_->see(sample, places_[place]);
    }
    void leave_out(std::size_t sample, std::size_t, const Error& why) override {
        if (reader_->leave_out) reader_->leave_out(sample, why);
    }

    ModelPtr model_;
    const SampleSource& samples_;
    const Progress& progress_;
    RunOptions options_;
    std::optional<Session> session_;
    SampleRuns runs_;
    std::vector<SeenValues> places_;
    const Reader* reader_ = nullptr;  // of the current run()
};

}  // namespace lapidary
