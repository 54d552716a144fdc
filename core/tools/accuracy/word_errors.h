// SPDX-License-Identifier: Apache-2.0
// Decodes text from class scores per frame, and counts errors against the transcript.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <lapidary/tensor/tensor.h>

namespace lapidary {

/// Greedy decoding of connectionist temporal classification (Graves et al. 2006): the largest class
/// of each frame, repeats and blanks left out. `scores`: [1, frames, classes] or [frames, classes];
/// `tokens` by class: "|" and "▁" stand for a space; the blank is <blank>, <pad> or [PAD], else
/// class 0. Throws invalid_input for other shapes, or more classes than tokens.
std::string decoded_text(const Tensor& scores, const std::vector<std::string>& tokens);

struct TextErrors {
    // words: of the reference; errors: inserted, missing and replaced ones
    std::uint64_t words = 0, word_errors = 0;
    std::uint64_t characters = 0, character_errors = 0;
};
/// By edit distance (Levenshtein 1966). Letter case and repeated spaces are ignored; characters are
/// those of UTF-8.
TextErrors text_errors(std::string_view reference, std::string_view found);

}  // namespace lapidary
