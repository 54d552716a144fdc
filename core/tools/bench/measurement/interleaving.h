// SPDX-License-Identifier: Apache-2.0
// Measures candidates in turn, round by round.
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
    /// `first_round`: number of the first round. Measurements that are not paired must not have
    /// equal numbers.
    Interleaving(std::span<const Candidate> candidates, const MeasureOptions& options,
                 int first_round = 0);

    /// First runs and warm-ups of all candidates.
    void warm_up(const Progress& progress);
    /// Measures one round. False: there is no more to do. Throws cancelled.
    bool round(const Progress& progress);
    /// The share of the time, or of the runs, that is done: 0 to 1.
    double share_done() const;
    /// Parallel to the candidates.
    std::vector<Measurement> state() const;

private:
    struct Sample {
        double wall_ms = 0, cpu_ms = 0;
        int round = 0;
        Canary::Reading before, after;
        bool waited = false;           // it had to wait for a core
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
    double seconds_ = 0, allowed_ = 0;  // used by rounds; limit
    double share_ = 0;
};

}  // namespace lapidary
