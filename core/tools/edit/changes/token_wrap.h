// SPDX-License-Identifier: Apache-2.0
// Puts the splitting of texts into tokens, as far as ONNX has operators for it, before a model.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <lapidary/base/limits.h>
#include <lapidary/graph/graph_edit.h>

namespace lapidary {

/// A vocabulary of whole words.
struct TokenWords {
    std::vector<std::string> texts;  // in order of their ids
    std::vector<std::int64_t> ids;   // parallel to `texts`
    std::string unknown, padding;    // of `texts`; empty: none
    bool is_lower = false;           // texts are made lower case before they are split
    bool has_own_length = false;     // a tokenizer.json that cuts or pads texts in its own way
};

/// The lines of a text file: one label of a class each. An empty last line does not count. Throws
/// invalid_input for a file without lines, io_failure.
std::vector<std::string> read_labels(const std::filesystem::path& file);

/// A vocabulary from a text file, one word a line, whose ids count from 0; or from a tokenizer.json
/// whose model is WordLevel and that splits at white space. Words for what is unknown and for
/// padding are found by their usual names. Throws not_supported, with what to do, for vocabularies
/// of parts of words (BPE, WordPiece, Unigram), for which ONNX has no operators.
TokenWords read_words(const std::filesystem::path& file, const Limits& limits = {});

/// How an input of ids is made from texts.
struct TokenWrap {
    TokenWords words;
    std::int64_t length = 0;  // ids of a text, cut or padded; 0: that of the input
    std::string separator;    // between words; empty: white space
};

/// Sentences on words that will not be found, and on what is done in another way.
std::vector<std::string> notes_of_words(const TokenWrap& wrap);

/// The input of ids ([length] or [batch, length], int32 or int64) becomes one of texts ([1] or
/// [batch]): they are split, looked up, cut and padded inside. Needs opset 20 for StringSplit and
/// version 2 of ai.onnx.ml (`ml_version`) for LabelEncoder. Throws invalid_input.
void wrap_tokenization(GraphEdit& edit, const std::string& input, const TokenWrap& wrap,
                       std::int64_t opset, std::int64_t ml_version);

}  // namespace lapidary
