// SPDX-License-Identifier: Apache-2.0
// How well a decoder predicts a text, and how far a smaller one is from it: perplexity,
// Kullback-Leibler divergence and changed tokens.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include <lapidary/base/progress.h>
#include <lapidary/generation/generator.h>

namespace lapidary {

/// How a text is given to decoders: in windows, each from empty caches on. A window predicts each
/// of its tokens from those of the window before it.
struct TextQualityOptions {
    std::int64_t window = 512;  // tokens that a decoder has seen at most, from 2 on
    /// tokens between the beginnings of two windows. Below `window` they overlap: a token counts in
    /// the first window that has it alone, so that later ones know more of the text before. 0: as
    /// many as a window has of the text.
    std::int64_t stride = 0;
    /// that each window begins with; it is none of the text, but one of the window's tokens
    std::optional<std::int64_t> begin_token;
    std::int64_t tokens_per_run = 64;  // at most; a model without caches is given whole windows
    std::int64_t most_tokens = 0;      // of the text, from its beginning; 0: all
};

/// A mean over tokens, and its standard error: from eight windows on by how much windows differ,
/// since tokens of one window depend on each other; below as if tokens were independent.
struct TokenMean {
    double mean = 0, error = 0;  // the two
};

/// Of one decoder.
struct TextPrediction {
    TokenMean nats;             // minus the logarithm of the probability that the right token had
    std::int64_t right = 0;     // tokens that had the largest logit
    double perplexity() const;  // exp of the mean
    double perplexity_error() const;  // its standard error, linearized
};

/// A decoder against another one, token by token.
struct TextDivergence {
    TokenMean kl;  // kl_divergence() of the decoder's logits from the other's, in nats
    double kl_median = 0, kl_99 = 0, kl_most = 0;  // half and 99 % of the tokens are at most so far
    std::int64_t changed = 0;                      // tokens where the largest logit is another's
    TokenMean nats;                   // that the right token costs more than with the other one
    double probability_change = 0;    // of the right token: root of the mean square
    double perplexity_ratio() const;  // the decoder's by the other's
};

/// What a text showed.
struct TextQuality {
    std::int64_t tokens = 0;      // that were predicted, and count
    std::int64_t windows = 0;     // that were run
    std::int64_t not_finite = 0;  // tokens that do not count: one of the figures is infinite or NaN
    TextPrediction model;         // of the decoder in question
    std::optional<TextPrediction> other;       // where there is another one
    std::optional<TextDivergence> divergence;  // of `model` from it
};

/// Runs the text's tokens through one decoder, or through two in turn, with their caches. Throws
/// invalid_input for options out of bounds, fewer than 2 tokens, tokens that a vocabulary lacks and
/// vocabularies of different sizes; what Generator::feed() throws; cancelled.
TextQuality measure_text_quality(Generator& model, Generator* other,
                                 std::span<const std::int64_t> tokens,
                                 const TextQualityOptions& options = {},
                                 const Progress& progress = {});

}  // namespace lapidary
