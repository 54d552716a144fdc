// SPDX-License-Identifier: Apache-2.0
#include "kernels/reference/generation/generation.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <set>

#include "kernels/reference/elementwise/widening.h"

namespace lapidary::reference {
namespace {

void require(const KernelContext& context, bool condition, const std::string& message) {
    if (!condition) context.fail(context.node().op_type + ": " + message);
}

std::int64_t one_integer(const KernelContext& context, std::size_t input, const char* what) {
    const auto values = to_int64s(context.input(input));
    require(context, values.size() == 1,
            std::string("expected one ") + what + ", found " + std::to_string(values.size()));
    return values[0];
}

}  // namespace

std::vector<float> floats_of(KernelContext& context, const Tensor* tensor) {
    if (tensor == nullptr) return {};
    const Widened<float> values(context, tensor);
    return {values.data(), values.data() + values.size()};
}

GenerationSettings::GenerationSettings(KernelContext& context)
    : eos(context.node().int_attribute("eos_token_id", -1)), pad(context.node().int_attribute("pad_token_id", -1)),
      no_repeat_ngram(context.node().int_attribute("no_repeat_ngram_size", 0)),
      vocabulary_size(context.node().int_attribute("vocab_size", -1)) {
    if (context.node().int_attribute("model_type", 0) != 0)
        fail_unsupported(context.node().op_type + ": model_type " +
                         std::to_string(context.node().int_attribute("model_type", 0)) +
                         " (encoder and decoder) is not supported; GPT decoders (0) are");
    const bool beams = context.node().op_type == "BeamSearch";
    const Tensor& input = context.input(0);
    require(context, input.rank() == 2 && input.dim(0) > 0 && input.dim(1) > 0,
            "expected input_ids [batch, sequence], found " + to_string(input.shape()));
    batch = input.dim(0);
    prompt = input.dim(1);
    tokens = to_int64s(input);
    max_length = one_integer(context, 1, "max_length");
    require(context, max_length > prompt && max_length <= 65536,
            "max_length " + std::to_string(max_length) + " must pass the prompt of " + std::to_string(prompt) +
                " and not 65536");
    if (context.has_input(2)) min_length = one_integer(context, 2, "min_length");
    const auto optional_float = [&](std::size_t i, float fallback) {
        const auto v = floats_of(context, context.optional_input(i));
        return v.empty() ? fallback : v[0];
    };
    repetition_penalty = optional_float(beams ? 6 : 3, 1);
    require(context, repetition_penalty > 0, "repetition_penalty must be positive");
    const auto optional_ints = [&](std::size_t i) {
        const Tensor* t = context.optional_input(i);
        return t ? to_int64s(*t) : std::vector<std::int64_t>{};
    };
    vocabulary_mask = optional_ints(beams ? 7 : 4);
    prefix_mask = optional_ints(beams ? 8 : 5);
    attention_mask = optional_ints(beams ? 9 : 6);
    if (attention_mask.empty())
        for (std::int64_t token : tokens) attention_mask.push_back(token != pad);
    require(context, attention_mask.size() == tokens.size(), "expected an attention_mask " + to_string(input.shape()));
}

GptDecoder::GptDecoder(KernelContext& context, const GenerationSettings& settings, std::int64_t rows)
    : context_(context), rows_(rows), vocabulary_size_(settings.vocabulary_size), mask_length_(settings.prompt) {
    const std::int64_t copies = rows / settings.batch;
    for (std::int64_t r = 0; r < rows; ++r) {
        const auto from = (r / copies) * settings.prompt;
        std::int64_t position = 0;
        for (std::int64_t i = 0; i < settings.prompt; ++i) {
            const auto at = static_cast<std::size_t>(from + i);
            mask_.push_back(settings.attention_mask[at]);
            prompt_tokens_.push_back(settings.tokens[at]);
            prompt_positions_.push_back(settings.attention_mask[at] ? position++ : 0);
        }
        next_position_.push_back(position);
    }
    const GraphPtr decoder = context.node().graph_attribute("decoder");
    require(context,
            decoder && decoder->inputs().size() > 3 && decoder->inputs().size() - 3 == decoder->outputs().size() - 1,
            "the decoder needs inputs input_ids, position_ids, attention_mask, past... and outputs logits, present...");
    for (std::size_t i = 3; i < decoder->inputs().size(); ++i) {
        const Type& type = decoder->value(decoder->inputs()[i]).type;
        require(context,
                type.shape && type.shape->size() == 5 && (*type.shape)[2].is_known() && (*type.shape)[4].is_known(),
                "decoder input " + std::to_string(i) +
                    ": expected a cache [2, batch, heads, length, size] with known heads and size, found " +
                    to_string(type));
        cache_.emplace_back(Tensor(type.dtype, {2, rows, (*type.shape)[2].value(), 0, (*type.shape)[4].value()}));
    }
}

RuntimeValue GptDecoder::ids(const std::vector<std::int64_t>& values) const {
    Tensor t(DType::i32, {rows_, static_cast<std::int64_t>(values.size()) / rows_});
    std::ranges::transform(values, t.mutable_data<std::int32_t>().begin(),
                           [](std::int64_t v) { return static_cast<std::int32_t>(v); });
    return t;
}

std::vector<float> GptDecoder::step(const std::vector<std::int64_t>& tokens) {
    std::vector<RuntimeValue> inputs;
    if (first_) {
        inputs = {ids(prompt_tokens_), ids(prompt_positions_)};
    } else {
        std::vector<std::int64_t> mask;
        for (std::int64_t r = 0; r < rows_; ++r) {
            mask.insert(mask.end(), mask_.begin() + r * mask_length_, mask_.begin() + (r + 1) * mask_length_);
            mask.push_back(1);
        }
        mask_ = std::move(mask);
        ++mask_length_;
        inputs = {ids(tokens), ids(next_position_)};
        for (std::int64_t& p : next_position_) ++p;
    }
    inputs.push_back(ids(mask_));
    inputs.insert(inputs.end(), cache_.begin(), cache_.end());
    const bool separate = first_ && context_.node().has_attribute("init_decoder");
    first_ = false;
    std::vector<RuntimeValue> outputs = context_.run_subgraph(separate ? "init_decoder" : "decoder", inputs);
    require(context_, outputs.size() == cache_.size() + 1,
            "the decoder returned " + std::to_string(outputs.size()) + " values instead of " +
                std::to_string(cache_.size() + 1));
    for (std::size_t i = 0; i < cache_.size(); ++i) cache_[i] = context_.keep(outputs[i + 1]);

    const Tensor& logits = outputs[0].tensor();
    require(
        context_, logits.rank() == 3 && logits.dim(0) == rows_ && logits.dim(1) > 0,
        "expected logits [" + std::to_string(rows_) + ", sequence, vocabulary], found " + to_string(logits.shape()));
    require(context_, vocabulary_size_ <= logits.dim(2),
            "vocab_size is " + std::to_string(vocabulary_size_) + ", the logits are " + to_string(logits.shape()));
    vocabulary_ = vocabulary_size_ > 0 ? vocabulary_size_ : logits.dim(2);
    const std::vector<float> all = floats_of(context_, &logits);
    std::vector<float> last;
    for (std::int64_t r = 0; r < rows_; ++r) {
        const auto begin = all.begin() + ((r + 1) * logits.dim(1) - 1) * logits.dim(2);
        last.insert(last.end(), begin, begin + vocabulary_);
    }
    return last;
}

void GptDecoder::reorder(const std::vector<std::int64_t>& order) {
    for (RuntimeValue& value : cache_) {
        const Tensor& from = value.tensor();
        Tensor to(from.dtype(), from.shape());
        const std::size_t block = from.byte_size() / 2 / static_cast<std::size_t>(rows_);
        for (std::size_t half = 0; half < 2; ++half)
            for (std::size_t r = 0; r < order.size(); ++r)
                std::memcpy(static_cast<char*>(to.mutable_raw()) + (half * order.size() + r) * block,
                            static_cast<const char*>(from.raw()) +
                                (half * order.size() + static_cast<std::size_t>(order[r])) * block,
                            block);
        value = std::move(to);
    }
}

void process_scores(const GenerationSettings& settings, std::int64_t batch_row,
                    const std::vector<std::int64_t>& sequence, bool at_prompt, float* scores, std::int64_t vocabulary) {
    constexpr float lowest = std::numeric_limits<float>::lowest();
    const auto length = static_cast<std::int64_t>(sequence.size());
    if (settings.repetition_penalty != 1)
        for (std::int64_t token : std::set<std::int64_t>(sequence.begin(), sequence.end()))
            if (token >= 0 && token < vocabulary)
                scores[token] *= scores[token] < 0 ? settings.repetition_penalty : 1 / settings.repetition_penalty;
    if (const std::int64_t n = settings.no_repeat_ngram; n > 0 && length + 1 >= n)
        for (std::int64_t i = 0; i + n <= length; ++i)
            if (std::equal(sequence.begin() + i, sequence.begin() + i + n - 1, sequence.end() - (n - 1)))
                if (const std::int64_t token = sequence[static_cast<std::size_t>(i + n - 1)];
                    token >= 0 && token < vocabulary)
                    scores[token] = lowest;
    const auto mask = [&](const std::vector<std::int64_t>& flags, std::int64_t row) {
        for (std::int64_t t = 0; t < vocabulary; ++t)
            if (const auto at = static_cast<std::size_t>(row * vocabulary + t); at < flags.size() && flags[at] == 0)
                scores[t] = lowest;
    };
    mask(settings.vocabulary_mask, 0);
    if (at_prompt) mask(settings.prefix_mask, batch_row);
    if (length < settings.min_length && settings.eos >= 0 && settings.eos < vocabulary) scores[settings.eos] = lowest;
}

}  // namespace lapidary::reference
