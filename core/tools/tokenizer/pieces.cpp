// SPDX-License-Identifier: Apache-2.0
#include <tokenizer/pieces.h>

#include <algorithm>

namespace lapidary::tokens {
namespace {

/// Puts parts together as `behavior` says; a part that is still a match afterwards goes.
void combine(std::vector<Part>& parts, SplitBehavior behavior) {
    if (behavior == SplitBehavior::removed) return;
    if (behavior == SplitBehavior::isolated) {
        for (Part& part : parts) part.is_match = false;
        return;
    }
    const bool backwards = behavior == SplitBehavior::merged_with_next;
    if (backwards) std::ranges::reverse(parts);
    bool was_match = false;
    std::size_t count = 0;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const Part part = parts[i];
        const bool joins = behavior == SplitBehavior::contiguous ? part.is_match == was_match
                                                                 : part.is_match && !was_match;
        was_match = part.is_match;
        if (joins && count > 0) {
            Range& last = parts[count - 1].range;
            if (backwards) last.begin = part.range.begin;
            else last.end = part.range.end;
        } else {
            parts[count++] = {part.range, false};
        }
    }
    parts.resize(count);
    if (backwards) std::ranges::reverse(parts);
}

}  // namespace

void split(Pieces& pieces, const FindParts& find, SplitBehavior behavior) {
    std::vector<Piece> cut;
    cut.reserve(pieces.pieces.size());
    std::vector<Part> parts;
    for (const Piece& piece : pieces.pieces) {
        if (piece.token) {
            cut.push_back(piece);
            continue;
        }
        parts.clear();
        find(pieces.view(piece), parts);
        combine(parts, behavior);
        for (const Part& part : parts)
            if (!part.is_match && part.range.begin < part.range.end)
                cut.push_back(
                    {{piece.range.begin + part.range.begin, piece.range.begin + part.range.end},
                     std::nullopt,
                     piece.is_at_front && part.range.begin == 0});
    }
    pieces.pieces = std::move(cut);
}

void rewrite(Pieces& pieces, const WritePiece& write) {
    std::string text;
    text.reserve(pieces.text.size() + pieces.text.size() / 8);
    for (Piece& piece : pieces.pieces) {
        const auto begin = static_cast<std::uint32_t>(text.size());
        if (piece.token) text += pieces.view(piece);
        else write(pieces.view(piece), piece.is_at_front, text);
        piece.range = {begin, static_cast<std::uint32_t>(text.size())};
    }
    pieces.text = std::move(text);
}

void add_parts(std::string_view text, const std::vector<Range>& matches, std::vector<Part>& parts) {
    std::uint32_t between = 0;
    for (const Range& match : matches) {
        if (between != match.begin) parts.push_back({{between, match.begin}, false});
        parts.push_back({match, true});
        between = match.end;
    }
    const auto size = static_cast<std::uint32_t>(text.size());
    if (between != size) parts.push_back({{between, size}, false});
}

}  // namespace lapidary::tokens
