// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>

#include <lapidary/quantize/calibrate.h>
#include <lapidary/graph/model.h>

namespace lapidary {

/// How lines of a text become tokens.
struct TextOptions {
    /// tokenizer.json of Hugging Face; or, with another ending, a token per line, its number is
    /// that of the line, from 0 on
    std::filesystem::path vocabulary;
    std::int64_t most_tokens = 128;  // of a sample, [CLS] and [SEP] counted
    /// with a token per line: letters become small and lose their accents
    bool lower_case = true;
};

/// Each line of a text file that is not empty as a sample of a model of tokens, as Tokenizer of
/// lapidary/tokenizer/tokenizer.h makes them: by a tokenizer.json, or by the WordPiece of BERT with
/// [UNK] where a word has no tokens, [CLS] and [SEP] around where the vocabulary has them.
/// Inputs of the model by their names: one with "ids" or "tokens" takes the tokens, "mask" ones,
/// "type" or "segment" zeros, "position" 0, 1, 2 ...; of fixed length they are filled with the
/// tokenizer's padding, masked. Caches of decoders (find_cache_pairs()) are empty, and their
/// lengths (seqlens_k, total_sequence_length, past_sequence_length) fit. Throws invalid_input for
/// other inputs, a vocabulary without [UNK], a file without lines or of another encoding than
/// UTF-8, what Tokenizer::load() throws, io_failure.
SampleSourcePtr text_samples(const Model& model, const std::filesystem::path& file,
                             const TextOptions& options);

}  // namespace lapidary
