// SPDX-License-Identifier: Apache-2.0
// Candidates measured in turn, round by round.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <random>
#include <vector>

#include <lapidary/bench/bench.h>

#include "bench/machine/canary.h"

namespace lapidary {

/// measure_interleaved() describes the method. Between two calls of round() any time may pass.
class Interleaving {
public:
    /// `first_round`: the number of the first round; those of measurements that are no pairs must
    /// not meet.
    Interleaving(std::span<const Candidate> candidates, const MeasureOptions& options,
                 int first_round = 0);

    /// First runs and warm-ups of all candidates.
    void warm_up(const Progress& progress);
    /// One round; false when there is no more to do. Throws cancelled.
    bool round(const Progress& progress);
    /// How much of the time is used, or of the runs made: 0 to 1.
    double share_done() const;
    /// Parallel to the candidates.
    std::vector<Measurement> state() const;

private:
    struct Sample {
        double wall_ms = 0, cpu_ms = 0;
        int round = 0;
        Canary::Reading before, after;
        bool waited = false;           // for the processor
        std::size_t first_single = 0;  // of its runs
    };
    struct Contender {
        Candidate candidate;
        int threads = 1, lead = 0, runs = 1, runs_left = 0;
        bool early_lead = false;
        double load_ms = 0, first_ms = 0;
        std::vector<Sample> samples;
        std::vector<double> single_ms;
        std::string error;
    };

    template <typename F>
    void guarded(Contender& contender, const F& f);
    void take(Contender& contender);
    bool is_quiet(const Contender& contender, const Sample& sample) const;
    bool is_precise(const Contender& contender) const;
    bool goes_on();
    Measurement measurement_of(const Contender& contender) const;

    MeasureOptions options_;
    std::vector<Contender> contenders_;
    std::map<int, std::unique_ptr<Canary>> canaries_;  // by threads
    std::mt19937_64 random_;
    int first_round_, rounds_ = 0, most_rounds_ = 2000;
    double seconds_ = 0, allowed_ = 0;  // spent in rounds, at most
    double share_ = 0;
};

}  // namespace lapidary
