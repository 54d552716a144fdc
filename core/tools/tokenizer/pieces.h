// SPDX-License-Identifier: Apache-2.0
// A text on its way to tokens: cut into pieces, some of which are added tokens already.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tokenizer/regex.h>
#include <tokenizer/utf8.h>

namespace lapidary::tokens {

using TokenId = std::uint32_t;

struct Piece {
    Range range;                   // of the text
    std::optional<TokenId> token;  // an added token, which nothing cuts or changes
    bool is_at_front;              // begins where the text that was given began
};

struct Pieces {
    std::string text;
    std::vector<Piece> pieces;

    std::string_view view(const Piece& piece) const {
        return std::string_view(text).substr(piece.range.begin,
                                             piece.range.end - piece.range.begin);
    }
};

/// What becomes of the places where a text is cut.
enum class SplitBehavior {
    removed,
    isolated,              // a piece each
    merged_with_previous,  // at the end of the piece before
    merged_with_next,      // at the beginning of the piece behind
    contiguous             // a piece of all that stand side by side
};

/// A part of a text: a place to cut, or what is between two.
struct Part {
    Range range;
    bool is_match;
};

/// The parts of a text, in order and without gaps.
using FindParts = std::function<void(std::string_view, std::vector<Part>&)>;

/// Cuts every piece that is no token. Empty pieces go.
void split(Pieces& pieces, const FindParts& find, SplitBehavior behavior);

/// Writes every piece that is no token anew: `write` appends to the text that becomes.
using WritePiece = std::function<void(std::string_view piece, bool is_at_front, std::string& text)>;
void rewrite(Pieces& pieces, const WritePiece& write);

/// Matches and what is between them.
void add_parts(std::string_view text, const std::vector<Range>& matches, std::vector<Part>& parts);

/// Parts by characters, each of which is a match or not.
template <typename Predicate>
FindParts characters_that(Predicate is_match) {
    return [is_match](std::string_view text, std::vector<Part>& parts) {
        std::uint32_t between = 0, at = 0;
        while (at < text.size()) {
            const Character one = character_at(text, at);
            if (is_match(one.code)) {
                if (between < at) parts.push_back({{between, at}, false});
                parts.push_back({{at, at + one.length}, true});
                between = at + one.length;
            }
            at += one.length;
        }
        if (between < at) parts.push_back({{between, at}, false});
    };
}

}  // namespace lapidary::tokens
