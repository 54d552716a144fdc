// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <chrono>

#include <lapidary/base/error.h>
#include <lapidary/generation/generator.h>

namespace lapidary {
namespace {

double ms_since(std::chrono::steady_clock::time_point begin) {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin)
        .count();
}

/// The sequences of one generation: what was chosen for each, and which go on.
class Sequences {
public:
    explicit Sequences(const GenerateRequest& request) : request_(request) {
        const TokenRows& prompt = request.prompt;
        made_.resize(static_cast<std::size_t>(prompt.sequences));
        for (std::int64_t s = 0; s < prompt.sequences; ++s) {
            SamplingOptions sampling = request.sampling;
            sampling.seed += static_cast<std::uint64_t>(s);
            samplers_.emplace_back(sampling);
            const auto begin = prompt.ids.begin() + s * prompt.length();
            seen_.emplace_back(begin, begin + prompt.length());
        }
        is_done_.resize(made_.size());
    }

    /// Chooses a token for each sequence. One that has ended is fed its last token again, since all
    /// run together.
    TokenRows choose(const Tensor& logits) {
        const std::int64_t vocabulary = logits.dim(1);
        TokenRows next{static_cast<std::int64_t>(made_.size()), {}};
        for (std::size_t s = 0; s < made_.size(); ++s) {
            if (!is_done_[s])
                choose(s, logits.data<float>().subspan(s * static_cast<std::size_t>(vocabulary),
                                                       static_cast<std::size_t>(vocabulary)));
            next.ids.push_back(seen_[s].back());
        }
        return next;
    }

    bool are_done() const {
        return is_stopped_ || std::ranges::all_of(is_done_, [](bool done) { return done; });
    }
    std::vector<std::vector<std::int64_t>> take() { return std::move(made_); }

private:
    void choose(std::size_t s, std::span<const float> logits) {
        const std::int64_t token = samplers_[s].choose(logits, seen_[s]);
        made_[s].push_back(token);
        seen_[s].push_back(token);
        if (std::ranges::find(request_.stop_tokens, token) != request_.stop_tokens.end() ||
            static_cast<std::int64_t>(made_[s].size()) >= request_.new_tokens)
            is_done_[s] = true;
        if (request_.on_token && !request_.on_token(static_cast<std::int64_t>(s), token))
            is_stopped_ = true;
    }

    const GenerateRequest& request_;
    std::vector<Sampler> samplers_;
    std::vector<std::vector<std::int64_t>> made_, seen_;
    std::vector<bool> is_done_;
    bool is_stopped_ = false;
};

}  // namespace

GeneratedTokens generate(Generator& generator, const GenerateRequest& request,
                         const CancelToken& cancel) {
    if (request.new_tokens < 1)
        fail_input("new tokens: expected at least 1, found " + std::to_string(request.new_tokens));
    GeneratedTokens generated;
    auto begin = std::chrono::steady_clock::now();
    const Tensor* logits = &generator.feed(request.prompt, cancel);
    Sequences sequences(request);
    TokenRows next = sequences.choose(*logits);
    generated.first_ms = ms_since(begin);
    while (!sequences.are_done()) {
        begin = std::chrono::steady_clock::now();
        logits = &generator.feed(next, cancel);
        next = sequences.choose(*logits);
        generated.token_ms.push_back(ms_since(begin));
    }
    generated.tokens = sequences.take();
    return generated;
}

}  // namespace lapidary
