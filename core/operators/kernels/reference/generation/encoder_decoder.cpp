// SPDX-License-Identifier: Apache-2.0
#include "kernels/reference/generation/encoder_decoder.h"

namespace lapidary::reference {
namespace {

class EncoderDecoder : public GenerationDecoder {
public:
    EncoderDecoder(KernelContext& context, const GenerationSettings& settings, std::int64_t rows)
        : context_(context), settings_(settings), rows_(rows), copies_(rows / settings.batch) {
        const GraphPtr encoder = context.node().graph_attribute("encoder"),
                       decoder = context.node().graph_attribute("decoder");
        require_generation(context, encoder && decoder,
                           "expected the attributes encoder and decoder for model_type " +
                               std::to_string(static_cast<int>(settings.kind)) +
                               ", found none for " + (encoder ? "decoder" : "encoder"));
        check_decoder(*decoder);
        check_encoder(*encoder);
    }

    std::vector<float> step(const std::vector<TokenSequence>& sequences) override {
        if (!self_.empty()) return decode(sequences);
        std::vector<RuntimeValue> outputs = encode();
        const std::size_t cross = outputs.size() - 2 * layers_;
        for (std::size_t i = cross; i < outputs.size(); ++i)
            cross_.push_back(expanded(outputs[i].tensor()));
        if (has_mask()) mask_ = expanded_mask();
        if (!starts_decoder_) {
            const Tensor& key = cross_[0].tensor();
            require_generation(context_, key.rank() == 4,
                               "expected present_key_cross_0 [batch, heads, length, size], found " +
                                   to_string(key.shape()));
            for (std::size_t i = 0; i < 2 * layers_; ++i)
                self_.emplace_back(Tensor(key.dtype(), {rows_, key.dim(1), 0, key.dim(3)}));
            return decode(sequences);
        }
        if (takes_hidden_states_) hidden_states_ = expanded(outputs[1].tensor());
        for (std::size_t i = 2; i < cross; ++i) self_.push_back(expanded(outputs[i].tensor()));
        return last_logits(context_, settings_, outputs[0].tensor(), settings_.batch, copies_);
    }

    void reorder(const TokenSequence& order) override {
        for (RuntimeValue& value : self_) value = pick_blocks(context_, value.tensor(), 0, order);
    }

private:
    bool has_mask() const { return settings_.kind == GenerationSettings::Kind::t5; }

    void check_decoder(const Graph& decoder) {
        const std::size_t count = decoder.inputs().size(), before = has_mask() ? 2 : 1;
        takes_hidden_states_ = count > before && decoder.value(decoder.inputs()[before]).name ==
                                                     "encoder_hidden_states";
        const std::size_t first_past = before + (takes_hidden_states_ ? 1 : 0);
        require_generation(context_, count > first_past && (count - first_past) % 4 == 0,
                           std::string("decoder: expected the inputs input_ids, ") +
                               (has_mask() ? "encoder_attention_mask, " : "") +
                               "perhaps encoder_hidden_states, and four caches a layer, found " +
                               std::to_string(count) + " inputs");
        layers_ = (count - first_past) / 4;
        require_generation(context_, decoder.outputs().size() == 1 + 2 * layers_,
                           "decoder: expected logits and two caches for each of " +
                               std::to_string(layers_) + " layers as outputs, found " +
                               std::to_string(decoder.outputs().size()));
        const Type& ids = decoder.value(decoder.inputs()[0]).type;
        takes_one_token_ = ids.shape && ids.shape->size() == 2 && (*ids.shape)[1].is_known() &&
                           (*ids.shape)[1].value() == 1;
    }

    void check_encoder(const Graph& encoder) {
        const std::size_t inputs = encoder.inputs().size(), with_start = has_mask() ? 3 : 2;
        starts_decoder_ = inputs == with_start;
        require_generation(
            context_, starts_decoder_ || (has_mask() && inputs == 2),
            std::string("encoder: expected the inputs ") +
                (has_mask()
                     ? "encoder_input_ids, encoder_attention_mask and perhaps decoder_input_ids"
                     : "encoder_input_ids and decoder_input_ids") +
                ", found " + std::to_string(inputs) + " inputs");
        const std::size_t expected = starts_decoder_ ? 2 + 4 * layers_ : 2 * layers_;
        require_generation(context_, encoder.outputs().size() == expected,
                           "encoder: expected " + std::to_string(expected) +
                               " outputs for the decoder's " + std::to_string(layers_) +
                               " layers, found " + std::to_string(encoder.outputs().size()));
        require_generation(context_, starts_decoder_ || !takes_hidden_states_,
                           "decoder: expected no input encoder_hidden_states, as the encoder gives "
                           "none, found one");
    }

    std::vector<RuntimeValue> encode() {
        std::vector<RuntimeValue> inputs{context_.keep(*context_.input_value(0))};
        if (has_mask()) inputs.push_back(token_tensor(settings_.attention_mask, settings_.batch));
        if (starts_decoder_) inputs.push_back(token_tensor(settings_.tokens, settings_.batch));
        std::vector<RuntimeValue> outputs = context_.run_subgraph("encoder", inputs);
        for (RuntimeValue& value : outputs) value = context_.keep(value);
        return outputs;
    }

    std::vector<float> decode(const std::vector<TokenSequence>& sequences) {
        TokenSequence tokens;
        for (const TokenSequence& s : sequences)
            tokens.insert(tokens.end(), takes_one_token_ ? s.end() - 1 : s.begin(), s.end());
        std::vector<RuntimeValue> inputs{token_tensor(tokens, rows_)};
        if (has_mask()) inputs.push_back(mask_);
        if (takes_hidden_states_) inputs.push_back(hidden_states_);
        inputs.insert(inputs.end(), self_.begin(), self_.end());
        inputs.insert(inputs.end(), cross_.begin(), cross_.end());
        std::vector<RuntimeValue> outputs = context_.run_subgraph("decoder", inputs);
        for (std::size_t i = 0; i < self_.size(); ++i) self_[i] = context_.keep(outputs[i + 1]);
        return last_logits(context_, settings_, outputs[0].tensor(), rows_, 1);
    }

    /// Each of the batch's rows `copies_` times.
    RuntimeValue expanded(const Tensor& tensor) const {
        TokenSequence order;
        for (std::int64_t r = 0; r < rows_; ++r) order.push_back(r / copies_);
        return pick_blocks(context_, tensor, 0, order);
    }

    RuntimeValue expanded_mask() const {
        const auto length =
            static_cast<std::ptrdiff_t>(settings_.attention_mask.size()) / settings_.batch;
        TokenSequence mask;
        for (std::int64_t r = 0; r < rows_; ++r) {
            const auto begin = settings_.attention_mask.begin() + r / copies_ * length;
            mask.insert(mask.end(), begin, begin + length);
        }
        return token_tensor(mask, rows_);
    }

    KernelContext& context_;
    const GenerationSettings& settings_;
    std::int64_t rows_, copies_;
    std::size_t layers_ = 0;
    bool takes_hidden_states_ = false, takes_one_token_ = false, starts_decoder_ = false;
    RuntimeValue mask_, hidden_states_;
    std::vector<RuntimeValue> self_, cross_;
};

}  // namespace

std::unique_ptr<GenerationDecoder> make_encoder_decoder(KernelContext& context,
                                                        const GenerationSettings& settings,
                                                        std::int64_t rows) {
    return std::make_unique<EncoderDecoder>(context, settings, rows);
}

}  // namespace lapidary::reference
