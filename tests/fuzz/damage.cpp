// SPDX-License-Identifier: Apache-2.0
#include "fuzz/damage.h"

#include <algorithm>
#include <cctype>
#include <string>

#include "mutate/mutation.h"

namespace lapidary::fuzz {
namespace {

using mutate::Random;

/// Whether the beginning has no control characters, as text has none.
bool is_text(Input file) {
    return std::ranges::none_of(file.first(std::min<std::size_t>(file.size(), 256)),
                                [](std::byte b) {
                                    const auto c = static_cast<unsigned>(b);
                                    return c < 32 && c != '\n' && c != '\r' && c != '\t';
                                });
}

/// A text as words, numbers and single other characters.
std::vector<std::string> pieces_of(std::string_view text) {
    std::vector<std::string> pieces;
    const auto is_word = [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
    };
    for (std::size_t at = 0; at < text.size();) {
        std::size_t end = at + 1;
        if (is_word(text[at]))
            while (end < text.size() && is_word(text[end])) ++end;
        pieces.emplace_back(text.substr(at, end - at));
        at = end;
    }
    return pieces;
}

std::string odd_word(Random& random) {
    static constexpr const char* odd[] = {"0",
                                          "-1",
                                          "1e999",
                                          "9223372036854775807",
                                          "-9223372036854775809",
                                          "null",
                                          "true",
                                          "{}",
                                          "[]",
                                          "\"\"",
                                          "\"\\ud800\"",
                                          "\xff",
                                          "4.5",
                                          "{\"a\":1}",
                                          "\n",
                                          "\"",
                                          "nan",
                                          "65536",
                                          "18446744073709551616",
                                          "[[[[",
                                          "../x",
                                          "\t#,",
                                          "\xe2\x80\xae"};
    return odd[random() % std::size(odd)];
}

void damage_text(std::vector<std::byte>& file, Random& random) {
    std::vector<std::string> pieces = pieces_of(text_of(file));
    for (std::size_t change = 1 + random() % 3; change > 0 && !pieces.empty(); --change) {
        const auto at = pieces.begin() + static_cast<std::ptrdiff_t>(random() % pieces.size());
        const std::string other = pieces[random() % pieces.size()];
        switch (random() % 6) {
        case 0: *at = odd_word(random); break;
        case 1: *at = other; break;
        case 2: pieces.insert(at, other); break;
        case 3: pieces.erase(at); break;
        case 4: pieces.insert(at, random() % 2 ? odd_word(random) : *at); break;
        default:
            if (random() % 4 == 0) pieces.erase(at, pieces.end());
            else
                std::iter_swap(
                    at, pieces.begin() + static_cast<std::ptrdiff_t>(random() % pieces.size()));
        }
    }
    file.clear();
    for (const std::string& piece : pieces)
        for (const char c : piece) file.push_back(static_cast<std::byte>(c));
}

void damage_bytes(std::vector<std::byte>& file, Random& random) {
    static constexpr unsigned char odd[] = {0, 1, 0x7f, 0x80, 0xff};
    for (std::size_t change = 1 + random() % 4; change > 0 && !file.empty(); --change) {
        // mostly in the beginning, where headers are
        const std::size_t reach =
            random() % 2 ? file.size() : std::min<std::size_t>(file.size(), 128);
        const std::size_t at = random() % reach;
        const auto place = file.begin() + static_cast<std::ptrdiff_t>(at);
        switch (random() % 5) {
        case 0: *place ^= static_cast<std::byte>(1u << random() % 8); break;
        case 1: *place = static_cast<std::byte>(odd[random() % std::size(odd)]); break;
        case 2:  // a number of four bytes
            std::fill_n(place, std::min<std::size_t>(4, file.size() - at),
                        static_cast<std::byte>(odd[random() % std::size(odd)]));
            break;
        case 3: file.erase(place); break;
        default:
            if (random() % 4 == 0) file.resize(at);
            else file.insert(place, static_cast<std::byte>(random()));
        }
    }
}

}  // namespace

std::vector<std::byte> damaged(Input file, std::uint64_t number) {
    Random random(number * 0x9e3779b97f4a7c15ull + file.size());
    std::vector<std::byte> copy(file.begin(), file.end());
    if (is_text(file)) {
        if (random() % 8 == 0) damage_bytes(copy, random);
        else damage_text(copy, random);
    } else if (random() % 4 == 0 || mutate::mutate_bytes(copy, random).empty()) {
        damage_bytes(copy, random);
    }
    return copy;
}

}  // namespace lapidary::fuzz
