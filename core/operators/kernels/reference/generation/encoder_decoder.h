// SPDX-License-Identifier: Apache-2.0
// The subgraphs of T5 and Whisper in com.microsoft BeamSearch, as ONNX Runtime's convert_generation
// writes them. Ids and masks are i32, all else is float.
// B: batch; R: batch times beams; F: length of the encoder's result.
//
//   encoder
//     inputs: T5: encoder_input_ids [B, length], encoder_attention_mask [B, length],
//             Whisper: features [B, features, frames]; both: decoder_input_ids [B, start]
//     outputs: logits [B, start, vocabulary], encoder_hidden_states [B, F, hidden],
//              of each layer: present_key_self, present_value_self [B, heads, start, size],
//              of each layer: present_key_cross, present_value_cross [B, heads, F, size]
//   T5's encoder may lack decoder_input_ids
//     outputs: of each layer: present_key_cross, present_value_cross
//   decoder
//     inputs: input_ids [R, 1], T5: encoder_attention_mask [R, F],
//             optional: encoder_hidden_states [R, F, hidden],
//             of each layer: past_key_self, past_value_self,
//             of each layer: past_key_cross, past_value_cross
//     outputs: logits [R, 1, vocabulary], of each layer: present_key_self, present_value_self
//
// A decoder whose input_ids are not declared as [R, 1] gets whole sequences.
#pragma once

#include "kernels/reference/generation/generation.h"

namespace lapidary::reference {

/// Each batch row rows / batch times. Throws invalid_input for subgraphs of other inputs and
/// outputs.
std::unique_ptr<GenerationDecoder> make_encoder_decoder(KernelContext& context,
                                                        const GenerationSettings& settings,
                                                        std::int64_t rows);

}  // namespace lapidary::reference
