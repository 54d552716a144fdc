// SPDX-License-Identifier: Apache-2.0
#include "kernels/reference/generation/generation.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <set>

#include "kernels/input_index.h"
#include "kernels/reference/elementwise/widening.h"
#include "kernels/reference/generation/encoder_decoder.h"
#include "kernels/reference/generation/gpt_decoder.h"

namespace lapidary::reference {
namespace {

constexpr std::int64_t longest = 65536;

/// The indices of an operator's optional inputs; BeamSearch has three more inputs before them.
struct InputPlaces {
    std::size_t repetition_penalty, vocabulary_mask, prefix_mask, attention_mask;
};

InputPlaces places_of(const Node& node) {
    return node.op_type.ends_with("BeamSearch") ? InputPlaces{6, 7, 8, 9} : InputPlaces{3, 4, 5, 6};
}

std::int64_t one_integer(const KernelContext& context, std::size_t input, const char* what) {
    const auto values = to_int64s(context.input(input));
    require_generation(
        context, values.size() == 1,
        std::string("expected one ") + what + ", found " + std::to_string(values.size()));
    return values[0];
}

float one_float(KernelContext& context, std::size_t input, float fallback) {
    const auto values = floats_of(context, context.optional_input(input));
    return values.empty() ? fallback : values[0];
}

TokenSequence optional_integers(const KernelContext& context, std::size_t input) {
    const Tensor* tensor = context.optional_input(input);
    return tensor ? to_int64s(*tensor) : TokenSequence{};
}

GenerationSettings::Kind kind_of(const Node& node) {
    const bool is_whisper = node.op_type == "WhisperBeamSearch",
               has_encoders = node.op_type == "BeamSearch";
    const std::int64_t type = node.int_attribute("model_type", is_whisper ? 2 : 0);
    if (type == 0 && !is_whisper) return GenerationSettings::Kind::gpt;
    if (type == 1 && has_encoders) return GenerationSettings::Kind::t5;
    if (type == 2 && (has_encoders || is_whisper)) return GenerationSettings::Kind::whisper;
    fail_unsupported(node.op_type + ": attribute model_type: expected " +
                     (is_whisper     ? "2 (Whisper)"
                      : has_encoders ? "0 (GPT), 1 (T5) or 2 (Whisper)"
                                     : "0 (GPT)") +
                     ", found " + std::to_string(type));
}

/// Refuses the inputs that BeamSearch has for some models and settings alone.
void check_beam_inputs(const KernelContext& context, GenerationSettings::Kind kind) {
    const std::string& op = context.node().op_type;
    if (!op.ends_with("BeamSearch")) return;
    if (kind != GenerationSettings::Kind::whisper &&
        context.has_input(beam_search_input::decoder_input_ids))
        fail_unsupported(op +
                         ": input decoder_input_ids: expected none but for Whisper (model_type 2)");
    if (!context.has_input(beam_search_input::logits_processor)) return;
    if (const std::int64_t processor =
            one_integer(context, beam_search_input::logits_processor, "logits_processor");
        processor != 0)
        fail_unsupported(op + ": input logits_processor: expected 0 (none), found " +
                         std::to_string(processor));
}

}  // namespace

void require_generation(const KernelContext& context, bool condition, const std::string& message) {
    if (!condition) context.fail(context.node().op_type + ": " + message);
}

void require_numbers(const KernelContext& context, std::span<const float> scores) {
    require_generation(context, std::ranges::none_of(scores, [](float s) { return std::isnan(s); }),
                       "the decoder's logits give scores that are not numbers (NaN)");
}

std::vector<float> floats_of(KernelContext& context, const Tensor* tensor) {
    if (tensor == nullptr) return {};
    const Widened<float> values(context, tensor);
    return {values.data(), values.data() + values.size()};
}

RuntimeValue token_tensor(const TokenSequence& values, std::int64_t rows) {
    Tensor t(DType::i32, {rows, static_cast<std::int64_t>(values.size()) / rows});
    std::ranges::transform(values, t.mutable_data<std::int32_t>().begin(),
                           [](std::int64_t v) { return static_cast<std::int32_t>(v); });
    return t;
}

GenerationSettings::GenerationSettings(KernelContext& context)
    : kind(kind_of(context.node())), eos(context.node().int_attribute("eos_token_id", -1)),
      pad(context.node().int_attribute("pad_token_id", -1)),
      no_repeat_ngram(context.node().int_attribute("no_repeat_ngram_size", 0)),
      vocabulary_size(context.node().int_attribute("vocab_size", -1)) {
    read_start(context);
    const auto require = [&](bool condition, const std::string& message) {
        require_generation(context, condition, message);
    };
    max_length = one_integer(context, 1, "max_length");
    require(max_length > prompt && max_length <= longest,
            "input max_length: expected more than the " + std::to_string(prompt) +
                " tokens of the prompt and at most " + std::to_string(longest) + ", found " +
                std::to_string(max_length));
    if (context.has_input(2)) min_length = one_integer(context, 2, "min_length");
    const InputPlaces places = places_of(context.node());
    repetition_penalty = one_float(context, places.repetition_penalty, 1);
    require(repetition_penalty > 0, "input repetition_penalty: expected more than 0, found " +
                                        std::to_string(repetition_penalty));
    vocabulary_mask = optional_integers(context, places.vocabulary_mask);
    prefix_mask = optional_integers(context, places.prefix_mask);
    read_attention_mask(context, places.attention_mask);
    check_beam_inputs(context, kind);
    if (context.node().op_type == "WhisperBeamSearch") temperature = one_float(context, 14, 1);
    if (context.node().op_type != "Sampling") return;
    temperature = context.node().float_attribute("temperature", 1);
    presence_penalty = context.node().float_attribute("presence_penalty", 0);
    presence_mask = optional_integers(context, 7);
}

void GenerationSettings::check_masks(const KernelContext& context, std::int64_t vocabulary) const {
    const auto check = [&](const TokenSequence& mask, const char* name, std::int64_t rows) {
        require_generation(
            context, mask.empty() || mask.size() == static_cast<std::size_t>(rows * vocabulary),
            std::string("input ") + name + ": expected " + std::to_string(rows) + " rows of " +
                std::to_string(vocabulary) + " tokens, found " + std::to_string(mask.size()) +
                " elements");
    };
    check(vocabulary_mask, "vocab_mask", 1);
    check(prefix_mask, "prefix_vocab_mask", batch);
    check(presence_mask, "presence_mask", batch);
}

// The prompt: that of a GPT decoder is the operator's input, that of an encoder-decoder what its
// decoder begins with.
void GenerationSettings::read_start(KernelContext& context) {
    const Tensor& input = context.input(0);
    const int rank = kind == Kind::whisper ? 3 : 2;
    require_generation(context, input.rank() == rank && input.size() > 0,
                       std::string("expected ") +
                           (kind == Kind::whisper ? "input features [batch, features, frames]"
                                                  : "input_ids [batch, sequence]") +
                           ", found " + to_string(input.shape()));
    batch = input.dim(0);
    const Tensor* start = kind == Kind::whisper
                              ? context.optional_input(beam_search_input::decoder_input_ids)
                              : nullptr;
    if (kind == Kind::gpt || start) {
        const Tensor& ids = start ? *start : input;
        require_generation(context, ids.rank() == 2 && ids.dim(0) == batch && ids.dim(1) > 0,
                           "expected decoder_input_ids [" + std::to_string(batch) +
                               ", sequence], found " + to_string(ids.shape()));
        prompt = ids.dim(1);
        tokens = to_int64s(ids);
        return;
    }
    const std::int64_t first = context.node().int_attribute("decoder_start_token_id", -1);
    require_generation(
        context, first >= 0,
        "attribute decoder_start_token_id: expected the token that decoding starts with, found " +
            std::to_string(first));
    prompt = 1;
    tokens.assign(static_cast<std::size_t>(batch), first);
}

// Without a mask GPT hides the padding everywhere, T5 the padding on the left: its tokenizer may
// end a text with it. Whisper has no use for one.
void GenerationSettings::read_attention_mask(KernelContext& context, std::size_t input) {
    if (kind == Kind::whisper) return;
    attention_mask = optional_integers(context, input);
    const TokenSequence ids = to_int64s(context.input(0));
    const std::size_t length = ids.size() / static_cast<std::size_t>(batch);
    bool seen = false;
    for (std::size_t i = 0; context.optional_input(input) == nullptr && i < ids.size(); ++i) {
        if (i % length == 0 || kind == Kind::gpt) seen = false;
        seen = seen || ids[i] != pad;
        attention_mask.push_back(seen);
    }
    require_generation(context, attention_mask.size() == ids.size(),
                       "expected an attention_mask " + to_string(context.input(0).shape()));
}

std::vector<float> GenerationDecoder::last_logits(KernelContext& context,
                                                  const GenerationSettings& settings,
                                                  const Tensor& logits, std::int64_t batch,
                                                  std::int64_t copies) {
    require_generation(
        context,
        logits.rank() == 3 && logits.dim(0) == batch && logits.dim(1) > 0 && logits.dim(2) > 0,
        "expected logits [" + std::to_string(batch) + ", sequence, vocabulary], found " +
            to_string(logits.shape()));
    require_generation(context, settings.vocabulary_size <= logits.dim(2),
                       "attribute vocab_size: expected at most the last axis of the logits " +
                           to_string(logits.shape()) + ", found " +
                           std::to_string(settings.vocabulary_size));
    const std::int64_t vocabulary =
        settings.vocabulary_size > 0 ? settings.vocabulary_size : logits.dim(2);
    require_generation(context, vocabulary_ == 0 || vocabulary_ == vocabulary,
                       "expected logits of " + std::to_string(vocabulary_) +
                           " tokens as before, found " + to_string(logits.shape()));
    vocabulary_ = vocabulary;
    settings.check_masks(context, vocabulary_);
    const std::vector<float> all = floats_of(context, &logits);
    std::vector<float> last;
    for (std::int64_t r = 0; r < batch * copies; ++r) {
        const auto begin = all.begin() + ((r / copies + 1) * logits.dim(1) - 1) * logits.dim(2);
        last.insert(last.end(), begin, begin + vocabulary_);
    }
    return last;
}

std::unique_ptr<GenerationDecoder> make_decoder(KernelContext& context,
                                                const GenerationSettings& settings,
                                                std::int64_t rows) {
    return settings.kind == GenerationSettings::Kind::gpt
               ? make_gpt_decoder(context, settings, rows)
               : make_encoder_decoder(context, settings, rows);
}

std::vector<TokenSequence> prompts_of(const GenerationSettings& settings, std::int64_t copies) {
    std::vector<TokenSequence> sequences;
    for (std::int64_t r = 0; r < settings.batch * copies; ++r) {
        const auto begin = settings.tokens.begin() + r / copies * settings.prompt;
        sequences.emplace_back(begin, begin + settings.prompt);
    }
    return sequences;
}

Tensor pick_blocks(KernelContext& context, const Tensor& from, int axis,
                   const TokenSequence& order) {
    const bool is_float =
        from.dtype() == DType::f32 || from.dtype() == DType::f16 || from.dtype() == DType::bf16;
    require_generation(
        context, is_float && from.rank() > axis && from.dim(axis) > std::ranges::max(order),
        "expected a cache of floats with " + std::to_string(std::ranges::max(order) + 1) +
            " rows on axis " + std::to_string(axis) + ", found " +
            std::string(name_of(from.dtype())) + to_string(from.shape()));
    Shape shape = from.shape();
    const auto at = static_cast<std::size_t>(axis);
    std::size_t outer = 1;
    for (std::size_t i = 0; i < at; ++i) outer *= static_cast<std::size_t>(shape[i]);
    const auto blocks = static_cast<std::size_t>(shape[at]);
    const std::size_t block = outer * blocks == 0 ? 0 : from.byte_size() / (outer * blocks);
    shape[at] = static_cast<std::int64_t>(order.size());
    Tensor to = context.scratch(from.dtype(), shape);
    if (block == 0) return to;
    auto* target = static_cast<char*>(to.mutable_raw());
    const auto* source = static_cast<const char*>(from.raw());
    for (std::size_t o = 0; o < outer; ++o)
        for (const std::int64_t picked : order) {
            std::memcpy(target, source + (o * blocks + static_cast<std::size_t>(picked)) * block,
                        block);
            target += block;
        }
    return to;
}

void process_scores(const GenerationSettings& settings, std::int64_t batch_row,
                    const TokenSequence& sequence, bool at_prompt, float* scores,
                    std::int64_t vocabulary) {
    constexpr float lowest = std::numeric_limits<float>::lowest();
    const auto length = static_cast<std::int64_t>(sequence.size());
    if (settings.repetition_penalty != 1)
        for (std::int64_t token : std::set<std::int64_t>(sequence.begin(), sequence.end()))
            if (token >= 0 && token < vocabulary)
                scores[token] *= scores[token] < 0 ? settings.repetition_penalty
                                                   : 1 / settings.repetition_penalty;
    if (const std::int64_t n = settings.no_repeat_ngram; n > 0 && length + 1 >= n)
        for (std::int64_t i = 0; i + n <= length; ++i)
            if (std::equal(sequence.begin() + i, sequence.begin() + i + n - 1,
                           sequence.end() - (n - 1)))
                if (const std::int64_t token = sequence[static_cast<std::size_t>(i + n - 1)];
                    token >= 0 && token < vocabulary)
                    scores[token] = lowest;
    const auto mask = [&](const TokenSequence& flags, std::int64_t row) {
        for (std::int64_t t = 0; t < vocabulary; ++t)
            if (const auto at = static_cast<std::size_t>(row * vocabulary + t);
                at < flags.size() && flags[at] == 0)
                scores[t] = lowest;
    };
    mask(settings.vocabulary_mask, 0);
    if (at_prompt) mask(settings.prefix_mask, batch_row);
    if (length < settings.min_length && settings.eos >= 0 && settings.eos < vocabulary)
        scores[settings.eos] = lowest;
    for (std::int64_t t = 0;
         settings.temperature > 0 && settings.temperature != 1 && t < vocabulary; ++t)
        scores[t] /= settings.temperature;
    for (std::int64_t t = 0; t < vocabulary; ++t)
        if (const auto at = static_cast<std::size_t>(batch_row * vocabulary + t);
            at < settings.presence_mask.size())
            scores[t] -= static_cast<float>(settings.presence_mask[at]) * settings.presence_penalty;
}

}  // namespace lapidary::reference
