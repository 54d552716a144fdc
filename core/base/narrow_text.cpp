// SPDX-License-Identifier: Apache-2.0
// The C++ library makes wide names of files out of narrow text, and narrow text out of them, by mbrtowc() and
// wcrtomb(). Windows's C library knows no UTF-8 in them. These are linked in their place: narrow text is UTF-8 in the
// whole program. Bytes that are none become U+DC80 to U+DCFF, which become these bytes again; so every name comes back
// as it was. Other systems take names as the bytes that they are.
#ifdef _WIN32
#include <cwchar>

namespace {

constexpr std::size_t refused = static_cast<std::size_t>(-1);
constexpr unsigned stray_byte = 0xDC00, first_beyond_one = 0x10000;

bool goes_on(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

/// Bytes of the character that begins there; 1 where none does.
std::size_t length_at(const char* text, std::size_t count) {
    const auto first = static_cast<unsigned char>(text[0]);
    const std::size_t length = first < 0xC2 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF5 ? 4 : 1;
    if (length > count) return 1;
    for (std::size_t i = 1; i < length; ++i)
        if (!goes_on(text[i])) return 1;
    const auto second = length > 1 ? static_cast<unsigned char>(text[1]) : 0u;
    const bool is_longer_than_needed = (first == 0xE0 && second < 0xA0) || (first == 0xF0 && second < 0x90);
    const bool is_half_a_pair = first == 0xED && second >= 0xA0, is_beyond_all = first == 0xF4 && second >= 0x90;
    return is_longer_than_needed || is_half_a_pair || is_beyond_all ? 1 : length;
}

}  // namespace

extern "C" {

/// ISO C. A character of four bytes comes in two halves: after three bytes and after the last, which `state` awaits.
std::size_t mbrtowc(wchar_t* to, const char* from, std::size_t count, std::mbstate_t* state) {
    if (from == nullptr) return 0;
    if (count == 0) return static_cast<std::size_t>(-2);
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(from[i]); };
    unsigned value = 0;
    std::size_t length = 1;
    if (state != nullptr && *state != 0) {
        value = 0xDC00 + (((static_cast<unsigned>(*state) << 6) | (byte(0) & 0x3Fu)) & 0x3FF);
        *state = 0;
    } else {
        length = length_at(from, count);
        if (length == 1) value = byte(0) < 0x80 ? byte(0) : stray_byte + byte(0);
        else value = byte(0) & (0xFFu >> (length + 1));
        for (std::size_t i = 1; i < length && i < 3; ++i) value = (value << 6) | (byte(i) & 0x3Fu);
        if (length == 4) {
            if (state == nullptr) return refused;
            *state = static_cast<std::mbstate_t>(value);
            value = 0xD800 + (((value << 6) - first_beyond_one) >> 10);
            length = 3;
        }
    }
    if (to != nullptr) *to = static_cast<wchar_t>(value);
    return value == 0 ? 0 : length;
}

/// ISO C. The first half of a pair gives no byte; `state` holds it until the second comes.
std::size_t wcrtomb(char* to, wchar_t from, std::mbstate_t* state) {
    if (to == nullptr) return 1;
    unsigned value = from;
    if (state != nullptr && *state != 0 && value >= 0xDC00 && value < 0xE000) {
        value = first_beyond_one + ((static_cast<unsigned>(*state) - 0xD800) << 10) + (value - 0xDC00);
        *state = 0;
    } else if (state != nullptr && value >= 0xD800 && value < 0xDC00 && *state == 0) {
        *state = static_cast<std::mbstate_t>(value);
        return 0;
    } else if (value >= stray_byte + 0x80 && value <= stray_byte + 0xFF) {
        to[0] = static_cast<char>(value - stray_byte);
        return 1;
    }
    if (state != nullptr && *state != 0) return refused;  // half a pair
    if (value < 0x80) {
        to[0] = static_cast<char>(value);
        return 1;
    }
    const std::size_t length = value < 0x800 ? 2 : value < first_beyond_one ? 3 : 4;
    for (std::size_t i = length; i-- > 1; value >>= 6) to[i] = static_cast<char>(0x80 | (value & 0x3F));
    to[0] = static_cast<char>((0xF00u >> length) | value);
    return length;
}

}  // extern "C"
#endif
