// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>

#include <lapidary/quantize/calibrate.h>
#include <lapidary/graph/model.h>

namespace lapidary {

/// How lines of a text are split into tokens.
struct TextOptions {
    /// file with one token per line; its id is the number of the line, from 0 on
    std::filesystem::path vocabulary;
    std::int64_t most_tokens = 128;  // of a sample, including [CLS] and [SEP]
    bool lower_case = true;          // letters of ASCII
};

/// Samples for a model that takes tokens: one for each line of a text file that is not empty.
/// Tokens are those of WordPiece as in BERT (Wu et al. 2016, arXiv 1609.08144): lines are split
/// into words at spaces, each punctuation mark and Chinese character being a word of its own; words
/// are split into the longest tokens of the vocabulary, with ## in front of all but the first;
/// [UNK] stands for a word that has no tokens. [CLS] and [SEP] are put around if the vocabulary has
/// them. Accents stay.
///
/// Inputs of the model are recognized by name: "ids" or "tokens" takes the tokens, "mask" ones,
/// "type" or "segment" zeros, "position" 0, 1, 2 ... Inputs of fixed length are filled up with
/// masked [PAD]. Throws invalid_input for other inputs, a vocabulary without [UNK], a file without
/// lines, io_failure.
SampleSourcePtr text_samples(const Model& model, const std::filesystem::path& file,
                             const TextOptions& options);

}  // namespace lapidary
