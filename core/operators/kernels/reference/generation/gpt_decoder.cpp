// SPDX-License-Identifier: Apache-2.0
#include "kernels/reference/generation/gpt_decoder.h"

namespace lapidary::reference {
namespace {

class GptDecoder : public GenerationDecoder {
public:
    GptDecoder(KernelContext& context, const GenerationSettings& settings, std::int64_t rows)
        : context_(context), settings_(settings), rows_(rows), mask_length_(settings.prompt) {
        const std::int64_t copies = rows / settings.batch;
        for (std::int64_t r = 0; r < rows; ++r) {
            const auto from = (r / copies) * settings.prompt;
            std::int64_t position = 0;
            for (std::int64_t i = 0; i < settings.prompt; ++i) {
                const auto at = static_cast<std::size_t>(from + i);
                mask_.push_back(settings.attention_mask[at]);
                // Padding gets position 0, whatever the mask says.
                prompt_positions_.push_back(settings.tokens[at] == settings.pad ? 0 : position++);
            }
            next_position_.push_back(position);
        }
        const GraphPtr decoder = context.node().graph_attribute("decoder");
        require_generation(context,
                           decoder && decoder->inputs().size() > 3 &&
                               decoder->inputs().size() - 3 == decoder->outputs().size() - 1,
                           "the decoder needs inputs input_ids, position_ids, attention_mask, "
                           "past... and outputs logits, present...");
        for (std::size_t i = 3; i < decoder->inputs().size(); ++i) {
            const Type& type = decoder->value(decoder->inputs()[i]).type;
            require_generation(context,
                               type.shape && type.shape->size() == 5 &&
                                   (*type.shape)[2].is_known() && (*type.shape)[4].is_known(),
                               "decoder input " + std::to_string(i) +
                                   ": expected a cache [2, batch, heads, length, size] with known "
                                   "heads and size, found " +
                                   to_string(type));
            cache_.emplace_back(Tensor(
                type.dtype, {2, rows, (*type.shape)[2].value(), 0, (*type.shape)[4].value()}));
        }
    }

    std::vector<float> step(const std::vector<TokenSequence>& sequences) override {
        TokenSequence tokens;
        for (const TokenSequence& s : sequences)
            tokens.insert(tokens.end(), first_ ? s.begin() : s.end() - 1, s.end());
        std::vector<RuntimeValue> inputs{token_tensor(tokens, rows_)};
        if (first_) {
            inputs.push_back(token_tensor(prompt_positions_, rows_));
        } else {
            extend_mask();
            inputs.push_back(token_tensor(next_position_, rows_));
            for (std::int64_t& p : next_position_) ++p;
        }
        inputs.push_back(token_tensor(mask_, rows_));
        inputs.insert(inputs.end(), cache_.begin(), cache_.end());
        const bool separate = first_ && context_.node().has_attribute("init_decoder");
        first_ = false;
        std::vector<RuntimeValue> outputs =
            context_.run_subgraph(separate ? "init_decoder" : "decoder", inputs);
        require_generation(context_, outputs.size() == cache_.size() + 1,
                           "the decoder returned " + std::to_string(outputs.size()) +
                               " values instead of " + std::to_string(cache_.size() + 1));
        for (std::size_t i = 0; i < cache_.size(); ++i) cache_[i] = context_.keep(outputs[i + 1]);
        return last_logits(context_, settings_, outputs[0].tensor(), rows_, 1);
    }

    void reorder(const TokenSequence& order) override {
        for (RuntimeValue& value : cache_) value = pick_blocks(context_, value.tensor(), 1, order);
    }

private:
    void extend_mask() {
        TokenSequence mask;
        for (std::int64_t r = 0; r < rows_; ++r) {
            mask.insert(mask.end(), mask_.begin() + r * mask_length_,
                        mask_.begin() + (r + 1) * mask_length_);
            mask.push_back(1);
        }
        mask_ = std::move(mask);
        ++mask_length_;
    }

    KernelContext& context_;
    const GenerationSettings& settings_;
    std::int64_t rows_;
    bool first_ = true;
    TokenSequence mask_, next_position_, prompt_positions_;
    std::int64_t mask_length_;
    std::vector<RuntimeValue> cache_;
};

}  // namespace

std::unique_ptr<GenerationDecoder> make_gpt_decoder(KernelContext& context,
                                                    const GenerationSettings& settings,
                                                    std::int64_t rows) {
    return std::make_unique<GptDecoder>(context, settings, rows);
}

}  // namespace lapidary::reference
