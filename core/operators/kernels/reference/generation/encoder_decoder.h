// SPDX-License-Identifier: Apache-2.0
// The subgraphs of T5 and Whisper in com.microsoft BeamSearch, as ONNX Runtime's convert_generation
// writes them; all float but for ids and masks, which are i32. B: batch, R: batch times beams, F:
// length of the encoder's result.
//   encoder (encoder_input_ids [B, length] or features [B, features, frames], T5:
//   encoder_attention_mask [B, length],
//            decoder_input_ids [B, start])
//        -> (logits [B, start, vocabulary], encoder_hidden_states [B, F, hidden],
//            present_key_self, present_value_self [B, heads, start, size] of each layer,
//            present_key_cross, present_value_cross [B, heads, F, size] of each layer)
//   that of T5 also without decoder_input_ids: -> (present_key_cross, present_value_cross of each
//   layer) decoder (input_ids [R, 1], T5: encoder_attention_mask [R, F], perhaps
//   encoder_hidden_states [R, F, hidden],
//            past_key_self, past_value_self of each layer, past_key_cross, past_value_cross of each
//            layer)
//        -> (logits [R, 1, vocabulary], present_key_self, present_value_self of each layer)
//   a decoder whose input_ids are not declared [R, 1] is given whole sequences.
#pragma once

#include "kernels/reference/generation/generation.h"

namespace lapidary::reference {

/// Each batch row rows / batch times. Throws invalid_input for subgraphs of other inputs and
/// outputs.
std::unique_ptr<GenerationDecoder> make_encoder_decoder(KernelContext& context,
                                                        const GenerationSettings& settings,
                                                        std::int64_t rows);

}  // namespace lapidary::reference
