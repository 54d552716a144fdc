// SPDX-License-Identifier: Apache-2.0
// An engine that runs in this process, which times its runs.
#pragma once

#include <lapidary/bench/bench.h>

namespace lapidary {

class InProcessEngine : public BenchEngine {
public:
    Times burst(int lead, int runs) final;
    Times burst_of_singles(int lead, int runs, std::vector<double>& single_ms) final;
    double load_ms() const final { return load_ms_; }
    double peak_mb() const final;

protected:
    /// One run, including the release of its outputs.
    virtual void run() = 0;
    double load_ms_ = 0;

private:
    /// `after_each` is called after each measured run.
    template <typename AfterEach>
    Times timed(int lead, int runs, const AfterEach& after_each);
};

}  // namespace lapidary
