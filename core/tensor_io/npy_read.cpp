// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>

#include <lapidary/error.h>
#include <lapidary/tensor_file.h>

#include "base/mapped_file.h"
#include "tensor_io/npy_header.h"

namespace lapidary {
namespace {

/// Walks the elements of an array stored in Fortran order and gives each its row-major position.
class FortranWalk {
public:
    explicit FortranWalk(const Shape& shape) : shape_(shape), index_(shape.size(), 0), stride_(shape.size(), 1) {
        for (std::size_t i = shape.size(); i-- > 1;) stride_[i - 1] = stride_[i] * shape[i];
    }
    std::size_t position() const { return static_cast<std::size_t>(position_); }
    void next() {
        for (std::size_t axis = 0; axis < shape_.size(); ++axis) {
            position_ += stride_[axis];
            if (++index_[axis] < shape_[axis]) return;
            position_ -= stride_[axis] * shape_[axis];
            index_[axis] = 0;
        }
    }

private:
    const Shape& shape_;
    Shape index_, stride_;
    std::int64_t position_ = 0;
};

void append_utf8(std::string& out, std::uint32_t c) {
    if (c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
        fail_input("a unicode array holds the value " + std::to_string(c) + ", which is no character");
    if (c < 0x80) {
        out += static_cast<char>(c);
    } else if (c < 0x800) {
        out += {static_cast<char>(0xc0 | c >> 6), static_cast<char>(0x80 | (c & 0x3f))};
    } else if (c < 0x10000) {
        out += {static_cast<char>(0xe0 | c >> 12), static_cast<char>(0x80 | (c >> 6 & 0x3f)),
                static_cast<char>(0x80 | (c & 0x3f))};
    } else {
        out += {static_cast<char>(0xf0 | c >> 18), static_cast<char>(0x80 | (c >> 12 & 0x3f)),
                static_cast<char>(0x80 | (c >> 6 & 0x3f)), static_cast<char>(0x80 | (c & 0x3f))};
    }
}

std::string read_string(const char* data, const NpyHeader& header) {
    std::string_view bytes(data, header.item_bytes);  // numpy pads with zeros at the end
    if (header.text == NpyHeader::Text::bytes) return std::string(bytes.substr(0, bytes.find_last_not_of('\0') + 1));
    std::size_t length = bytes.size() / 4;
    const auto character = [&](std::size_t i) {
        std::uint32_t c;
        std::memcpy(&c, data + 4 * i, 4);
        return header.swap_bytes ? __builtin_bswap32(c) : c;
    };
    while (length > 0 && character(length - 1) == 0) --length;
    std::string text;
    for (std::size_t i = 0; i < length; ++i) append_utf8(text, character(i));
    return text;
}

void swap_each(char* data, std::size_t count, std::size_t width) {
    for (std::size_t i = 0; i < count; ++i, data += width) std::reverse(data, data + width);
}

}  // namespace

Tensor parse_npy(std::span<const std::byte> bytes, const Limits& limits) {
    const NpyHeader header = parse_npy_header(bytes, limits);
    Tensor tensor(header.dtype, header.shape);
    const char* source = reinterpret_cast<const char*>(bytes.data()) + header.data_offset;
    const std::size_t count = static_cast<std::size_t>(tensor.size());
    if (count == 0) return tensor;
    FortranWalk walk(header.shape);
    if (header.dtype == DType::string) {
        auto out = tensor.mutable_data<std::string>();
        for (std::size_t i = 0; i < count; ++i, walk.next())
            out[header.fortran_order ? walk.position() : i] = read_string(source + i * header.item_bytes, header);
        return tensor;
    }
    const std::size_t width = header.item_bytes;
    char* target = static_cast<char*>(tensor.mutable_raw());
    if (header.fortran_order && header.shape.size() > 1) {
        for (std::size_t i = 0; i < count; ++i, walk.next())
            std::memcpy(target + walk.position() * width, source + i * width, width);
    } else {
        std::memcpy(target, source, count * width);
    }
    const bool is_complex = header.dtype == DType::complex64 || header.dtype == DType::complex128;
    if (header.swap_bytes) swap_each(target, is_complex ? 2 * count : count, is_complex ? width / 2 : width);
    if (header.dtype == DType::boolean)  // any other byte than 0 and 1 would be undefined as a C++ bool
        for (std::size_t i = 0; i < count; ++i) target[i] = target[i] != 0;
    return tensor;
}

Tensor load_npy(const std::filesystem::path& path, const Limits& limits) {
    try {
        return parse_npy(MappedFile::open(path)->bytes(), limits);
    } catch (Error& error) {
        if (error.code() != ErrorCode::io_failure) error.at(path.string());
        throw;
    }
}

}  // namespace lapidary
