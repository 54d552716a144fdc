// SPDX-License-Identifier: Apache-2.0
#include <lapidary/generation/decoder_compute.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <string>
#include <utility>

namespace lapidary {
namespace {

/// Tokens of a run, and those behind the prompt before it is given again.
constexpr std::int64_t run_tokens = 4, most_behind = 16;

class DecoderSubject : public ComputeSubject {
public:
    DecoderSubject(ModelPtr model, GeneratorOptions options, TokenRows prompt)
        : model_(std::move(model)), options_(std::move(options)), prompt_(std::move(prompt)) {
        options_.capacity = std::max(options_.capacity, prompt_.length() + most_behind);
    }

    ExactRun measure_exact(const Progress& progress) override {
        ExactRun exact;
        exact.weight_bytes = large_weight_bytes(*model_, options_.session, progress);
        if (exact.weight_bytes == 0) return exact;
        exact_ = opened(Compute::exact, progress);
        exact.threads = exact_->session().threads();
        exact_->feed(prompt_, progress.cancel);
        exact_->feed(token_behind(*exact_), progress.cancel);
        exact_->feed(token_behind(*exact_), progress.cancel, true);
        const TokenTime time = exact_->token_time();
        exact_->reset();
        exact.ms = time.wall_ms;
        exact.products.push_back({prompt_.sequences, time.products_ms + time.head_ms});
        return exact;
    }

    std::function<TimedRun()> open(Compute compute, const Progress& progress) override {
        const std::shared_ptr<Generator> generator =
            compute == Compute::exact && exact_ ? exact_ : opened(compute, progress);
        return [generator, cancel = progress.cancel, this] {
            const std::int64_t behind = generator->length() - prompt_.length();
            if (behind < 0 || behind + run_tokens > most_behind) {
                generator->reset();
                generator->feed(prompt_, cancel);
            }
            TimedRun timed;
            for (std::int64_t i = 0; i < run_tokens; ++i) {
                const auto start = std::chrono::steady_clock::now();
                const Tensor& logits = generator->feed(token_behind(*generator), cancel);
                timed.ms += std::chrono::duration<double, std::milli>(
                                std::chrono::steady_clock::now() - start)
                                .count();
                timed.outputs.emplace_back("logits of token " + std::to_string(i + 1),
                                           logits.clone());
            }
            return timed;
        };
    }

private:
    std::shared_ptr<Generator> opened(Compute compute, const Progress& progress) const {
        GeneratorOptions options = options_;
        options.session.resources.config[std::string(compute_key)] = name_of(compute);
        return std::make_shared<Generator>(Generator::compile(model_, options, progress));
    }

    /// The next token: the prompt's come again behind it.
    TokenRows token_behind(const Generator& generator) const {
        const std::int64_t length = prompt_.length(), at = generator.length() % length;
        TokenRows rows{prompt_.sequences, {}};
        for (std::int64_t s = 0; s < prompt_.sequences; ++s)
            rows.ids.push_back(prompt_.ids[static_cast<std::size_t>(s * length + at)]);
        return rows;
    }

    ModelPtr model_;
    GeneratorOptions options_;
    TokenRows prompt_;
    std::shared_ptr<Generator> exact_;  // null: it was not needed so far
};

}  // namespace

std::unique_ptr<ComputeSubject> decoder_subject(ModelPtr model, GeneratorOptions options,
                                                TokenRows prompt) {
    return std::make_unique<DecoderSubject>(std::move(model), std::move(options),
                                            std::move(prompt));
}

}  // namespace lapidary
