// SPDX-License-Identifier: Apache-2.0
// An engine whose runs this process makes and times itself.
#pragma once

#include <lapidary/bench.h>

namespace lapidary {

class InProcessEngine : public BenchEngine {
public:
    Times burst(int lead, int runs) final;
    double load_ms() const final { return load_ms_; }
    double peak_mb() const final;

protected:
    /// One run, with whatever it costs to let go of the outputs.
    virtual void run() = 0;
    double load_ms_ = 0;
};

}  // namespace lapidary
