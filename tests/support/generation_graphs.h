// SPDX-License-Identifier: Apache-2.0
// Tiny models around the text generation operators of com.microsoft, as graph text. They are the
// models of tests/peers/generation_models.py, with which ONNX Runtime's outputs in
// tests/fixtures/generation were recorded.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace lapidary::test {

struct GenerationGraph {
    std::string op;             // GreedySearch, Sampling, BeamSearch, WhisperBeamSearch
    std::string kind = "gpt";   // gpt, t5, whisper
    bool hidden_states = true;  // the decoder reads the encoder's hidden states
    bool initial = true;        // the encoder reads decoder_input_ids and computes the first logits
    bool one_token = true;      // the decoder reads one token of each row, else whole sequences
    // attributes besides model_type and the subgraphs: "eos_token_id: 4, pad_token_id: 0"
    std::string attributes;
    // name of the operator's input, type: {"seed", "i32[1]"}
    std::vector<std::pair<std::string, std::string>> inputs;
    std::vector<std::string> outputs{"sequences"};
};

/// One node over a decoder, or encoder and decoder, of one layer of attention with 20 tokens, two
/// heads of 4.
std::string text_of(const GenerationGraph& graph);

}  // namespace lapidary::test
