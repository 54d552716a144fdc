// SPDX-License-Identifier: Apache-2.0
// What GreedySearch, Sampling and BeamSearch of com.microsoft share: their settings, decoder
// subgraphs run step by step with their caches, and the processors that adjust scores.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "kernels/kernel.h"

namespace lapidary::reference {

using TokenSequence = std::vector<std::int64_t>;

/// Attributes and inputs of a generation node, checked.
struct GenerationSettings {
    enum class Kind : std::uint8_t { gpt, t5, whisper };  // attribute model_type 0, 1, 2

    explicit GenerationSettings(KernelContext& context);
    /// Throws invalid_input unless vocab_mask is [vocabulary], prefix_vocab_mask and presence_mask
    /// are [batch, vocabulary], where they are given.
    void check_masks(const KernelContext& context, std::int64_t vocabulary) const;

    Kind kind;
    std::int64_t batch, prompt, max_length, min_length = 0, eos, pad, no_repeat_ngram;
    // tokens behind it are padding of the logits; below 1: all of them count
    std::int64_t vocabulary_size = -1;
    float repetition_penalty = 1, temperature = 1, presence_penalty = 0;
    // [batch, prompt]: the prompt; what the decoder of an encoder-decoder begins with
    TokenSequence tokens;
    TokenSequence vocabulary_mask, prefix_mask, presence_mask;  // empty: none
    // gpt: [batch, prompt]; t5: [batch, length of the encoder's input]; whisper: none
    TokenSequence attention_mask;

private:
    void read_start(KernelContext& context);
    void read_attention_mask(KernelContext& context, std::size_t input);
};

/// The model whose next tokens are asked for, `rows` sequences at a time.
class GenerationDecoder {
public:
    virtual ~GenerationDecoder() = default;
    /// Logits [rows, vocabulary] of the tokens that follow `sequences`, each one longer than at the
    /// call before.
    virtual std::vector<float> step(const std::vector<TokenSequence>& sequences) = 0;
    /// Row i goes on from the tokens that row order[i] has seen; what was encoded for it stays.
    virtual void reorder(const TokenSequence& order) = 0;
    /// Known after the first step.
    std::int64_t vocabulary() const { return vocabulary_; }

protected:
    /// The last position's logits of a tensor [batch, length, vocabulary], each row `copies` times;
    /// checks its shape and sets vocabulary().
    std::vector<float> last_logits(KernelContext& context, const GenerationSettings& settings,
                                   const Tensor& logits, std::int64_t batch, std::int64_t copies);

private:
    std::int64_t vocabulary_ = 0;
};

/// The decoder of a node's subgraphs; each batch row repeated rows / batch times.
std::unique_ptr<GenerationDecoder> make_decoder(KernelContext& context,
                                                const GenerationSettings& settings,
                                                std::int64_t rows);

/// The prompts of the batch, each `copies` times.
std::vector<TokenSequence> prompts_of(const GenerationSettings& settings, std::int64_t copies);

/// One sequence per batch row: asks the decoder, adjusts the scores and appends the token that
/// `choose` takes of the scores [vocabulary], until every row met eos or max_length. Writes output
/// 0, i32 [batch, max_length]; what ends a row is written as pad, as ONNX Runtime does.
void generate_tokens(KernelContext& context, const GenerationSettings& settings,
                     const std::function<std::int64_t(std::span<float> scores)>& choose);

/// Throws invalid_input with the operator's name before `message` unless `condition` holds.
void require_generation(const KernelContext& context, bool condition, const std::string& message);

/// Throws invalid_input where a score is not a number: such scores have no order.
void require_numbers(const KernelContext& context, std::span<const float> scores);

/// int32 [rows, values / rows].
RuntimeValue token_tensor(const TokenSequence& values, std::int64_t rows);

/// The elements of a float tensor of any width as float; empty for null.
std::vector<float> floats_of(KernelContext& context, const Tensor* tensor);

/// A cache of floats with the blocks of its `axis` picked: block i is block order[i]. Throws
/// invalid_input for other types and where there is no such block.
Tensor pick_blocks(KernelContext& context, const Tensor& from, int axis,
                   const TokenSequence& order);

/// Applies, in ONNX Runtime's order, repetition penalty, forbidden n-grams, vocabulary masks,
/// minimum length, temperature and presence penalty to one row of scores.
void process_scores(const GenerationSettings& settings, std::int64_t batch_row,
                    const TokenSequence& sequence, bool at_prompt, float* scores,
                    std::int64_t vocabulary);

}  // namespace lapidary::reference
