// SPDX-License-Identifier: Apache-2.0
// Narrow text is UTF-8 in the whole program. On Windows the C++ library makes wide names of files
// out of std::string by this facet, which asks the C library, and that knows no UTF-8 there: its
// conversions are defined here in place of the library's. Bytes that are no UTF-8 become U+FFFD.
// Other systems take names as the bytes that they are.
#ifdef _WIN32
#include <cwchar>
#include <locale>

namespace {

// from here on a character takes two words of UTF-16
constexpr unsigned first_beyond_one = 0x10000;
constexpr unsigned high = 0xD800, low = 0xDC00, end_of_halves = 0xE000;
constexpr unsigned replacement = 0xFFFD;
constexpr int most_bytes = 4;

/// Bytes of the character that begins there; 1 where none does.
int length_at(const char* from, const char* end) {
    const auto byte = [&](int i) { return static_cast<unsigned char>(from[i]); };
    const unsigned first = byte(0);
    const int length = first < 0xC2   ? 1
                       : first < 0xE0 ? 2
                       : first < 0xF0 ? 3
                       : first < 0xF5 ? 4
                                      : 1;
    if (length > end - from) return 1;
    for (int i = 1; i < length; ++i)
        if ((byte(i) & 0xC0) != 0x80) return 1;
    const unsigned second = length > 1 ? byte(1) : 0;
    const bool is_longer_than_needed =
        (first == 0xE0 && second < 0xA0) || (first == 0xF0 && second < 0x90);
    const bool is_half_a_pair = first == 0xED && second >= 0xA0,
               is_beyond_all = first == 0xF4 && second >= 0x90;
    return is_longer_than_needed || is_half_a_pair || is_beyond_all ? 1 : length;
}

unsigned character_at(const char* from, int length) {
    const unsigned first = static_cast<unsigned char>(from[0]);
    if (length == 1) return first < 0x80 ? first : replacement;
    unsigned value = first & (0xFFu >> (length + 1));
    for (int i = 1; i < length; ++i)
        value = (value << 6) | (static_cast<unsigned char>(from[i]) & 0x3Fu);
    return value;
}

/// Writes the bytes of a character and returns their number.
int encode(unsigned value, char* to) {
    if (value < 0x80) {
        to[0] = static_cast<char>(value);
        return 1;
    }
    const int length = value < 0x800 ? 2 : value < first_beyond_one ? 3 : 4;
    for (int i = length - 1; i > 0; --i, value >>= 6)
        to[i] = static_cast<char>(0x80 | (value & 0x3F));
    to[0] = static_cast<char>((0xF00u >> length) | value);
    return length;
}

}  // namespace

namespace std {

using WideText = codecvt<wchar_t, char, mbstate_t>;

codecvt_base::result WideText::do_in(state_type&, const char* from, const char* from_end,
                                     const char*& from_next, wchar_t* to, wchar_t* to_end,
                                     wchar_t*& to_next) const {
    result ended = ok;
    while (from < from_end) {
        const int length = length_at(from, from_end);
        const unsigned value = character_at(from, length);
        const int words = value < first_beyond_one ? 1 : 2;
        if (to_end - to < words) {
            ended = partial;
            break;
        }
        if (words == 2) *to++ = static_cast<wchar_t>(high + ((value - first_beyond_one) >> 10));
        *to++ = static_cast<wchar_t>(words == 1 ? value : low + (value & 0x3FF));
        from += length;
    }
    from_next = from;
    to_next = to;
    return ended;
}

codecvt_base::result WideText::do_out(state_type&, const wchar_t* from, const wchar_t* from_end,
                                      const wchar_t*& from_next, char* to, char* to_end,
                                      char*& to_next) const {
    result ended = ok;
    while (from < from_end) {
        unsigned value = *from;
        const bool is_pair = value >= high && value < low && from + 1 < from_end &&
                             from[1] >= low && from[1] < end_of_halves;
        if (is_pair) value = first_beyond_one + ((value - high) << 10) + (from[1] - low);
        char bytes[most_bytes];
        const int length = encode(value, bytes);
        if (to_end - to < length) {
            ended = partial;
            break;
        }
        for (int i = 0; i < length; ++i) *to++ = bytes[i];
        from += is_pair ? 2 : 1;
    }
    from_next = from;
    to_next = to;
    return ended;
}

/// How many bytes convert to at most `words` words.
int WideText::do_length(state_type&, const char* from, const char* from_end, size_t words) const {
    const char* at = from;
    while (at < from_end) {
        const int length = length_at(at, from_end);
        const size_t needed = character_at(at, length) < first_beyond_one ? 1 : 2;
        if (needed > words) break;
        words -= needed;
        at += length;
    }
    return static_cast<int>(at - from);
}

int WideText::do_encoding() const throw() { return 0; }  // characters differ in length

int WideText::do_max_length() const throw() { return most_bytes; }

}  // namespace std
#endif
