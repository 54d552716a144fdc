// SPDX-License-Identifier: Apache-2.0
// com.microsoft BeamSearch and WhisperBeamSearch: keep num_beams sequences per row, rank finished
// ones by sum of log-probabilities / length^length_penalty.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "kernels/input_index.h"
#include "kernels/reference/elementwise/widening.h"
#include "kernels/reference/generation/generation.h"

namespace lapidary::reference {
namespace {

struct Hypothesis {
    TokenSequence tokens;
    float score;
};

/// A token that may follow sequence `from`, with the sum of log-probabilities of both.
struct Candidate {
    float sum;
    std::int64_t token, from;
};

/// The best finished sequences of one row, best first.
class Finished {
public:
    Finished(std::size_t beams, float length_penalty, bool early_stopping)
        : beams_(beams), penalty_(length_penalty), early_(early_stopping) {}

    void add(const TokenSequence& tokens, float sum) {
        const float score = normalized(sum, tokens.size());
        if (list_.size() == beams_ && score <= list_.back().score) return;
        const auto at =
            std::ranges::find_if(list_, [&](const Hypothesis& h) { return h.score < score; });
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
        : context_(context), settings_(context),
          beams_(count_of(beam_search_input::num_beams, "num_beams")),
          returned_(count_of(beam_search_input::num_return_sequences, "num_return_sequences")),
          rows_(settings_.batch * beams_), decoder_(make_decoder(context, settings_, rows_)),
          sequences_(prompts_of(settings_, beams_)) {
        require_generation(context, returned_ <= beams_,
                           "input num_return_sequences: expected at most num_beams " +
                               std::to_string(beams_) + ", found " + std::to_string(returned_));
        const auto penalty =
            floats_of(context, context.optional_input(beam_search_input::length_penalty));
        for (std::int64_t b = 0; b < settings_.batch; ++b)
            finished_.emplace_back(static_cast<std::size_t>(beams_),
                                   penalty.empty() ? 1.f : penalty[0],
                                   context.node().int_attribute("early_stopping", 0) != 0);
        // All beams start equal: only the first counts.
        for (std::int64_t r = 0; r < rows_; ++r) sums_.push_back(r % beams_ == 0 ? 0.f : -1e9f);
    }

    void run() {
        TokenSequence next(static_cast<std::size_t>(rows_));
        for (std::int64_t length = settings_.prompt; length < settings_.max_length; ++length) {
            context_.cancel().throw_if_cancelled();
            std::vector<float> scores = decoder_->step(sequences_);
            TokenSequence order(next.size());
            require_generation(context_, decoder_->vocabulary() > 1,
                               "expected a vocabulary of at least 2 tokens, found " +
                                   std::to_string(decoder_->vocabulary()));
            candidates_.clear();
            for (std::int64_t b = 0; b < settings_.batch; ++b)
                rank(b, length == settings_.prompt, scores);
            for (std::int64_t b = 0; b < settings_.batch; ++b) advance(b, next, order);
            if (wants_scores()) scores_.insert(scores_.end(), scores.begin(), scores.end());
            std::vector<TokenSequence> grown;
            for (std::size_t r = 0; r < next.size(); ++r) {
                grown.push_back(sequences_[static_cast<std::size_t>(order[r])]);
                grown.back().push_back(next[r]);
            }
            sequences_ = std::move(grown);
            if (std::ranges::all_of(finished_, &Finished::done)) break;
            if (beams_ > 1) decoder_->reorder(order);  // otherwise each row continues itself
        }
        for (std::int64_t r = 0; r < rows_; ++r)
            if (Finished& f = finished_[static_cast<std::size_t>(r / beams_)]; !f.done)
                f.add(sequences_[static_cast<std::size_t>(r)], sums_[static_cast<std::size_t>(r)]);
        write();
    }

private:
    std::int64_t count_of(std::size_t input, const char* what) const {
        const auto values = to_int64s(context_.input(input));
        require_generation(context_, values.size() == 1 && values[0] >= 1 && values[0] <= 1024,
                           std::string("input ") + what +
                               ": expected one integer of 1 to 1024, found " +
                               (values.size() == 1 ? std::to_string(values[0])
                                                   : std::to_string(values.size()) + " elements"));
        return values[0];
    }

    /// Adds to the candidates the 2 * beams best continuations of row b's beams, best first.
    void rank(std::int64_t b, bool at_prompt, std::vector<float>& scores) {
        const std::int64_t vocabulary = decoder_->vocabulary(), first = b * beams_;
        for (std::int64_t r = first; r < first + beams_; ++r) {
            float* row = scores.data() + r * vocabulary;
            log_softmax(row, vocabulary);
            process_scores(settings_, b, sequences_[static_cast<std::size_t>(r)], at_prompt, row,
                           vocabulary);
            require_numbers(context_, {row, static_cast<std::size_t>(vocabulary)});
            for (std::int64_t t = 0; t < vocabulary; ++t)
                row[t] += sums_[static_cast<std::size_t>(r)];
        }
        const float* all = scores.data() + first * vocabulary;
        std::vector<std::int64_t> best(static_cast<std::size_t>(beams_ * vocabulary));
        std::iota(best.begin(), best.end(), std::int64_t{0});
        std::partial_sort(best.begin(), best.begin() + 2 * beams_, best.end(),
                          [&](std::int64_t x, std::int64_t y) {
                              return all[x] != all[y] ? all[x] > all[y] : x < y;
                          });
        for (std::int64_t i = 0; i < 2 * beams_; ++i) {
            const std::int64_t at = best[static_cast<std::size_t>(i)];
            candidates_.push_back({all[at], at % vocabulary, first + at / vocabulary});
        }
    }

    /// Picks the next tokens of row b from its candidates: those that end go to the finished
    /// sequences.
    void advance(std::int64_t b, TokenSequence& next, TokenSequence& order) {
        const std::int64_t first = b * beams_;
        Finished& finished = finished_[static_cast<std::size_t>(b)];
        // Beams of a row that is done are copies of the first row's first beam, as in ONNX Runtime:
        // no sequence comes of them, but their scores are among those of output 2.
        if (finished.done) {
            for (auto r = static_cast<std::size_t>(first);
                 r < static_cast<std::size_t>(first + beams_); ++r) {
                next[r] = settings_.pad;
                order[r] = 0;
                sums_[r] = 0;
            }
            return;
        }
        // At most one candidate of a beam ends, so that as many as there are beams go on.
        auto slot = static_cast<std::size_t>(first);
        for (std::int64_t i = 0; i < 2 * beams_ && slot < static_cast<std::size_t>(first + beams_);
             ++i) {
            const Candidate& c = candidates_[static_cast<std::size_t>(2 * first + i)];
            if (c.token == settings_.eos) {
                if (i < beams_) finished.add(sequences_[static_cast<std::size_t>(c.from)], c.sum);
                continue;
            }
            next[slot] = c.token;
            order[slot] = c.from;
            sums_[slot++] = c.sum;
        }
        // ONNX Runtime (1.32) asks for the best of 2 * beams candidates that begin at b * beams,
        // not at 2 * b * beams: behind the first row they are in part, or all, those of rows
        // before.
        const auto asked = candidates_.begin() + first;
        const float best =
            std::max_element(asked, asked + 2 * beams_, [](const Candidate& x, const Candidate& y) {
                return x.sum < y.sum;
            })->sum;
        finished.done = finished.is_done(best, sequences_[static_cast<std::size_t>(first)].size());
    }

    void write() {
        auto out =
            context_.output(0, DType::i32, {settings_.batch, returned_, settings_.max_length})
                .mutable_data<std::int32_t>();
        std::ranges::fill(out, static_cast<std::int32_t>(settings_.pad));
        std::vector<float> best;
        std::size_t at = 0;
        for (const Finished& f : finished_)
            for (std::int64_t i = 0; i < returned_;
                 ++i, at += static_cast<std::size_t>(settings_.max_length)) {
                require_generation(context_, static_cast<std::size_t>(i) < f.list().size(),
                                   "expected " + std::to_string(returned_) +
                                       " sequences that ended, found " +
                                       std::to_string(f.list().size()));
                const Hypothesis& h = f.list()[static_cast<std::size_t>(i)];
                for (std::size_t k = 0; k < h.tokens.size(); ++k)
                    out[at + k] = static_cast<std::int32_t>(h.tokens[k]);
                best.push_back(h.score);
            }
        if (context_.wants_output(1)) write_floats(1, {settings_.batch, returned_}, best);
        // Steps behind the last one are zeros.
        if (wants_scores())
            write_floats(2,
                         {settings_.max_length - settings_.prompt, settings_.batch, beams_,
                          decoder_->vocabulary()},
                         scores_);
    }

    bool wants_scores() const { return context_.output_count() > 2 && context_.wants_output(2); }

    /// An output of the type of the penalties, `values` and then zeros.
    void write_floats(std::size_t index, Shape shape, const std::vector<float>& values) {
        const Tensor* length = context_.optional_input(beam_search_input::length_penalty);
        const Tensor* typed =
            length ? length : context_.optional_input(beam_search_input::repetition_penalty);
        Narrowed<float> result(context_, context_.output(index, typed ? typed->dtype() : DType::f32,
                                                         std::move(shape)));
        std::fill_n(result.data(), result.size(), 0.0f);
        std::ranges::copy(values, result.data());
        result.store();
    }

    KernelContext& context_;
    const GenerationSettings settings_;
    const std::int64_t beams_, returned_, rows_;
    const std::unique_ptr<GenerationDecoder> decoder_;
    std::vector<Finished> finished_;
    std::vector<Candidate> candidates_;  // [batch, 2 * beams] of the present step
    std::vector<TokenSequence> sequences_;
    // scores_: [steps, batch, beams, vocabulary], where they are wanted
    std::vector<float> sums_, scores_;
};

}  // namespace

void beam_search(KernelContext& context) { BeamSearchRun(context).run(); }

}  // namespace lapidary::reference
