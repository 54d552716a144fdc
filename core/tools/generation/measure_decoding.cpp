// SPDX-License-Identifier: Apache-2.0
#include <lapidary/generation/measure_decoding.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <random>
#include <string_view>
#include <utility>

#include <lapidary/base/error.h>
#include <lapidary/cost/roofline.h>

#include "base/memory/available_memory.h"
#include "bench/machine/canary.h"
#include "bench/statistics/median.h"
#include "bench/statistics/series.h"

namespace lapidary {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::int64_t burst_tokens = 8;  // counted ones
// In front of a burst, not counted. Weights that fit into the last cache come back there within a
// few tokens of the other engine's turn; alone, an engine has no turns to recover from.
constexpr std::int64_t lead_in_turn = 3, lead_alone = 1;
constexpr std::int64_t least_passes = 1, enough_passes = 6, most_passes = 200;
constexpr double least_time_share = 0.15;  // looking earlier finds narrow intervals by chance
constexpr double most_waiting_share = 0.02;
constexpr std::size_t least_quiet = 6;

/// One burst of tokens, or a prompt.
struct Sample {
    double ms = 0;  // a prompt; a token, as the median of those that count
    bool is_quiet = false;
};

/// What one engine did.
struct Contender {
    DecodingEngine* engine = nullptr;
    double first_token_ms = 0;
    std::vector<Sample> prompts, bursts;       // of all passes but the first
    std::vector<double> first_pass_ms;         // by token
    std::vector<std::vector<double>> counted;  // by token, of the later passes
    std::vector<std::int64_t> choices;         // of the first pass, the prompt's in front
    std::vector<double> logits;
};

class Measuring {
public:
    Measuring(const DecoderCard& card, std::vector<Contender> contenders, int threads,
              const DecodingOptions& options, const Progress& progress)
        : options_(options), progress_(progress), contenders_(std::move(contenders)),
          canary_(threads), random_(options.seed) {
        std::uniform_int_distribution<std::int64_t> any(0, card.vocabulary - 1);
        prompt_.reserve(static_cast<std::size_t>(options.context));
        for (std::int64_t i = 0; i < options.context + options.new_tokens; ++i)
            (i < options.context ? prompt_ : tokens_).push_back(any(random_));
        for (Contender& c : contenders_) c.counted.resize(tokens_.size());
    }

    void run() {
        const auto start = Clock::now();
        const double allowed = options_.seconds * static_cast<double>(contenders_.size());
        for (passes_ = 0; passes_ <= most_passes; ++passes_) {
            const double taken = std::chrono::duration<double>(Clock::now() - start).count();
            if (passes_ > least_passes && taken > allowed) break;
            if (passes_ > enough_passes && taken > least_time_share * allowed && is_precise())
                break;
            share_ = std::min(1.0, taken / allowed);
            pass();
        }
    }

    /// Where the time of a token behind the prompt goes, in the first engine.
    RecordedToken record() {
        progress_.step("record", 1);
        std::vector<std::int64_t> tokens = prompt_;
        const std::size_t behind = std::min<std::size_t>(tokens_.size(), 2);
        tokens.insert(tokens.end(), tokens_.begin(),
                      tokens_.begin() + static_cast<std::ptrdiff_t>(behind));
        return contenders_[0].engine->record(tokens);
    }

    std::int64_t later_passes() const { return passes_ - 1; }
    const std::vector<Contender>& contenders() const { return contenders_; }

    /// Ratios of the second engine's times to the first's, of pairs that both were quiet in.
    static std::vector<double> ratios(const std::vector<Sample>& ours,
                                      const std::vector<Sample>& theirs, bool quiet_only) {
        std::vector<double> all;
        for (std::size_t i = 0; i < std::min(ours.size(), theirs.size()); ++i)
            if (!quiet_only || (ours[i].is_quiet && theirs[i].is_quiet))
                all.push_back(theirs[i].ms / ours[i].ms);
        return all;
    }
    static std::vector<double> times(const std::vector<Sample>& samples, bool quiet_only) {
        std::vector<double> all;
        for (const Sample& sample : samples)
            if (!quiet_only || sample.is_quiet) all.push_back(sample.ms);
        return all;
    }
    std::size_t quiet_bursts() const {
        return contenders_.size() > 1
                   ? ratios(contenders_[0].bursts, contenders_[1].bursts, true).size()
                   : times(contenders_[0].bursts, true).size();
    }

private:
    bool is_precise() const {
        const std::vector<double> values =
            contenders_.size() > 1 ? ratios(contenders_[0].bursts, contenders_[1].bursts, true)
                                   : times(contenders_[0].bursts, true);
        return relative_half_width(estimate_median_of_series(values)) < options_.precision;
    }

    std::vector<std::size_t> order() {
        std::vector<std::size_t> order(contenders_.size());
        for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
        std::ranges::shuffle(order, random_);
        return order;
    }

    /// The prompt with the first burst, then bursts in turn. Each pass begins its bursts at other
    /// tokens, so that each token counts in some of them.
    void pass() {
        const std::int64_t first =
            passes_ == 0 ? burst_tokens : burst_tokens - passes_ % burst_tokens;
        const auto count = static_cast<std::int64_t>(tokens_.size());
        for (const std::size_t i : order()) {
            prompt(contenders_[i]);
            burst(contenders_[i], 0, std::min(first, count), 0);
        }
        const std::int64_t lead = contenders_.size() > 1 ? lead_in_turn : lead_alone;
        for (std::int64_t at = first; at < count; at += lead + burst_tokens)
            for (const std::size_t i : order())
                burst(contenders_[i], at, std::min(at + lead + burst_tokens, count), lead);
    }

    template <typename Run>
    DecodedTokens watched(std::string_view stage, Run run, bool& is_quiet) {
        progress_.step(stage, share_);
        const Canary::Reading before = canary_.wait();
        DecodedTokens decoded = run();
        const Canary::Reading after = canary_.look();
        double wall = 0;
        for (const double ms : decoded.ms) wall += ms;
        is_quiet = canary_.is_full_speed(before) && canary_.is_full_speed(after) &&
                   decoded.waited_ms <= most_waiting_share * wall;
        return decoded;
    }

    void prompt(Contender& c) {
        Sample sample;
        const DecodedTokens decoded = watched(
            "run the prompt", [&] { return c.engine->begin(prompt_); }, sample.is_quiet);
        sample.ms = decoded.ms.at(0);
        if (passes_ > 0) c.prompts.push_back(sample);
        else c.first_token_ms = sample.ms;
        keep_choices(c, decoded);
    }

    /// Tokens [begin, end), of which the first `lead` are not counted.
    void burst(Contender& c, std::int64_t begin, std::int64_t end, std::int64_t lead) {
        Sample sample;
        const std::span<const std::int64_t> tokens(tokens_);
        const DecodedTokens decoded = watched(
            "measure",
            [&] {
                return c.engine->go_on(tokens.subspan(static_cast<std::size_t>(begin),
                                                      static_cast<std::size_t>(end - begin)));
            },
            sample.is_quiet);
        keep_choices(c, decoded);
        if (passes_ == 0) {
            c.first_pass_ms.insert(c.first_pass_ms.end(), decoded.ms.begin(), decoded.ms.end());
            return;
        }
        std::vector<double> counted;
        for (std::int64_t i = lead; i < end - begin; ++i) {
            counted.push_back(decoded.ms.at(static_cast<std::size_t>(i)));
            c.counted[static_cast<std::size_t>(begin + i)].push_back(counted.back());
        }
        if (counted.empty()) return;
        sample.ms = median_of(counted);
        c.bursts.push_back(sample);
    }

    void keep_choices(Contender& c, const DecodedTokens& decoded) const {
        if (passes_ > 0) return;
        c.choices.insert(c.choices.end(), decoded.choices.begin(), decoded.choices.end());
        c.logits.insert(c.logits.end(), decoded.logits.begin(), decoded.logits.end());
    }

    const DecodingOptions& options_;
    const Progress& progress_;
    std::vector<Contender> contenders_;
    Canary canary_;
    std::mt19937_64 random_;
    std::vector<std::int64_t> prompt_, tokens_;
    std::int64_t passes_ = 0;
    double share_ = 0;
};

double per_second(double tokens, const MedianEstimate& ms) {
    return ms.median > 0 ? tokens * 1e3 / ms.median : 0;
}

std::optional<std::uint64_t> difference(std::optional<std::uint64_t> more,
                                        std::optional<std::uint64_t> less, std::uint64_t also) {
    if (!more || !less) return std::nullopt;
    return *more > *less + also ? *more - *less - also : 0;
}

DecodingFigures figures_of(const Contender& c, const DecodingMeasurement& all) {
    DecodingFigures f;
    const DecoderState state = c.engine->state();
    f.load_ms = state.load_ms;
    f.first_token_ms = c.first_token_ms;
    f.prefill_ms = estimate_median_of_series(Measuring::times(c.prompts, false));
    f.prefill_tokens_per_second = per_second(static_cast<double>(all.context), f.prefill_ms);
    f.token_ms = estimate_median_of_series(Measuring::times(c.bursts, all.quiet));
    f.decode_tokens_per_second = per_second(1, f.token_ms);
    f.first_pass_ms = c.first_pass_ms;
    for (const std::vector<double>& ms : c.counted) f.curve_ms.push_back(median_of(ms));
    f.dropped = c.bursts.size() - Measuring::times(c.bursts, true).size();
    f.is_fixed = state.storage == CacheStorage::fixed;
    f.reason = state.reason;
    f.cache_bytes = state.cache_bytes;
    f.loaded_bytes = difference(state.loaded_bytes, state.before_bytes, 0);
    f.activation_bytes = difference(state.now_bytes, state.loaded_bytes, state.cache_bytes);
    f.peak_mb = state.peak_mb;
    const auto bytes = static_cast<double>(all.token_weight_bytes + all.token_cache_bytes);
    f.gb_per_s = f.token_ms.median > 0 ? bytes / f.token_ms.median / 1e6 : 0;
    f.share_of_roof = all.roof_gb_per_s > 0 ? f.gb_per_s / all.roof_gb_per_s : 0;
    return f;
}

DecodingAgreement agreement_of(const Contender& ours, const Contender& theirs, double rtol) {
    DecodingAgreement agreement;
    agreement.choices = static_cast<std::int64_t>(ours.choices.size());
    double largest = 0;
    for (std::size_t i = 0; i < ours.choices.size(); ++i) {
        agreement.equal += ours.choices[i] == theirs.choices.at(i) ? 1 : 0;
        largest = std::max(largest, std::abs(theirs.logits.at(i)));
        agreement.difference =
            std::max(agreement.difference, std::abs(ours.logits[i] - theirs.logits[i]));
    }
    agreement.difference /= std::max(largest, std::numeric_limits<double>::min());
    agreement.matches = agreement.difference <= rtol;
    return agreement;
}

}  // namespace

void check_decoding(const DecoderCard& card, const DecodingOptions& options) {
    if (options.context < 1 || options.new_tokens < 1)
        fail_input("context and new tokens: expected at least one of each, found " +
                   std::to_string(options.context) + " and " + std::to_string(options.new_tokens));
    if (options.context > most_context || options.new_tokens > most_context)
        fail_limit("context and new tokens: expected at most " + std::to_string(most_context) +
                   " of each, found " + std::to_string(options.context) + " and " +
                   std::to_string(options.new_tokens));
    const std::int64_t needed = options.context + options.new_tokens;
    if (card.most_positions && needed > *card.most_positions)
        fail_input("a context of " + std::to_string(options.context) + " with " +
                   std::to_string(options.new_tokens) +
                   " tokens behind it is longer than the model's tables of positions, which have " +
                   std::to_string(*card.most_positions) + " rows");
    const std::uint64_t bytes = card.cache_row_bytes * static_cast<std::uint64_t>(needed);
    if (const std::uint64_t left = available_memory(); bytes > left)
        fail_limit("a context of " + std::to_string(options.context) + ": caches for " +
                   std::to_string(needed) + " tokens take " + std::to_string(bytes) +
                   " bytes, and memory has " + std::to_string(left) + " left");
}

DecodingMeasurement measure_decoding(const DecoderCard& card, DecodingEngine& ours,
                                     DecodingEngine* theirs, int threads,
                                     const DecodingOptions& options, const Progress& progress) {
    check_decoding(card, options);
    DecodingMeasurement result;
    result.context = options.context;
    result.new_tokens = options.new_tokens;
    result.weight_bytes = card.weight_bytes;
    result.token_weight_bytes = card.token_weight_bytes;
    result.token_cache_bytes = card.cache_row_bytes * static_cast<std::uint64_t>(options.context);
    result.roof_gb_per_s = reading_gb_per_s(
        threads, result.token_weight_bytes + result.token_cache_bytes, progress.cancel);
    std::vector<Contender> contenders(theirs ? 2 : 1);
    contenders[0].engine = &ours;
    if (theirs) contenders[1].engine = theirs;
    Measuring measuring(card, std::move(contenders), threads, options, progress);
    measuring.run();
    const std::vector<Contender>& measured = measuring.contenders();
    result.passes = measuring.later_passes();
    result.quiet =
        measuring.quiet_bursts() >= std::min(least_quiet, (measured[0].bursts.size() + 1) / 2);
    result.ours = figures_of(measured[0], result);
    if (theirs) result.theirs = figures_of(measured[1], result);
    if (RecordedToken recorded = measuring.record(); recorded.context > 0)
        result.ours.recorded = std::move(recorded);
    if (!theirs) return result;
    result.ratio = estimate_median_of_series(
        Measuring::ratios(measured[0].bursts, measured[1].bursts, result.quiet));
    result.prefill_ratio = estimate_median_of_series(
        Measuring::ratios(measured[0].prompts, measured[1].prompts, false));
    result.agreement = agreement_of(measured[0], measured[1], options.rtol);
    return result;
}

}  // namespace lapidary
