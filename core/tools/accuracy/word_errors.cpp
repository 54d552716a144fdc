// SPDX-License-Identifier: Apache-2.0
#include "accuracy/word_errors.h"

#include <algorithm>
#include <cctype>
#include <numeric>

#include <lapidary/base/error.h>

namespace lapidary {
namespace {

// U+2581, which SentencePiece puts before words
constexpr std::string_view word_mark = "\xE2\x96\x81";

std::size_t blank_of(const std::vector<std::string>& tokens) {
    for (const char* name : {"<blank>", "<pad>", "[PAD]"})
        if (const auto at = std::ranges::find(tokens, name); at != tokens.end())
            return static_cast<std::size_t>(at - tokens.begin());
    return 0;
}

std::string written(std::string token) {
    if (token == "|") return " ";
    if (token.starts_with(word_mark)) token.replace(0, word_mark.size(), " ");
    return token;
}

/// Lower case, words with one space between.
std::vector<std::string> words_of(std::string_view text) {
    std::vector<std::string> words;
    bool joined = false;
    for (const char c : text) {
        if (std::isspace(static_cast<unsigned char>(c)) != 0) {
            joined = false;
            continue;
        }
        if (!joined) words.emplace_back();
        words.back() += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        joined = true;
    }
    return words;
}

std::vector<std::string> characters_of(const std::vector<std::string>& words) {
    std::vector<std::string> characters;
    for (const std::string& word : words) {
        if (!characters.empty()) characters.emplace_back(" ");
        for (const char c : word) {
            const bool goes_on = (static_cast<unsigned char>(c) & 0xC0) == 0x80;
            if (goes_on && !characters.empty()) characters.back() += c;
            else characters.emplace_back(1, c);
        }
    }
    return characters;
}

std::uint64_t edit_distance(const std::vector<std::string>& a, const std::vector<std::string>& b) {
    std::vector<std::uint64_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::uint64_t{0});
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::uint64_t diagonal = row[0];
        row[0] = i + 1;
        for (std::size_t j = 0; j < b.size(); ++j) {
            const std::uint64_t exchanged = diagonal + (a[i] == b[j] ? 0 : 1);
            diagonal = row[j + 1];
            row[j + 1] = std::min({exchanged, row[j] + 1, row[j + 1] + 1});
        }
    }
    return row.back();
}

}  // namespace

std::string decoded_text(const Tensor& scores, const std::vector<std::string>& tokens) {
    const bool batched = scores.rank() == 3 && scores.dim(0) == 1;
    if (!batched && scores.rank() != 2)
        fail_input("its output is " + to_string(scores.shape()) +
                   ": text is read from [1, frames, classes]");
    const auto classes = static_cast<std::size_t>(scores.shape().back());
    if (classes == 0 || classes > tokens.size())
        fail_input("its output has " + std::to_string(classes) + " classes, the vocabulary " +
                   std::to_string(tokens.size()) + " tokens");
    const std::size_t blank = blank_of(tokens);
    const std::vector<double> values = to_doubles(scores);
    std::string text;
    std::size_t last = blank;
    for (std::size_t frame = 0; frame < values.size() / classes; ++frame) {
        const auto begin = values.begin() + static_cast<std::ptrdiff_t>(frame * classes);
        const auto largest = static_cast<std::size_t>(
            std::max_element(begin, begin + static_cast<std::ptrdiff_t>(classes)) - begin);
        if (largest != last && largest != blank) text += written(tokens[largest]);
        last = largest;
    }
    return text;
}

TextErrors text_errors(std::string_view reference, std::string_view found) {
    const std::vector<std::string> expected = words_of(reference), got = words_of(found);
    const std::vector<std::string> letters = characters_of(expected);
    return {expected.size(), edit_distance(expected, got), letters.size(),
            edit_distance(letters, characters_of(got))};
}

}  // namespace lapidary
