// SPDX-License-Identifier: Apache-2.0
// com.microsoft BeamSearch over a GPT decoder: keeps num_beams sequences per row, ranks finished ones by
// sum of log-probabilities / length^length_penalty.
#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/reference/elementwise/widening.h"
#include "kernels/reference/generation/generation.h"

namespace lapidary::reference {
namespace {

using Sequence64 = std::vector<std::int64_t>;

struct Hypothesis {
    Sequence64 tokens;
    float score;
};

/// The best finished sequences of one row, best first.
class Finished {
public:
    Finished(std::size_t beams, float length_penalty, bool early_stopping)
        : beams_(beams), penalty_(length_penalty), early_(early_stopping) {}

    void add(const Sequence64& tokens, float sum) {
        const float score = normalized(sum, tokens.size());
        if (list_.size() == beams_ && score <= list_.back().score) return;
        const auto at = std::ranges::find_if(list_, [&](const Hypothesis& h) { return h.score < score; });
        list_.insert(at, {tokens, score});
        if (list_.size() > beams_) list_.pop_back();
    }
    bool is_done(float best_running_sum, std::size_t length) const {
        if (list_.size() < beams_) return false;
        return early_ || list_.back().score >= normalized(best_running_sum, length);
    }
    const std::vector<Hypothesis>& list() const { return list_; }
    bool done = false;

private:
    float normalized(float sum, std::size_t length) const {
        return sum / std::pow(static_cast<float>(length), penalty_);
    }
    std::size_t beams_;
    float penalty_;
    bool early_;
    std::vector<Hypothesis> list_;
};

void log_softmax(float* row, std::int64_t count) {
    const float most = *std::max_element(row, row + count);
    double sum = 0;
    for (std::int64_t i = 0; i < count; ++i) sum += std::exp(static_cast<double>(row[i]) - most);
    const float shift = most + static_cast<float>(std::log(sum));
    for (std::int64_t i = 0; i < count; ++i) row[i] -= shift;
}

class BeamSearchRun {
public:
    explicit BeamSearchRun(KernelContext& context)
        : context_(context), settings_(context), beams_(count_of(3, "num_beams")),
          returned_(count_of(4, "num_return_sequences")), rows_(settings_.batch * beams_),
          decoder_(context, settings_, rows_) {
        if (returned_ > beams_)
            context.fail("BeamSearch: num_return_sequences " + std::to_string(returned_) + " passes num_beams " +
                         std::to_string(beams_));
        const auto penalty = floats_of(context, context.optional_input(5));
        for (std::int64_t b = 0; b < settings_.batch; ++b)
            finished_.emplace_back(static_cast<std::size_t>(beams_), penalty.empty() ? 1.f : penalty[0],
                                   context.node().int_attribute("early_stopping", 0) != 0);
        for (std::int64_t r = 0; r < rows_; ++r) {
            const auto begin = settings_.tokens.begin() + r / beams_ * settings_.prompt;
            sequences_.emplace_back(begin, begin + settings_.prompt);
            sums_.push_back(r % beams_ == 0 ? 0.f : -1e9f);  // all beams start equal: only the first counts
        }
    }

    void run() {
        Sequence64 next(static_cast<std::size_t>(rows_));
        for (std::int64_t length = settings_.prompt; length < settings_.max_length; ++length) {
            context_.cancel().throw_if_cancelled();
            std::vector<float> scores = decoder_.step(next);
            Sequence64 order(next.size());
            for (std::int64_t b = 0; b < settings_.batch; ++b)
                advance(b, length == settings_.prompt, scores, next, order);
            std::vector<Sequence64> grown;
            for (std::size_t r = 0; r < next.size(); ++r) {
                grown.push_back(sequences_[static_cast<std::size_t>(order[r])]);
                grown.back().push_back(next[r]);
            }
            sequences_ = std::move(grown);
            if (std::ranges::all_of(finished_, &Finished::done)) break;
            decoder_.reorder(order);
        }
        for (std::int64_t r = 0; r < rows_; ++r)
            if (Finished& f = finished_[static_cast<std::size_t>(r / beams_)]; !f.done)
                f.add(sequences_[static_cast<std::size_t>(r)], sums_[static_cast<std::size_t>(r)]);
        write();
    }

private:
    std::int64_t count_of(std::size_t input, const char* what) const {
        const auto values = to_int64s(context_.input(input));
        if (values.size() != 1 || values[0] < 1 || values[0] > 1024)
            context_.fail(std::string("BeamSearch: expected one ") + what + " in [1, 1024]");
        return values[0];
    }

    // Picks the next tokens of row b from the 2 * beams best continuations of its beams.
    void advance(std::int64_t b, bool at_prompt, std::vector<float>& scores, Sequence64& next, Sequence64& order) {
        const std::int64_t vocabulary = decoder_.vocabulary(), first = b * beams_;
        Finished& finished = finished_[static_cast<std::size_t>(b)];
        for (std::int64_t k = 0; k < beams_; ++k) {
            const std::int64_t r = first + k;
            float* row = scores.data() + r * vocabulary;
            log_softmax(row, vocabulary);
            process_scores(settings_, b, sequences_[static_cast<std::size_t>(r)], at_prompt, row, vocabulary);
            for (std::int64_t t = 0; t < vocabulary; ++t) row[t] += sums_[static_cast<std::size_t>(r)];
        }
        if (finished.done) {
            for (std::int64_t k = 0; k < beams_; ++k) {
                next[static_cast<std::size_t>(first + k)] = settings_.pad;
                order[static_cast<std::size_t>(first + k)] = first + k;
                sums_[static_cast<std::size_t>(first + k)] = 0;
            }
            return;
        }
        const float* all = scores.data() + first * vocabulary;
        std::vector<std::int64_t> best(static_cast<std::size_t>(beams_ * vocabulary));
        for (std::size_t i = 0; i < best.size(); ++i) best[i] = static_cast<std::int64_t>(i);
        const auto candidates = std::min<std::ptrdiff_t>(2 * beams_, static_cast<std::ptrdiff_t>(best.size()));
        std::partial_sort(best.begin(), best.begin() + candidates, best.end(),
                          [&](std::int64_t x, std::int64_t y) { return all[x] != all[y] ? all[x] > all[y] : x < y; });
        std::vector<float> sums;
        for (std::ptrdiff_t i = 0; i < candidates && static_cast<std::int64_t>(sums.size()) < beams_; ++i) {
            const std::int64_t token = best[static_cast<std::size_t>(i)] % vocabulary,
                               from = first + best[static_cast<std::size_t>(i)] / vocabulary;
            const float sum = all[best[static_cast<std::size_t>(i)]];
            if (token == settings_.eos) {
                if (i < beams_) finished.add(sequences_[static_cast<std::size_t>(from)], sum);
                continue;
            }
            const auto slot = static_cast<std::size_t>(first) + sums.size();
            next[slot] = token;
            order[slot] = from;
            sums.push_back(sum);
        }
        if (static_cast<std::int64_t>(sums.size()) < beams_)
            context_.fail("BeamSearch: the vocabulary is too small for " + std::to_string(beams_) + " beams");
        finished.done = finished.is_done(all[best[0]], sequences_[static_cast<std::size_t>(first)].size());
        std::copy(sums.begin(), sums.end(), sums_.begin() + first);
    }

    void write() {
        auto out = context_.output(0, DType::i32, {settings_.batch, returned_, settings_.max_length})
                       .mutable_data<std::int32_t>();
        std::ranges::fill(out, static_cast<std::int32_t>(settings_.pad));
        std::vector<float> best;
        std::size_t at = 0;
        for (const Finished& f : finished_)
            for (std::int64_t i = 0; i < returned_; ++i, at += static_cast<std::size_t>(settings_.max_length)) {
                if (static_cast<std::size_t>(i) >= f.list().size())
                    context_.fail("BeamSearch: fewer sequences ended than are to be returned");
                const Hypothesis& h = f.list()[static_cast<std::size_t>(i)];
                for (std::size_t k = 0; k < h.tokens.size(); ++k) out[at + k] = static_cast<std::int32_t>(h.tokens[k]);
                best.push_back(h.score);
            }
        if (context_.wants_output(1)) {
            const Tensor* typed = context_.optional_input(5);
            Narrowed<float> scores(
                context_, context_.output(1, typed ? typed->dtype() : DType::f32, {settings_.batch, returned_}));
            std::ranges::copy(best, scores.data());
            scores.store();
        }
        if (context_.wants_output(2)) fail_unsupported("BeamSearch: the output of all scores is not supported");
    }

    KernelContext& context_;
    const GenerationSettings settings_;
    const std::int64_t beams_, returned_, rows_;
    GptDecoder decoder_;
    std::vector<Finished> finished_;
    std::vector<Sequence64> sequences_;
    std::vector<float> sums_;
};

}  // namespace

void beam_search(KernelContext& context) { BeamSearchRun(context).run(); }

}  // namespace lapidary::reference
