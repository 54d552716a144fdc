// SPDX-License-Identifier: Apache-2.0
// The decoder subgraph of a GPT model: (input_ids, position_ids, attention_mask, past...) ->
// (logits, present...), all i32 and float, caches [2, rows, heads, length, size]; an init_decoder
// subgraph, where there is one, takes the prompt.
#pragma once

#include "kernels/reference/generation/generation.h"

namespace lapidary::reference {

/// Each batch row rows / batch times. Throws invalid_input for a decoder of other inputs and
/// outputs.
std::unique_ptr<GenerationDecoder> make_gpt_decoder(KernelContext& context,
                                                    const GenerationSettings& settings,
                                                    std::int64_t rows);

}  // namespace lapidary::reference
