// SPDX-License-Identifier: Apache-2.0
// The table by which SentencePiece normalizes (its "precompiled charsmap"): a double array that
// finds the beginnings of a text (Aoe 1989, as laid out by darts-clone), and the texts that these
// become.
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <lapidary/base/error.h>

#include <tokenizer/characters.h>
#include <tokenizer/normalizer.h>
#include <tokenizer/utf8.h>

namespace lapidary::tokens {
namespace {

std::string decoded_base64(const std::string& text, const JsonFields& fields) {
    constexpr std::string_view digits =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::array<int, 256> values{};
    values.fill(-1);
    for (std::size_t i = 0; i < digits.size(); ++i)
        values[static_cast<unsigned char>(digits[i])] = static_cast<int>(i);
    std::string bytes;
    std::uint32_t bits = 0;
    unsigned count = 0;
    std::size_t end = text.size();
    while (end > 0 && text[end - 1] == '=') --end;
    if (text.size() % 4 != 0 || text.size() - end > 2)
        fields.fail("\"precompiled_charsmap\" is no base64: its length is " +
                    std::to_string(text.size()));
    for (std::size_t i = 0; i < end; ++i) {
        const int value = values[static_cast<unsigned char>(text[i])];
        if (value < 0)
            fields.fail("\"precompiled_charsmap\" is no base64: byte " + std::to_string(i) +
                        " is none of its digits");
        bits = bits << 6 | static_cast<std::uint32_t>(value);
        count += 6;
        if (count >= 8) {
            count -= 8;
            bytes += static_cast<char>(bits >> count & 0xFF);
        }
    }
    return bytes;
}

class Charsmap : public Normalizer {
public:
    explicit Charsmap(JsonFields& fields) {
        const std::string bytes = decoded_base64(fields.text("precompiled_charsmap"), fields);
        const auto word_at = [&](std::size_t at) {
            std::uint32_t word = 0;
            for (std::size_t i = 4; i-- > 0;)
                word = word << 8 | static_cast<unsigned char>(bytes[at + i]);
            return word;
        };
        if (bytes.size() < 4 || word_at(0) > bytes.size() - 4 || word_at(0) % 4 != 0)
            fields.fail("\"precompiled_charsmap\" is cut off: it has " +
                        std::to_string(bytes.size()) + " bytes");
        const std::size_t size = word_at(0);
        for (std::size_t at = 0; at < size; at += 4) units_.push_back(word_at(4 + at));
        texts_ = bytes.substr(4 + size);
        if (first_invalid_byte(texts_) != std::string::npos)
            fields.fail("the texts of \"precompiled_charsmap\" are not UTF-8");
        texts_ += '\0';
    }

    void apply(NormalText& text) const override {
        std::string made;
        made.reserve(text.text.size());
        for (std::size_t at = 0; at < text.text.size();) {
            const std::size_t length = grapheme_length(text.text, at);
            const std::string_view grapheme = std::string_view(text.text).substr(at, length);
            at += length;
            if (length < longest_grapheme) {
                if (const auto other = find(grapheme)) {
                    add(*other, made, text);
                    continue;
                }
            }
            for (std::size_t i = 0; i < length;) {
                const std::string_view one = grapheme.substr(i, character_at(grapheme, i).length);
                i += one.size();
                const auto other = find(one);
                add(other ? *other : one, made, text);
            }
        }
        text.text = std::move(made);
    }

private:
    static constexpr std::size_t longest_grapheme = 6;  // bytes; longer ones go by characters

    static void add(std::string_view part, std::string& made, NormalText& text) {
        text.lost_front |= part.empty() && made.empty();
        made += part;
    }
    /// What the shortest beginning of `key` that is in the table becomes.
    std::optional<std::string_view> find(std::string_view key) const {
        std::size_t node = 0;
        if (units_.empty()) return std::nullopt;
        node ^= offset(units_[0]);
        for (const char c : key) {
            const auto byte = static_cast<unsigned char>(c);
            node ^= byte;
            if (byte == 0 || node >= units_.size()) return std::nullopt;
            const std::uint32_t unit = units_[node];
            if ((unit & 0x800000FF) != byte) return std::nullopt;
            node ^= offset(unit);
            if ((unit >> 8 & 1) == 0) continue;
            if (node >= units_.size()) return std::nullopt;
            const std::size_t text = units_[node] & 0x7FFFFFFF;
            if (text >= texts_.size()) return std::nullopt;
            return std::string_view(texts_.c_str() + text);
        }
        return std::nullopt;
    }
    static std::size_t offset(std::uint32_t unit) {
        return static_cast<std::size_t>(unit >> 10) << ((unit & 1u << 9) >> 6);
    }

    std::vector<std::uint32_t> units_;
    std::string texts_;  // each ends in a zero
};

}  // namespace

NormalizerPtr charsmap_normalizer(JsonFields& fields) { return std::make_unique<Charsmap>(fields); }

}  // namespace lapidary::tokens
