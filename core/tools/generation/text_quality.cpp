// SPDX-License-Identifier: Apache-2.0
#include <lapidary/generation/text_quality.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <lapidary/base/error.h>
#include <lapidary/generation/divergence.h>

#include "base/threads/task_threads.h"

namespace lapidary {
namespace {

/// What the logits in front of one token of the text say.
struct TokenFigures {
    double nats = 0, other_nats = 0;
    double kl = 0;
    bool is_right = false, is_other_right = false, is_changed = false;
    std::int64_t window = 0;  // that it was predicted in, from 1 on

    bool is_finite() const {
        return std::isfinite(nats) && std::isfinite(other_nats) && std::isfinite(kl);
    }
};

/// The element of largest value; the first of equal ones.
std::int64_t largest_of(std::span<const float> logits) {
    return std::ranges::max_element(logits) - logits.begin();
}

constexpr std::size_t least_windows = 8;  // from which on they show how far texts differ

/// Of the mean. Tokens of a window depend on each other: what a window is off as a whole counts.
double standard_error(const std::vector<TokenFigures>& all, double (*figure)(const TokenFigures&),
                      double mean) {
    const auto count = static_cast<double>(all.size());
    std::vector<double> windows;
    double tokens = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (i == 0 || all[i].window != all[i - 1].window) windows.push_back(0);
        const double off = figure(all[i]) - mean;
        windows.back() += off;
        tokens += off * off;
    }
    if (windows.size() < least_windows)
        return all.size() > 1 ? std::sqrt(tokens / (count - 1) / count) : 0;
    double squares = 0;
    for (const double sum : windows) squares += sum * sum;
    const auto several = static_cast<double>(windows.size());
    return std::sqrt(squares * several / (several - 1)) / count;
}

TokenMean mean_of(const std::vector<TokenFigures>& all, double (*figure)(const TokenFigures&)) {
    TokenMean found;
    if (all.empty()) return found;
    const auto count = static_cast<double>(all.size());
    for (const TokenFigures& token : all) found.mean += figure(token) / count;
    found.error = standard_error(all, figure, found.mean);
    return found;
}

class TextRun {
public:
    TextRun(Generator& model, Generator* other, std::span<const std::int64_t> tokens,
            const TextQualityOptions& options, const Progress& progress)
        : model_(model), other_(other), tokens_(tokens), options_(options), progress_(progress),
          threads_(model.session().threads()) {}

    TextQuality run() {
        const std::int64_t in_front = options_.begin_token ? 1 : 0;
        const std::int64_t reach = options_.window - in_front;  // tokens of the text in a window
        const std::int64_t stride = options_.stride > 0 ? options_.stride : reach;
        const auto count = static_cast<std::int64_t>(tokens_.size());
        std::int64_t predicted = 0;  // tokens that have had their turn
        for (std::int64_t begin = 0; predicted < count; begin += stride) {
            const std::int64_t end = std::min(count, begin + reach),
                               first = std::max(predicted, begin + 1 - in_front);
            if (first >= end) break;  // one token is left, which nothing stands in front of
            run_window(begin, first, end);
            predicted = end;
        }
        return found();
    }

private:
    /// Predicts tokens first ... end of the text from those that begin at `begin`.
    void run_window(std::int64_t begin, std::int64_t first, std::int64_t end) {
        std::vector<std::int64_t> ids;
        if (options_.begin_token) ids.push_back(*options_.begin_token);
        ids.insert(ids.end(), tokens_.begin() + begin, tokens_.begin() + end - 1);
        model_.reset();
        if (other_) other_->reset();
        ++quality_.windows;
        const auto count = static_cast<std::int64_t>(ids.size());
        const bool has_caches = model_.cache_count() > 0 && (!other_ || other_->cache_count() > 0);
        const std::int64_t each = has_caches ? options_.tokens_per_run : count;
        for (std::int64_t at = 0; at < count; at += each) {
            progress_.step("text", static_cast<double>(end - count + at) /
                                       static_cast<double>(tokens_.size()));
            const std::int64_t size = std::min(each, count - at);
            const TokenRows part{1, {ids.begin() + at, ids.begin() + at + size}};
            const Tensor& mine = model_.feed_all(part, progress_.cancel);
            const Tensor* const theirs =
                other_ ? &other_->feed_all(part, progress_.cancel) : nullptr;
            // row i of the logits predicts this token of the text
            const std::int64_t next = end - count + at;
            judge(mine, theirs, next, std::max<std::int64_t>(0, first - next));
        }
    }

    void judge(const Tensor& mine, const Tensor* theirs, std::int64_t next, std::int64_t skipped) {
        const std::int64_t rows = mine.dim(1);
        if (skipped >= rows) return;
        const std::size_t before = figures_.size();
        figures_.resize(before + static_cast<std::size_t>(rows - skipped));
        threads_.execute([&] {
            threads_.parallel_tasks(rows - skipped, [&](std::int64_t i, int) {
                progress_.cancel.throw_if_cancelled();
                const std::int64_t row = skipped + i;
                figures_[before + static_cast<std::size_t>(i)] = figures_of(
                    row_of(mine, row), theirs ? row_of(*theirs, row) : std::span<const float>(),
                    next + row);
            });
        });
    }

    static std::span<const float> row_of(const Tensor& logits, std::int64_t row) {
        const auto vocabulary = static_cast<std::size_t>(logits.dim(2));
        return logits.data<float>().subspan(static_cast<std::size_t>(row) * vocabulary, vocabulary);
    }

    TokenFigures figures_of(std::span<const float> mine, std::span<const float> theirs,
                            std::int64_t place) const {
        const std::int64_t token = tokens_[static_cast<std::size_t>(place)];
        const auto vocabulary = static_cast<std::int64_t>(mine.size());
        if (token < 0 || token >= vocabulary)
            fail_input("token " + std::to_string(token) + " at place " + std::to_string(place + 1) +
                       " of the text: the model's logits are of " + std::to_string(vocabulary) +
                       " tokens");
        const auto right = static_cast<std::size_t>(token);
        TokenFigures found;
        found.window = quality_.windows;
        found.nats = log_sum(mine) - mine[right];
        const std::int64_t choice = largest_of(mine);
        found.is_right = choice == token;
        if (theirs.empty()) return found;
        found.kl = kl_divergence(theirs, mine);
        found.other_nats = log_sum(theirs) - theirs[right];
        const std::int64_t other_choice = largest_of(theirs);
        found.is_other_right = other_choice == token;
        found.is_changed = choice != other_choice;
        return found;
    }

    TextQuality found() {
        const auto all = static_cast<std::int64_t>(figures_.size());
        std::erase_if(figures_, [](const TokenFigures& token) { return !token.is_finite(); });
        quality_.tokens = static_cast<std::int64_t>(figures_.size());
        quality_.not_finite = all - quality_.tokens;
        quality_.model = {mean_of(figures_, [](const TokenFigures& t) { return t.nats; }),
                          std::ranges::count(figures_, true, &TokenFigures::is_right)};
        if (!other_) return quality_;
        quality_.other = {mean_of(figures_, [](const TokenFigures& t) { return t.other_nats; }),
                          std::ranges::count(figures_, true, &TokenFigures::is_other_right)};
        quality_.divergence = divergence();
        return quality_;
    }

    TextDivergence divergence() const {
        TextDivergence found;
        if (figures_.empty()) return found;
        found.kl = mean_of(figures_, [](const TokenFigures& t) { return t.kl; });
        found.nats = mean_of(figures_, [](const TokenFigures& t) { return t.nats - t.other_nats; });
        found.changed = std::ranges::count(figures_, true, &TokenFigures::is_changed);
        double squares = 0;
        std::vector<double> sorted;
        for (const TokenFigures& token : figures_) {
            sorted.push_back(token.kl);
            squares += std::pow(std::exp(-token.nats) - std::exp(-token.other_nats), 2);
        }
        std::ranges::sort(sorted);
        const auto at = [&](double share) {
            const auto last = static_cast<double>(sorted.size() - 1);
            return sorted[static_cast<std::size_t>(std::ceil(share * last))];
        };
        found.kl_median = at(0.5);
        found.kl_99 = at(0.99);
        found.kl_most = sorted.back();
        found.probability_change = std::sqrt(squares / static_cast<double>(figures_.size()));
        return found;
    }

    Generator& model_;
    Generator* other_;
    std::span<const std::int64_t> tokens_;
    const TextQualityOptions& options_;
    const Progress& progress_;
    TaskThreads threads_;
    std::vector<TokenFigures> figures_;
    TextQuality quality_;
};

}  // namespace

double TextPrediction::perplexity() const { return std::exp(nats.mean); }
double TextPrediction::perplexity_error() const { return perplexity() * nats.error; }
double TextDivergence::perplexity_ratio() const { return std::exp(nats.mean); }

TextQuality measure_text_quality(Generator& model, Generator* other,
                                 std::span<const std::int64_t> tokens,
                                 const TextQualityOptions& options, const Progress& progress) {
    const auto at_least = [](std::int64_t least, std::int64_t found, const char* what) {
        if (found < least)
            fail_input(std::string(what) + ": expected at least " + std::to_string(least) +
                       ", found " + std::to_string(found));
    };
    at_least(2, options.window, "tokens of a window");
    at_least(0, options.stride, "tokens between windows");
    at_least(1, options.tokens_per_run, "tokens of a run");
    at_least(0, options.most_tokens, "tokens of the text");
    if (const std::int64_t reach = options.window - (options.begin_token ? 1 : 0);
        options.stride > reach)
        fail_input("windows with " + std::to_string(reach) +
                   " tokens of the text that begin every " + std::to_string(options.stride) +
                   " leave some out");
    const auto most = static_cast<std::size_t>(options.most_tokens);
    if (most > 0 && tokens.size() > most) tokens = tokens.first(most);
    at_least(options.begin_token ? 1 : 2, static_cast<std::int64_t>(tokens.size()),
             "tokens of the text");
    return TextRun(model, other, tokens, options, progress).run();
}

}  // namespace lapidary
