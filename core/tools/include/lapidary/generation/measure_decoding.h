// SPDX-License-Identifier: Apache-2.0
// Measures decoders token by token: time to the first token, speed of prompt and tokens, memory,
// and bytes read against what memory gives; alone or beside another engine.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <lapidary/base/progress.h>
#include <lapidary/bench/bench.h>
#include <lapidary/bench/peers.h>
#include <lapidary/generation/decoding_advice.h>
#include <lapidary/generation/generator.h>

namespace lapidary {

/// A decoder under one set of options; all engines get the same.
struct DecodingSetup {
    std::filesystem::path model;                 // the file
    Level level = default_run_level;             // of optimizing
    RunResources resources = fixed_resources();  // threads and mode
    /// of this engine; nothing: those of session_passes_at(level)
    std::optional<SessionPasses> session_passes = {};
    CacheStorage storage = CacheStorage::automatic;
    std::int64_t capacity = 2048;  // rows of fixed caches
};

/// What running some tokens gave.
struct DecodedTokens {
    std::vector<double> ms;             // of each run, with the choice of its token
    std::vector<std::int64_t> choices;  // of each run: the token of the largest logit
    std::vector<double> logits;         // those logits
    double waited_ms = 0;               // of threads that were ready but had no core, of all runs
};

/// What an engine holds. Bytes are of the memory that belongs to the process alone, without pages
/// of files; nothing where the system does not count it.
struct DecoderState {
    double load_ms = 0;                            // from the file to the session
    CacheStorage storage = CacheStorage::growing;  // how caches are kept
    std::string reason;             // why caches grow; empty: they are fixed, or were asked to grow
    std::uint64_t cache_bytes = 0;  // of all caches as they are now
    std::optional<std::uint64_t> before_bytes;  // before the model was loaded
    std::optional<std::uint64_t> loaded_bytes;  // after that
    std::optional<std::uint64_t> now_bytes;     // now
    std::optional<double> peak_mb;  // most resident memory of the process so far, files included
};

/// A decoder in one of the engines, with caches that stay from run to run. One sequence.
class DecodingEngine {
public:
    virtual ~DecodingEngine() = default;
    /// Forgets all tokens and runs a prompt: one run.
    virtual DecodedTokens begin(std::span<const std::int64_t> prompt) = 0;
    /// Runs tokens behind those before, one after the other, then waits for threads to rest.
    virtual DecodedTokens go_on(std::span<const std::int64_t> tokens) = 0;
    virtual DecoderState state() = 0;  // as it is now
    /// Forgets all tokens, runs all of these but the last two at once, then those one by one, and
    /// says where the time of the last one went. An engine that does not record runs nothing: the
    /// context is 0. At least two tokens.
    virtual RecordedToken record(std::span<const std::int64_t> tokens) {
        static_cast<void>(tokens);
        return {};
    }
};

/// This engine, in this process. Throws what load_model() and Generator::compile() throw.
std::unique_ptr<DecodingEngine> open_own_decoder(const DecodingSetup& setup,
                                                 const Progress& progress = {});
/// The same with a decoder that is compiled already, which has to live as long as the engine.
std::unique_ptr<DecodingEngine> decoding_engine_of(Generator& generator,
                                                   const CancelToken& cancel = {});
/// ONNX Runtime's C library in this process, by an IoBinding: fixed caches are bound as input and
/// as output, growing ones are handed from run to run. `place`: as at find_onnxruntime_peer().
/// Throws not_supported with ONNX Runtime's own message.
std::unique_ptr<DecodingEngine> open_onnxruntime_decoder(const DecodingSetup& setup,
                                                         const std::filesystem::path& place,
                                                         const Progress& progress = {});
/// An engine in a new process, which the command starts: it answers lines as DecodingServer does.
/// Throws io_failure where the process ends, not_supported with its message, cancelled.
std::unique_ptr<DecodingEngine> start_decoder(const std::vector<std::string>& command,
                                              const DecodingSetup& setup,
                                              const CancelToken& cancel = {});

/// A decoder in OpenVINO, PyTorch or llama.cpp, in the interpreter of BenchPeer::path(). Caches are
/// the engine's own: states of OpenVINO, tensors of PyTorch, llama.cpp's cache in 32-bit floats.
/// `folder`: for a file in llama.cpp's format (GGUF), which is written there of a decoder of the
/// Llama kind. Throws not_supported with the engine's message or why the model cannot be given to
/// it; io_failure, cancelled.
std::unique_ptr<DecodingEngine> start_peer_decoder(Peer peer, const std::filesystem::path& python,
                                                   const DecodingSetup& setup,
                                                   const std::filesystem::path& folder,
                                                   const CancelToken& cancel = {});

/// The part of that process: an answer to each line of its input.
class DecodingServer {
public:
    /// `place`: of ONNX Runtime, where `kind` is that.
    DecodingServer(BenchEngineKind kind, std::filesystem::path place, CancelToken cancel);
    DecodingServer(const DecodingServer&) = delete;
    ~DecodingServer();
    /// One line of JSON without its end. Errors are answers too.
    std::string answer(const std::string& line);

private:
    struct State;
    std::unique_ptr<State> state_;
};

/// What is measured, and for how long.
struct DecodingOptions {
    std::int64_t context = 128;    // tokens of the prompt
    std::int64_t new_tokens = 32;  // that each pass decodes behind it
    double seconds = 10;           // of measuring, for each engine
    double precision = 0.02;       // stop when the ratio (alone: a token's time) is within +- this
    double rtol = same_result.rtol;  // of the largest logits of both engines
    std::uint64_t seed = 1;          // for the tokens, and the order of the engines
};

/// What was measured of one engine.
struct DecodingFigures {
    double load_ms = 0;         // of a new process
    double first_token_ms = 0;  // the first prompt after loading, with the choice of a token
    MedianEstimate prefill_ms;  // the prompt in later passes
    double prefill_tokens_per_second = 0;  // by prefill_ms
    MedianEstimate token_ms;               // a token behind the prompt
    double decode_tokens_per_second = 0;   // by token_ms
    std::vector<double> first_pass_ms;     // each token of the first pass
    /// Each token, as median of the later passes; NaN: it was first after the other engine had run
    /// in each of them, and is not counted.
    std::vector<double> curve_ms;
    std::size_t dropped = 0;  // bursts of tokens on a busy machine
    bool is_fixed = false;    // caches
    std::string reason;       // why they grow
    std::uint64_t cache_bytes = 0;
    std::optional<std::uint64_t> loaded_bytes;      // that loading took: weights, also packed ones
    std::optional<std::uint64_t> activation_bytes;  // that runs added beside the caches
    std::optional<double> peak_mb;                  // resident, files included
    double gb_per_s = 0;                            // bytes of a token by its time
    double share_of_roof = 0;                       // of that bandwidth
    /// where the time of a token behind the prompt goes; nothing: the engine does not record
    std::optional<RecordedToken> recorded;
};

/// The same tokens in both engines.
struct DecodingAgreement {
    std::int64_t choices = 0, equal = 0;  // tokens chosen, and those that both chose
    double difference = 0;  // of their largest logits, as a share of the largest magnitude
    bool matches = true;    // by DecodingOptions::rtol
};

/// One decoder at one context.
struct DecodingMeasurement {
    std::int64_t context = 0, new_tokens = 0;  // of DecodingOptions
    std::int64_t passes = 0;                   // over prompt and tokens, the first not counted
    std::uint64_t weight_bytes = 0;            // of all constants, as stored in the file
    std::uint64_t token_weight_bytes = 0, token_cache_bytes = 0;  // that a token has to read
    /// reading as much memory again and again on as many threads; what fits into caches comes from
    /// there
    double roof_gb_per_s = 0;
    DecodingFigures ours;                         // of this engine
    std::optional<DecodingFigures> theirs;        // of the other one, where there is one
    std::optional<MedianEstimate> ratio;          // of a token: theirs by ours, of pairs of bursts
    std::optional<MedianEstimate> prefill_ratio;  // of the prompt, of pairs
    std::optional<DecodingAgreement> agreement;   // of both engines
    bool quiet = true;  // false: the machine was busy nearly all the time, so that all counts
};

/// What is known of a decoder without running it.
struct DecoderCard {
    std::int64_t vocabulary = 0;                             // tokens are below it
    std::uint64_t weight_bytes = 0, token_weight_bytes = 0;  // as in DecodingMeasurement
    std::uint64_t cache_row_bytes = 0;                       // of all caches, for one token
    std::optional<std::int64_t> most_positions;              // that the model's tables have
};
/// Throws not_supported where the model is no decoder.
DecoderCard decoder_card(const Model& model);

/// The longest context that is measured: every pass has a prompt of that many tokens in memory.
inline constexpr std::int64_t most_context = 1'048'576;
/// Before anything is loaded. Throws invalid_input where the model has too few positions,
/// limit_exceeded where the context passes most_context or where caches of one engine for so many
/// tokens take more memory than there is.
void check_decoding(const DecoderCard& card, const DecodingOptions& options);

/// Both engines run the same prompts and tokens, in passes: the prompt, then bursts of tokens in
/// turn. The first pass shows what a program that has just started does. Later ones are repeated
/// until precise or out of time. Of a burst the first token, which finds caches of the processor
/// that the other engine filled, is not counted, but behind the prompt. `theirs`: null: alone.
/// Throws what the engines throw, cancelled.
DecodingMeasurement measure_decoding(const DecoderCard& card, DecodingEngine& ours,
                                     DecodingEngine* theirs, int threads,
                                     const DecodingOptions& options, const Progress& progress = {});

/// JSON in one line.
std::string to_json(const DecodingMeasurement& value);

}  // namespace lapidary
