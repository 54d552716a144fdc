// SPDX-License-Identifier: Apache-2.0
// What GreedySearch and BeamSearch of com.microsoft share: running a GPT decoder subgraph step by step with its
// cache, and the processors that adjust scores.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/kernel.h"

namespace lapidary::reference {

/// Attributes and inputs of a generation node, checked.
struct GenerationSettings {
    explicit GenerationSettings(KernelContext& context);
    std::int64_t batch, prompt, max_length, min_length = 0, eos, pad, no_repeat_ngram;
    std::int64_t vocabulary_size = -1;         // tokens behind it are padding of the logits; below 1: all of them count
    float repetition_penalty = 1;
    std::vector<std::int64_t> tokens;          // [batch, prompt]
    std::vector<std::int64_t> vocabulary_mask, prefix_mask;  // empty: none
    std::vector<std::int64_t> attention_mask;  // [batch, prompt]
};

/// The decoder subgraph: (input_ids, position_ids, attention_mask, past...) -> (logits, present...), all i32
/// and float, caches [2, rows, heads, length, size].
class GptDecoder {
public:
    /// `rows` sequences start from `settings`, each batch row repeated rows / batch times.
    GptDecoder(KernelContext& context, const GenerationSettings& settings, std::int64_t rows);
    /// Runs the prompt (first call) or one token per row; returns the last position's logits [rows, vocabulary].
    std::vector<float> step(const std::vector<std::int64_t>& tokens);
    /// Row i goes on from what row order[i] has seen.
    void reorder(const std::vector<std::int64_t>& order);
    std::int64_t vocabulary() const { return vocabulary_; }

private:
    RuntimeValue ids(const std::vector<std::int64_t>& values) const;
    KernelContext& context_;
    std::int64_t rows_, vocabulary_size_, vocabulary_ = 0;
    bool first_ = true;
    std::vector<std::int64_t> mask_, next_position_;
    std::int64_t mask_length_;
    std::vector<std::int64_t> prompt_tokens_, prompt_positions_;
    std::vector<RuntimeValue> cache_;
};

/// The elements of a float tensor of any width as float; empty for null.
std::vector<float> floats_of(KernelContext& context, const Tensor* tensor);

/// Applies the vocabulary masks, repetition penalty, forbidden n-grams and minimum length to one row of scores.
void process_scores(const GenerationSettings& settings, std::int64_t batch_row,
                    const std::vector<std::int64_t>& sequence, bool at_prompt, float* scores, std::int64_t vocabulary);

}  // namespace lapidary::reference
