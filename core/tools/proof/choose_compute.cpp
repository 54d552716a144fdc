// SPDX-License-Identifier: Apache-2.0
#include <lapidary/proof/choose_compute.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include <fmt/format.h>

#include <lapidary/base/error.h>

#include "bench/statistics/median.h"

namespace lapidary {
namespace {

using Clock = std::chrono::steady_clock;
using Run = std::function<TimedRun()>;

/// Pairs of runs, one exact and one not.
constexpr int least_pairs = 3, most_pairs = 15;
constexpr auto long_enough = std::chrono::milliseconds(700);
/// One that is faster by less than this is as fast.
constexpr double clearly = 1.05;

/// The median over pairs in alternating order, after one run of each.
double measured_speedup(const Run& exact, const Run& rounded, const Progress& progress) {
    exact();
    rounded();
    std::vector<double> ratios;
    const auto start = Clock::now();
    for (int pair = 0;
         pair < least_pairs || (pair < most_pairs && Clock::now() - start < long_enough); ++pair) {
        progress.cancel.throw_if_cancelled();
        const bool is_first = pair % 2 == 0;
        const double before = (is_first ? exact : rounded)().ms,
                     after = (is_first ? rounded : exact)().ms;
        ratios.push_back(is_first ? before / after : after / before);
    }
    return median_of(std::move(ratios));
}

/// Rows of a product that is as fast as a convolution.
constexpr std::int64_t convolution_rows = ProductRoofs::rows.back();

double convolutions_ms(const ExactRun& run, Compute compute) {
    return compute == Compute::fp16   ? run.fp16_convolutions_ms
           : compute == Compute::bf16 ? run.bf16_convolutions_ms
                                      : 0;
}

bool rounds_nothing(const ExactRun& run) {
    return run.products.empty() && run.fp16_convolutions_ms == 0 && run.bf16_convolutions_ms == 0;
}

double promised_by(const ProductRoofs& roofs, const ExactRun& run, Compute compute) {
    double ms = run.ms;
    for (const RoundedProduct& product : run.products)
        ms += product.ms / roofs.gain(compute, product.rows) - product.ms;
    const double rounded = convolutions_ms(run, compute);
    ms += rounded / roofs.gain(compute, convolution_rows) - rounded;
    return ms > 0 ? run.ms / ms : 1;
}

/// "no answer changed (12)", "2 of 129 answers changed"; empty: there are none.
std::string answers_text(std::int64_t changed, std::int64_t all) {
    if (all == 0) return {};
    return changed == 0 ? fmt::format("no answer changed ({})", all)
                        : fmt::format("{} of {} answers changed", changed, all);
}

/// Why the loss is too much, a clause; empty: it is not.
std::string loss_problem(const LoweredPrecision& loss, const ComputeLimits& limits) {
    if (const LoweredOutput* const worst = loss.worst()) {
        const Comparison& c = worst->comparison;
        if (!(c.sqnr_db >= limits.least_sqnr_db))
            return fmt::format("'{}' has {:.1f} dB SQNR, and {:g} are the limit", worst->name,
                               c.sqnr_db, limits.least_sqnr_db);
    }
    if (const auto [changed, all] = loss.answers();
        static_cast<double>(changed) > limits.most_changed * static_cast<double>(all))
        return fmt::format("{}, and {:g} % are the limit", answers_text(changed, all),
                           100 * limits.most_changed);
    if (const auto [differ, all] = loss.others(); differ > 0)
        return fmt::format("{} of {} elements of outputs that are no floats differ", differ, all);
    return {};
}

class Choosing {
public:
    Choosing(ComputeSubject& subject, const ComputeLimits& limits, const Progress& progress)
        : subject_(subject), limits_(limits), progress_(progress) {}

    ComputeChoice run(const std::optional<ProductRoofs>& roofs) {
        progress_.step("run exactly");
        const ExactRun exact = subject_.measure_exact(progress_);
        if (rounds_nothing(exact)) {
            choice_.reason = nothing_rounded_text();
            return std::move(choice_);
        }
        progress_.step("measure rates of products");
        choice_.roofs =
            roofs ? *roofs : product_roofs(exact.threads, exact.weight_bytes, progress_.cancel);
        for (const Compute compute : rounding_computes) {
            ComputeTrial& trial = choice_.trials.emplace_back();
            trial.compute = compute;
            trial.promised = promised_by(choice_.roofs, exact, compute);
            if (trial.promised < limits_.least_speedup)
                trial.refusal =
                    fmt::format("rates of products here promise {:.2f} x as fast", trial.promised);
            else attempt(trial);
        }
        settle();
        return std::move(choice_);
    }

private:
    void attempt(ComputeTrial& trial) {
        const std::string name(name_of(trial.compute));
        progress_.step("try " + name);
        const Progress quiet{progress_.cancel, {}};
        try {
            if (!exact_) {
                exact_ = subject_.open(Compute::exact, quiet);
                outputs_ = exact_().outputs;
            }
            const Run rounded = subject_.open(trial.compute, quiet);
            trial.loss = compare_lowered({{name + " weights", "cpu"}}, rounded().outputs, outputs_);
            trial.refusal = loss_problem(*trial.loss, limits_);
            trial.speedup = measured_speedup(exact_, rounded, progress_);
            if (trial.refusal.empty() && *trial.speedup < limits_.least_speedup)
                trial.refusal = "it gains too little";
        } catch (const Error& error) {
            if (error.code() == ErrorCode::cancelled) throw;
            trial.refusal = "it did not run: " + error.message();
        }
    }

    void settle() {
        const ComputeTrial* best = nullptr;
        for (const ComputeTrial& trial : choice_.trials)
            if (trial.refusal.empty() && (!best || *trial.speedup > *best->speedup * clearly))
                best = &trial;
        if (best) choice_.compute = best->compute;
        else choice_.reason = "nothing gains enough within the limits of loss";
        for (ComputeTrial& trial : choice_.trials)
            if (best && &trial != best && trial.refusal.empty())
                trial.refusal = std::string(name_of(best->compute)) + " is as fast or faster";
    }

    ComputeSubject& subject_;
    const ComputeLimits& limits_;
    const Progress& progress_;
    Run exact_;
    NamedValues outputs_;  // of the exact run
    ComputeChoice choice_;
};

}  // namespace

const ComputeTrial* ComputeChoice::chosen() const {
    const auto found = std::ranges::find(trials, compute, &ComputeTrial::compute);
    return found == trials.end() ? nullptr : &*found;
}

ComputeChoice choose_compute(ComputeSubject& subject, const ComputeLimits& limits,
                             const Progress& progress, const std::optional<ProductRoofs>& roofs) {
    return Choosing(subject, limits, progress).run(roofs);
}

std::string verdict_text(Compute compute, std::optional<double> speedup,
                         const LoweredPrecision& loss) {
    std::string text(name_of(compute));
    text += ": ";
    if (speedup) text += fmt::format("{:.2f} x as fast, ", *speedup);
    if (rounds_nothing(loss)) return text + nothing_rounded_text();
    if (!loss.problem.empty()) return text + "its loss is not known, as " + loss.problem;
    const ComputePrice price = price_of(speedup, loss);
    if (price.equal) text += "equal outputs";
    else if (price.sqnr_db) text += fmt::format("SQNR {:.0f} dB", *price.sqnr_db);
    else text += "no output of floats";
    if (price.answers > 0) text += ", " + answers_text(price.changed_answers, price.answers);
    return text;
}

namespace {

/// What a trial lost and why it was not chosen. Where both are the answers, they are said once.
std::string refused_text(const ComputeTrial& trial) {
    if (!trial.loss) return std::string(name_of(trial.compute)) + ": " + trial.refusal;
    std::string text = verdict_text(trial.compute, trial.speedup, *trial.loss);
    const auto [changed, all] = trial.loss->answers();
    const std::string answers = answers_text(changed, all);
    if (!answers.empty() && text.ends_with(answers) && trial.refusal.starts_with(answers))
        return text + trial.refusal.substr(answers.size());
    return text + "; " + trial.refusal;
}

}  // namespace

std::vector<std::string> lines_of(const ComputeChoice& choice) {
    const ComputeTrial* const chosen = choice.chosen();
    std::vector<std::string> lines{
        chosen ? verdict_text(chosen->compute, chosen->speedup, *chosen->loss)
               : "exact: " + choice.reason};
    for (const ComputeTrial& trial : choice.trials)
        if (&trial != chosen) lines.push_back("not " + refused_text(trial));
    return lines;
}

}  // namespace lapidary
