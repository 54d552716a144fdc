// SPDX-License-Identifier: Apache-2.0
// Text generation: a decoder that is run token by token, its caches of keys and values, and the
// choice of tokens.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <lapidary/base/progress.h>
#include <lapidary/exec/session.h>
#include <lapidary/generation/sampling.h>
#include <lapidary/generation/token_time.h>
#include <lapidary/graph/model.h>

namespace lapidary {

class StepObserver;

/// How a decoder's keys and values are kept from token to token.
enum class CacheStorage : std::uint8_t {
    automatic,  // fixed where the model can, else growing
    fixed,      // memory for GeneratorOptions::capacity rows, into which new rows are written
    growing     // every run gives caches that are a row longer
};

/// How a decoder is compiled.
struct GeneratorOptions {
    SessionOptions session;                          // that runs it
    CacheStorage storage = CacheStorage::automatic;  // of keys and values
    std::int64_t capacity = 2048;  // rows of fixed caches: tokens of prompt and answer together
    bool half_caches = false;      // caches of float32 are kept in float16; new rows are rounded
    bool byte_caches = false;      // or in 8 bits, with a scale for each row of a head
    /// The product with the vocabulary is computed for the last token of a run alone, where the
    /// graph allows it: prompts take less time and memory, and feed_all() is refused.
    bool only_last_logits = false;
};

/// Tokens of several sequences of one length: sequence after sequence.
struct TokenRows {
    std::int64_t sequences = 0;     // how many
    std::vector<std::int64_t> ids;  // sequences * length()

    /// Of each sequence.
    std::int64_t length() const {
        return sequences == 0 ? 0 : static_cast<std::int64_t>(ids.size()) / sequences;
    }
};

/// Why tokens cannot be generated with a model: the input or output that no decoder has, and what
/// was expected. Empty: they can.
std::string why_no_decoder(const Model& model);

/// How many tokens a decoder knows: the rows of the constant that they are looked up in, else the
/// size of the logits. Tokens are below it. Nothing: the graph does not say. Throws not_supported
/// where the model is no decoder.
std::optional<std::int64_t> vocabulary_size(const Model& model);

/// A compiled decoder and the state of what it was given so far. Not for several threads at once.
///
/// Inputs are known by the names that Optimum, onnxruntime-genai and torch give them: input_ids,
/// attention_mask, position_ids, cache_position, seqlens_k, total_sequence_length,
/// past_sequence_length, use_cache_branch, and past* with outputs present*. Without caches every
/// run is given all tokens again.
class Generator {
public:
    /// Throws not_supported naming the input or output that no decoder has, or why the caches
    /// cannot be of fixed size or of fewer bits where that is asked for; what Session::compile()
    /// throws.
    static Generator compile(ModelPtr model, const GeneratorOptions& options = {},
                             const Progress& progress = {});
    Generator(Generator&&) noexcept;
    Generator& operator=(Generator&&) noexcept;
    ~Generator();

    /// Runs tokens behind those that were given before. Returns the logits behind the last of them,
    /// f32 [sequences, vocabulary]. Throws invalid_input where ids are none, below 0 or behind the
    /// table of tokens, the number of sequences changes or the capacity is exceeded, and what
    /// Session::run() throws; then reset() is needed. `profile`: records the run for token_time().
    const Tensor& feed(const TokenRows& tokens, const CancelToken& cancel = {},
                       bool profile = false);
    /// As feed(), with the logits behind each of the tokens: f32 [sequences, tokens, vocabulary].
    /// Throws invalid_input under GeneratorOptions::only_last_logits, too.
    const Tensor& feed_all(const TokenRows& tokens, const CancelToken& cancel = {});
    /// Runs from now on report to it (RunOptions::observer), which takes memory and time; null: to
    /// none. It outlives them.
    void observe(StepObserver* observer);
    /// Forgets all tokens.
    void reset();

    /// Where the time of the newest recorded run went; zeros: none was recorded.
    TokenTime token_time() const;
    /// The element type that the weight of the product with the vocabulary is stored in; undefined:
    /// there is no such constant.
    DType head_weight_type() const;
    std::int64_t length() const;   // tokens of each sequence so far
    CacheStorage storage() const;  // fixed or growing
    /// why caches grow, as a phrase; empty: they are fixed, or were asked to grow
    const std::string& storage_reason() const;
    std::uint64_t cache_bytes() const;  // of all caches as they are now
    /// Why the newest run wrote a cache of fixed size by way of a copy: a phrase; empty: it did
    /// not.
    const std::string& copied_caches() const;
    std::size_t cache_count() const;  // 0: every run is given all tokens again
    DType cache_type() const;         // of their elements; undefined: there are none
    const Session& session() const;

private:
    struct State;
    explicit Generator(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

/// What is generated.
struct GenerateRequest {
    TokenRows prompt;                       // at least one token in each sequence
    std::int64_t new_tokens = 128;          // at most, in each sequence
    SamplingOptions sampling;               // sequence i draws with seed + i
    std::vector<std::int64_t> stop_tokens;  // a sequence ends behind one of these
    /// Called with each token as it is chosen; false ends the generation.
    std::function<bool(std::int64_t sequence, std::int64_t token)> on_token = {};
};

/// What was generated, and how long it took.
struct GeneratedTokens {
    std::vector<std::vector<std::int64_t>> tokens;  // of each sequence, without the prompt
    double first_ms = 0;                            // from the prompt to the first tokens
    std::vector<double> token_ms;  // of each run after that, with the choice of its tokens
};

/// Runs the prompt behind what the generator was given so far, then tokens until all sequences have
/// ended. Throws what Generator::feed() and Sampler throw.
GeneratedTokens generate(Generator& generator, const GenerateRequest& request,
                         const CancelToken& cancel = {});

}  // namespace lapidary
