// SPDX-License-Identifier: Apache-2.0
#include "bench/measurement/interleaving.h"

#include <algorithm>
#include <cmath>
#include <new>

#include <lapidary/base/error.h>

#include "bench/measurement/elapsed.h"
#include "bench/statistics/median.h"
#include "bench/process/process_load.h"
#include "bench/statistics/series.h"
#include "base/threads/session_threads.h"

namespace lapidary {
namespace {

using Clock = std::chrono::steady_clock;

// duration of a sample: far above the resolution of the clock, shorter than most bursts of other
// programs
constexpr double burst_ms = 4;
constexpr int most_runs = 2000;  // per burst
// shorter runs follow an unmeasured one, with caches and workers warm:
constexpr double led_below_ms = 25;
// for these the machine is checked before, since the check would be long in comparison
constexpr double led_late_below_ms = 1;
constexpr double most_waiting = 0.02;  // of the wall time
constexpr std::size_t least_quiet = 6;
// Measuring may stop after so many rounds and this share of the time: frequent checks would find a
// narrow interval by chance, and few samples would be taken during a drift of some seconds.
constexpr int enough_rounds = 12;
constexpr double enough_time = 0.8;  // of the time allowed
constexpr int least_rounds = 6;      // needed for an interval, even when time is up ...
constexpr double most_overtime = 3;  // ... but for at most so many times the time allowed
constexpr int looks_every = 4;       // rounds

int threads_of(const RunConfiguration& c) {
    const auto count = [](int threads) { return threads > 0 ? threads : default_thread_count(); };
    return std::max(count(c.resources.threads), count(c.resources.nodes_at_a_time()));
}

}  // namespace

Interleaving::Interleaving(std::span<const Candidate> candidates, const MeasureOptions& options,
                           int first_round)
    : options_(options), random_(options.seed), first_round_(first_round) {
    for (const Candidate& candidate : candidates) {
        Contender contender;
        contender.candidate = candidate;
        const int cores = default_thread_count();
        contender.threads = std::min(threads_of(candidate.configuration), cores);
        contender.runs_left = options.runs;
        if (!candidate.engine) contender.error = "there is no engine";
        contenders_.push_back(std::move(contender));
    }
    allowed_ = options.seconds * static_cast<double>(contenders_.size());
}

/// A candidate that throws is left out from then on, except for a cancel.
template <typename F>
void Interleaving::guarded(Contender& contender, const F& f) {
    if (!contender.error.empty()) return;
    try {
        f();
    } catch (const Error& error) {
        if (error.code() == ErrorCode::cancelled) throw;
        contender.error = error.what();
    } catch (const std::bad_alloc&) { contender.error = "out of memory"; }
}

void Interleaving::warm_up(const Progress& progress) {
    for (std::size_t i = 0; i < contenders_.size(); ++i) {
        Contender& c = contenders_[i];
        progress.step("warm up", static_cast<double>(i) / static_cast<double>(contenders_.size()));
        guarded(c, [&] {
            c.load_ms = c.candidate.engine->load_ms();
            double run_ms = c.first_ms = c.candidate.engine->burst(0, 1).wall_ms;
            for (int n = 0; n < options_.warmups; ++n) {
                progress.cancel.throw_if_cancelled();
                run_ms = c.candidate.engine->burst(0, 1).wall_ms;
            }
            if (run_ms < 1)
                run_ms =
                    c.candidate.engine->burst(1, static_cast<int>(2 / std::max(run_ms, 1e-3)) + 1)
                        .wall_ms;
            c.early_lead = run_ms >= led_late_below_ms && run_ms < led_below_ms;
            c.lead = run_ms < led_late_below_ms ? 1 : 0;
            c.runs = std::clamp(static_cast<int>(burst_ms / std::max(run_ms, 1e-4)), 1, most_runs);
            if (options_.runs > 0) c.runs = std::clamp(options_.runs / enough_rounds, 1, c.runs);
            if (auto& canary = canaries_[c.threads]; !canary)
                canary = std::make_unique<Canary>(c.threads);
        });
    }
}

void Interleaving::take(Contender& c) {
    Canary& canary = *canaries_.at(c.threads);
    const int runs = options_.runs > 0 ? std::min(c.runs, c.runs_left) : c.runs;
    Sample sample;
    if (c.early_lead) c.candidate.engine->burst(0, 1);
    sample.before = canary.wait();
    sample.first_single = c.single_ms.size();
    const BenchEngine::Times times =
        c.candidate.engine->burst_of_singles(c.lead, runs, c.single_ms);
    // The median of many runs: an interruption affects few of them.
    sample.wall_ms =
        median_of({c.single_ms.begin() + static_cast<std::ptrdiff_t>(sample.first_single),
                   c.single_ms.end()});
    sample.cpu_ms = times.cpu_ms;
    sample.round = first_round_ + rounds_;
    sample.after = canary.look();
    sample.waited = times.waited_ms > most_waiting * times.wall_ms;
    c.runs_left -= runs;
    c.samples.push_back(sample);
}

bool Interleaving::round(const Progress& progress) {
    progress.step("measure", share_);
    const auto start = Clock::now();
    std::vector<std::size_t> order(contenders_.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::shuffle(order.begin(), order.end(), random_);
    for (const std::size_t i : order) {
        progress.cancel.throw_if_cancelled();
        if (options_.runs > 0 && contenders_[i].runs_left <= 0) continue;
        guarded(contenders_[i], [&] { take(contenders_[i]); });
    }
    ++rounds_;
    seconds_ += seconds_since(start);
    std::vector<const Contender*> left;
    for (const Contender& c : contenders_)
        if (c.error.empty()) left.push_back(&c);
    if (left.empty()) return false;
    if (options_.runs > 0) {
        bool more = false;
        double least = 1;
        for (const Contender* c : left) {
            more = more || c->runs_left > 0;
            least = std::min(least, 1 - static_cast<double>(c->runs_left) / options_.runs);
        }
        share_ = least;
        return more;
    }
    share_ = allowed_ > 0 ? std::min(1.0, seconds_ / allowed_) : 1;
    if (rounds_ >= most_rounds_ ||
        seconds_ >= (rounds_ < least_rounds ? most_overtime : 1) * allowed_)
        return goes_on();
    if (rounds_ < enough_rounds || rounds_ % looks_every != 0 || seconds_ < enough_time * allowed_)
        return true;
    return !std::ranges::all_of(left, [&](const Contender* c) { return is_precise(*c); }) ||
           goes_on();
}

/// True if the caller wants a more precise figure and there is time for it. Asks the caller only a
/// few times, each after twice the time, since frequent checks would find differences by chance.
bool Interleaving::goes_on() {
    const double most = options_.budget_seconds * static_cast<double>(contenders_.size());
    if (!options_.is_enough || seconds_ >= most || options_.is_enough(state())) return false;
    allowed_ = std::min(2 * std::max(allowed_, seconds_), most);
    most_rounds_ *= 2;
    share_ = std::min(1.0, seconds_ / allowed_);
    return true;
}

double Interleaving::share_done() const { return share_; }

bool Interleaving::is_quiet(const Contender& contender, const Sample& sample) const {
    const Canary& canary = *canaries_.at(contender.threads);
    return !sample.waited && canary.is_full_speed(sample.before) &&
           canary.is_full_speed(sample.after);
}

bool Interleaving::is_precise(const Contender& contender) const {
    std::vector<double> quiet;
    for (const Sample& s : contender.samples)
        if (is_quiet(contender, s)) quiet.push_back(s.wall_ms);
    return quiet.size() >= static_cast<std::size_t>(enough_rounds) &&
           relative_half_width(estimate_median_of_series(quiet, 0, true)) <= options_.precision;
}

Measurement Interleaving::measurement_of(const Contender& c) const {
    Measurement m;
    m.configuration = c.candidate.configuration;
    m.load_ms = c.load_ms;
    m.first_ms = c.first_ms;
    m.error = c.error;
    const std::size_t quiet = static_cast<std::size_t>(
        std::ranges::count_if(c.samples, [&](const Sample& s) { return is_quiet(c, s); }));
    m.busy = quiet < std::min(least_quiet, (c.samples.size() + 1) / 2);
    std::vector<double> cpu, singles;
    for (std::size_t i = 0; i < c.samples.size(); ++i) {
        const Sample& s = c.samples[i];
        if (!m.busy && !is_quiet(c, s)) {
            ++m.dropped;
            continue;
        }
        m.samples_ms.push_back(s.wall_ms);
        m.rounds.push_back(s.round);
        cpu.push_back(s.cpu_ms);
        const std::size_t end =
            i + 1 < c.samples.size() ? c.samples[i + 1].first_single : c.single_ms.size();
        singles.insert(singles.end(),
                       c.single_ms.begin() + static_cast<std::ptrdiff_t>(s.first_single),
                       c.single_ms.begin() + static_cast<std::ptrdiff_t>(end));
    }
    m.wall = summarize_samples(m.samples_ms, options_.precision, singles);
    m.cpu_ms = estimate_median_of_series(cpu, repeat_share, true);
    if (!m.samples_ms.empty())
        m.per_second = static_cast<double>(std::max<std::int64_t>(m.configuration.batch, 1)) * 1e3 /
                       m.wall.median.median;
    if (m.busy && !m.samples_ms.empty()) {
        // Other programs can only slow a run down: on a quiet machine the median may be as low as
        // the fastest sample.
        m.wall.median.low = std::min(m.wall.median.low, *std::ranges::min_element(m.samples_ms));
        m.wall.note += std::string(m.wall.note.empty() ? "" : "; ") +
                       "the machine was busy or slow nearly all the time";
    }
    return m;
}

std::vector<Measurement> Interleaving::state() const {
    std::vector<Measurement> state;
    for (const Contender& c : contenders_) state.push_back(measurement_of(c));
    return state;
}

std::vector<Measurement> measure_interleaved(
    std::span<const Candidate> candidates, const MeasureOptions& options, const Progress& progress,
    const std::function<void(const std::vector<Measurement>&)>& on_round) {
    constexpr double least_pause = 0.1;
    Interleaving interleaving(candidates, options);
    interleaving.warm_up(progress);
    auto reported = Clock::now();
    while (interleaving.round(progress))
        if (on_round && seconds_since(reported) >= least_pause) {
            on_round(interleaving.state());
            reported = Clock::now();
        }
    std::vector<Measurement> state = interleaving.state();
    if (on_round) on_round(state);
    return state;
}

}  // namespace lapidary
