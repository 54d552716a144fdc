// SPDX-License-Identifier: Apache-2.0
#include <tokenizer/byte_characters.h>

#include <array>
#include <cstdint>

#include <tokenizer/utf8.h>

namespace lapidary::tokens {
namespace {

constexpr std::size_t byte_codes = 0x100 + 68;  // 68 bytes have characters above 0xFF

struct ByteTables {
    std::array<char32_t, 256> characters{};
    std::array<int, byte_codes> bytes{};  // -1: of none
};

ByteTables make_byte_tables() {
    ByteTables tables;
    tables.bytes.fill(-1);
    char32_t next = 0x100;
    for (unsigned byte = 0; byte < 256; ++byte) {
        const bool can_be_printed =
            (byte >= 0x21 && byte <= 0x7E) || (byte >= 0xA1 && byte <= 0xAC) || byte >= 0xAE;
        tables.characters[byte] = can_be_printed ? byte : next++;
        tables.bytes[tables.characters[byte]] = static_cast<int>(byte);
    }
    return tables;
}

const ByteTables& byte_tables() {
    static const ByteTables tables = make_byte_tables();
    return tables;
}

}  // namespace

void append_byte_characters(std::string_view bytes, std::string& text) {
    const ByteTables& tables = byte_tables();
    for (const char byte : bytes)
        append_character(text, tables.characters[static_cast<unsigned char>(byte)]);
}

std::optional<std::string> bytes_of_characters(std::string_view text) {
    const ByteTables& tables = byte_tables();
    std::string bytes;
    for (std::size_t at = 0; at < text.size();) {
        const Character one = character_at(text, at);
        if (one.code >= byte_codes || tables.bytes[one.code] < 0) return std::nullopt;
        bytes += static_cast<char>(tables.bytes[one.code]);
        at += one.length;
    }
    return bytes;
}

}  // namespace lapidary::tokens
