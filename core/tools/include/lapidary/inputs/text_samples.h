// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>

#include <lapidary/quantize/calibrate.h>
#include <lapidary/graph/model.h>

namespace lapidary {

/// How lines of a text become tokens.
struct TextOptions {
    /// a token per line, its number is that of the line, from 0 on
    std::filesystem::path vocabulary;
    std::int64_t most_tokens = 128;  // of a sample, [CLS] and [SEP] counted
    bool lower_case = true;          // letters of ASCII
};

/// Each line of a text file that is not empty as a sample of a model of tokens, cut by WordPiece as
/// BERT does (Wu et al. 2016, arXiv 1609.08144): words at spaces, punctuation and Chinese
/// characters alone, then the longest tokens of the vocabulary, with ## in front but for the first;
/// [UNK] where there is none, [CLS] and [SEP] around where the vocabulary has them. Accents stay.
/// Inputs of the model by their names: one with "ids" or "tokens" takes the tokens, "mask" ones,
/// "type" or "segment" zeros, "position" 0, 1, 2 ...; of fixed length they are filled with [PAD],
/// masked. Throws invalid_input for other inputs, a vocabulary without [UNK], a file without lines,
/// io_failure.
SampleSourcePtr text_samples(const Model& model, const std::filesystem::path& file,
                             const TextOptions& options);

}  // namespace lapidary
