// SPDX-License-Identifier: Apache-2.0
#include "tensor_io/npy_header.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <lapidary/base/error.h>

#include "base/checked.h"

namespace lapidary {
namespace {

// numpy itself writes headers of a few hundred bytes; a longer one is an attack on the parser.
constexpr std::uint64_t max_header_bytes = 65535;

/// The subset of Python literals that a header consists of: one dictionary with string, boolean and
/// integer-tuple values. Not recursive.
class LiteralReader {
public:
    explicit LiteralReader(std::string_view text) : text_(text) {}

    void skip_space() {
        while (position_ < text_.size() &&
               std::string_view(" \t\r\n").find(text_[position_]) != std::string_view::npos)
            ++position_;
    }
    bool take(char c) {
        skip_space();
        if (position_ >= text_.size() || text_[position_] != c) return false;
        ++position_;
        return true;
    }
    void expect(char c) {
        if (!take(c)) malformed(std::string("expected \"") + c + '"');
    }
    bool at_end() {
        skip_space();
        return position_ == text_.size();
    }
    char peek() {
        skip_space();
        return position_ < text_.size() ? text_[position_] : '\0';
    }
    std::string string() {
        const char quote = peek();
        if (quote != '\'' && quote != '"') malformed("expected a quoted string");
        const std::size_t end = text_.find(quote, position_ + 1);
        if (end == std::string_view::npos) malformed("a string is not closed");
        std::string value(text_.substr(position_ + 1, end - position_ - 1));
        position_ = end + 1;
        return value;
    }
    bool boolean() {
        skip_space();
        for (const bool value : {true, false}) {
            const std::string_view word = value ? "True" : "False";
            if (text_.substr(position_, word.size()) == word) {
                position_ += word.size();
                return value;
            }
        }
        malformed("expected True or False");
    }
    std::int64_t integer() {
        skip_space();
        std::int64_t value = 0;
        const auto [end, status] =
            std::from_chars(text_.data() + position_, text_.data() + text_.size(), value);
        if (status == std::errc::result_out_of_range) malformed("a number does not fit 64 bits");
        if (status != std::errc()) malformed("expected a number");
        position_ = static_cast<std::size_t>(end - text_.data());
        if (position_ < text_.size() && text_[position_] == 'L') ++position_;  // Python 2 long
        return value;
    }
    [[noreturn]] void malformed(const std::string& what) const {
        fail_input("the .npy header is malformed at character " + std::to_string(position_) + ": " +
                   what);
    }

private:
    std::string_view text_;
    std::size_t position_ = 0;
};

Shape read_shape(LiteralReader& reader, const Limits& limits) {
    Shape shape;
    reader.expect('(');
    while (!reader.take(')')) {
        const std::int64_t dim = reader.integer();
        if (dim < 0)
            fail_input("the .npy header has the negative dimension " + std::to_string(dim));
        shape.push_back(dim);
        if (shape.size() > static_cast<std::size_t>(limits.load_rank))
            fail_limit("the .npy header has more than " + std::to_string(limits.load_rank) +
                       " dimensions");
        if (!reader.take(',') && reader.peek() != ')') reader.malformed("expected \",\" or \")\"");
    }
    return shape;
}

/// The mark in front of an element type: "<f4"; native where there is none.
char take_byte_order(std::string_view& text) {
    if (text.empty() || std::string_view("<>=|").find(text[0]) == std::string_view::npos)
        return '=';
    const char order = text[0];
    text.remove_prefix(1);
    return order;
}

/// The number behind the letter of an element type: "f4".
std::uint64_t item_size(std::string_view text, const std::string& descr) {
    std::uint64_t size = 0;
    const auto [end, status] = std::from_chars(text.data() + 1, text.data() + text.size(), size);
    if (status != std::errc() || end != text.data() + text.size() || size > (1u << 30))
        fail_input("the .npy header has the element type " + quote(descr) +
                   ", expected one like '<f4'");
    return size;
}

void set_element_type(NpyHeader& header, const std::string& descr) {
    std::string_view text = descr;
    const char order = take_byte_order(text);
    const char kind = text.empty() ? '\0' : text[0];
    if (kind == 'O') fail_unsupported("object arrays (pickled Python objects) are not supported");
    const std::uint64_t size = text.empty() ? 0 : item_size(text, descr);
    struct Kind {
        char kind;
        std::uint64_t size;
        DType dtype;
    };
    static constexpr Kind kinds[] = {{'b', 1, DType::boolean},
                                     {'i', 1, DType::i8},
                                     {'i', 2, DType::i16},
                                     {'i', 4, DType::i32},
                                     {'i', 8, DType::i64},
                                     {'u', 1, DType::u8},
                                     {'u', 2, DType::u16},
                                     {'u', 4, DType::u32},
                                     {'u', 8, DType::u64},
                                     {'f', 2, DType::f16},
                                     {'f', 4, DType::f32},
                                     {'f', 8, DType::f64},
                                     {'c', 8, DType::complex64},
                                     {'c', 16, DType::complex128},
                                     // what numpy writes for the bfloat16 of ml_dtypes
                                     {'V', 2, DType::bf16}};
    for (const Kind& k : kinds)
        if (k.kind == kind && k.size == size) header.dtype = k.dtype;
    header.item_bytes = size;
    if (kind == 'S' || kind == 'a') {
        header.dtype = DType::string;
        header.text = NpyHeader::Text::bytes;
    } else if (kind == 'U') {
        header.dtype = DType::string;
        header.text = NpyHeader::Text::unicode;
        header.item_bytes = 4 * size;
    }
    if (header.dtype == DType::undefined)
        fail_unsupported("arrays of the numpy element type " + quote(descr) + " are not supported");
    constexpr bool native_is_little = std::endian::native == std::endian::little;
    const bool is_little = order == '<' || (native_is_little && order != '>');
    header.swap_bytes = is_little != native_is_little && header.text != NpyHeader::Text::bytes &&
                        header.item_bytes > 1;
}

void check_payload(const NpyHeader& header, std::uint64_t found, const Limits& limits) {
    const std::string shape = to_string(header.shape);
    bool is_empty = false;
    for (const std::int64_t dim : header.shape) is_empty = is_empty || dim == 0;
    std::optional<std::int64_t> count = is_empty ? 0 : 1;
    for (const std::int64_t dim : header.shape)
        if (count && !is_empty) count = checked_multiply(*count, dim);
    if (!count) fail_limit("the element count of shape " + shape + " overflows");
    const auto memory =
        checked_multiply(*count, static_cast<std::int64_t>(bit_width(header.dtype) / 8));
    const auto wanted = checked_multiply(*count, static_cast<std::int64_t>(header.item_bytes));
    const bool is_text = header.dtype == DType::string;  // whose characters lie beside the elements
    if (!wanted || !memory ||
        static_cast<std::uint64_t>(*memory) + (is_text ? static_cast<std::uint64_t>(*wanted) : 0) >
            limits.tensor_bytes)
        fail_limit("an array of " + std::to_string(*count) + " elements of shape " + shape +
                   " is above the limit of " + std::to_string(limits.tensor_bytes) +
                   " bytes for one tensor");
    if (header.item_bytes == 0 && *count > 0)
        fail_input("the .npy header announces strings of width 0");
    if (static_cast<std::uint64_t>(*wanted) != found)
        fail_input("shape " + shape + " needs " + std::to_string(*wanted) +
                   " bytes of elements, found " + std::to_string(found));
}

/// Where the text of the header lies; fails unless it is all there.
struct HeaderPlace {
    std::size_t start;
    std::uint64_t length;
};

HeaderPlace place_of_header(std::span<const std::byte> bytes) {
    const auto byte = [&](std::size_t i) { return std::to_integer<std::uint32_t>(bytes[i]); };
    const std::string_view all(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    if (bytes.empty()) fail_input("the .npy file is empty");
    if (all.substr(0, 6) != "\x93NUMPY")
        fail_input("not a .npy file: it does not begin with \\x93NUMPY");
    if (bytes.size() < 10)
        fail_input("the .npy file ends inside its header, after " + std::to_string(bytes.size()) +
                   " bytes");
    const std::uint32_t version = byte(6);
    if (version < 1 || version > 3)
        fail_unsupported("the .npy format version is " + std::to_string(version) +
                         ", versions 1 to 3 are supported");
    const std::size_t start = version == 1 ? 10 : 12;
    if (bytes.size() < start)
        fail_input("the .npy file ends inside its header, after " + std::to_string(bytes.size()) +
                   " bytes");
    std::uint64_t length = byte(8) | byte(9) << 8;
    if (version > 1) length |= std::uint64_t(byte(10)) << 16 | std::uint64_t(byte(11)) << 24;
    if (length > max_header_bytes)
        fail_limit("the .npy header claims " + std::to_string(length) + " bytes, the limit is " +
                   std::to_string(max_header_bytes));
    if (length > bytes.size() - start)
        fail_input("the .npy header claims " + std::to_string(length) + " bytes, the file has " +
                   std::to_string(bytes.size() - start) + " left");
    return {start, length};
}

}  // namespace

std::uint64_t npy_header_bytes(std::span<const std::byte> bytes, std::uint64_t file_bytes) {
    constexpr std::size_t fixed_bytes = 12;
    if (bytes.size() < fixed_bytes) return std::min<std::uint64_t>(file_bytes, fixed_bytes);
    const auto byte = [&](std::size_t i) { return std::to_integer<std::uint64_t>(bytes[i]); };
    const std::uint64_t length =
        byte(8) | byte(9) << 8 | (byte(6) == 1 ? 0 : byte(10) << 16 | byte(11) << 24);
    return std::min(file_bytes, fixed_bytes + std::min(length, max_header_bytes));
}

NpyHeader parse_npy_header(std::span<const std::byte> bytes, std::uint64_t file_bytes,
                           const Limits& limits) {
    const std::string_view all(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    const auto [start, length] = place_of_header(bytes);
    NpyHeader header;
    header.data_offset = start + length;
    LiteralReader reader(all.substr(start, length));
    bool has_descr = false, has_order = false, has_shape = false;
    reader.expect('{');
    while (!reader.take('}')) {
        const std::string key = reader.string();
        reader.expect(':');
        if (key == "descr" && !has_descr) {
            if (reader.peek() == '[') fail_unsupported("structured arrays are not supported");
            set_element_type(header, reader.string());
            has_descr = true;
        } else if (key == "fortran_order" && !has_order) {
            header.fortran_order = reader.boolean();
            has_order = true;
        } else if (key == "shape" && !has_shape) {
            header.shape = read_shape(reader, limits);
            has_shape = true;
        } else {
            fail_input("the .npy header has the unexpected or repeated key " + quote(key));
        }
        if (!reader.take(',') && reader.peek() != '}') reader.malformed("expected \",\" or \"}\"");
    }
    if (!reader.at_end()) reader.malformed("unexpected text after the dictionary");
    if (!has_descr || !has_order || !has_shape)
        fail_input("the .npy header lacks one of the keys descr, fortran_order and shape");
    check_payload(header, file_bytes - header.data_offset, limits);
    return header;
}

}  // namespace lapidary
