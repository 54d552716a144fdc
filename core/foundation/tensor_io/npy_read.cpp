// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include <lapidary/base/error.h>
#include <lapidary/tensor/tensor_file.h>

#include "base/memory/available_memory.h"
#include "base/files/mapped_file.h"
#include "tensor_io/npy_read.h"

namespace lapidary {
namespace {

/// Walks the elements of an array stored in Fortran order and gives each its row-major position.
class FortranWalk {
public:
    explicit FortranWalk(const Shape& shape)
        : shape_(shape), index_(shape.size(), 0), stride_(shape.size(), 1) {
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
        fail_input("a unicode array holds the value " + std::to_string(c) +
                   ", which is no character");
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
    if (header.text == NpyHeader::Text::bytes)
        return std::string(bytes.substr(0, bytes.find_last_not_of('\0') + 1));
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

namespace {

constexpr std::size_t piece_bytes = 1u << 20;  // read between two looks at the cancel flag

/// Checks the available memory before a large allocation; for small ones the check would take
/// longer than filling them.
void require_memory(const NpyHeader& header, std::uint64_t bytes) {
    constexpr std::uint64_t worth_asking = std::uint64_t{64} << 20;
    if (bytes < worth_asking) return;
    if (const std::uint64_t left = available_memory(); bytes > left)
        fail_limit("an array of shape " + to_string(header.shape) + " takes " +
                   std::to_string(bytes) + " bytes, the memory available is " +
                   std::to_string(left));
}

/// Elements that lie in the tensor as they do in the file.
void read_in_place(char* target, std::size_t bytes, const NextBytes& next,
                   const CancelToken& cancel) {
    for (std::size_t at = 0; at < bytes; at += std::min(piece_bytes, bytes - at)) {
        cancel.throw_if_cancelled();
        next({reinterpret_cast<std::byte*>(target) + at, std::min(piece_bytes, bytes - at)});
    }
}

/// take(bytes of an element) for one after the other.
template <typename Take>
void each_element(std::size_t count, std::size_t width, const NextBytes& next,
                  const CancelToken& cancel, Take&& take) {
    const std::size_t at_once = std::clamp<std::size_t>(piece_bytes / width, 1, count);
    std::vector<std::byte> piece(at_once * width);
    for (std::size_t first = 0; first < count; first += std::min(at_once, count - first)) {
        const std::size_t elements = std::min(at_once, count - first);
        cancel.throw_if_cancelled();
        next(std::span(piece).first(elements * width));
        for (std::size_t i = 0; i < elements; ++i)
            take(reinterpret_cast<const char*>(piece.data()) + i * width);
    }
}

}  // namespace

Tensor read_npy_elements(const NpyHeader& header, const NextBytes& next,
                         const CancelToken& cancel) {
    const auto count = static_cast<std::size_t>(element_count(header.shape));
    const std::size_t width = header.item_bytes;
    const bool is_text = header.dtype == DType::string;
    require_memory(header, storage_bytes(header.dtype, static_cast<std::int64_t>(count)) +
                               (is_text ? count * width : 0));
    Tensor tensor(header.dtype, header.shape);
    if (count == 0) return tensor;
    FortranWalk walk(header.shape);
    if (is_text) {
        auto out = tensor.mutable_data<std::string>();
        std::size_t i = 0;
        each_element(count, width, next, cancel, [&](const char* element) {
            out[header.fortran_order ? walk.position() : i++] = read_string(element, header);
            walk.next();
        });
        return tensor;
    }
    char* target = static_cast<char*>(tensor.mutable_raw());
    if (header.fortran_order && header.shape.size() > 1)
        each_element(count, width, next, cancel, [&](const char* element) {
            std::memcpy(target + walk.position() * width, element, width);
            walk.next();
        });
    else read_in_place(target, count * width, next, cancel);
    const bool is_complex = header.dtype == DType::complex64 || header.dtype == DType::complex128;
    if (header.swap_bytes)
        swap_each(target, is_complex ? 2 * count : count, is_complex ? width / 2 : width);
    // any other byte than 0 and 1 would be undefined as a C++ bool
    if (header.dtype == DType::boolean)
        for (std::size_t i = 0; i < count; ++i) target[i] = target[i] != 0;
    return tensor;
}

namespace {

Tensor tensor_of(const NpyHeader& header, std::span<const std::byte> bytes,
                 const CancelToken& cancel) {
    std::size_t at = header.data_offset;
    const auto next = [&](std::span<std::byte> to) {
        std::memcpy(to.data(), bytes.data() + at, to.size());
        at += to.size();
    };
    return read_npy_elements(header, next, cancel);
}

}  // namespace

Tensor parse_npy(std::span<const std::byte> bytes, const Limits& limits) {
    return tensor_of(parse_npy_header(bytes, bytes.size(), limits), bytes, {});
}

Tensor load_npy(const std::filesystem::path& path, const ArrayReading& reading) {
    try {
        const auto file = MappedFile::open(path);
        const NpyHeader header =
            parse_npy_header(file->bytes(), file->bytes().size(), reading.limits);
        if (reading.wants && !reading.wants({{}, header.dtype, header.shape})) return {};
        return tensor_of(header, file->bytes(), reading.cancel);
    } catch (Error& error) {
        if (error.code() != ErrorCode::io_failure) error.at(path.string());
        throw;
    }
}

Tensor load_npy(const std::filesystem::path& path, const Limits& limits) {
    return load_npy(path, ArrayReading{limits, {}, {}});
}

Tensor map_npy(const std::filesystem::path& path, const Limits& limits) {
    try {
        const auto file = MappedFile::open(path);
        const NpyHeader header = parse_npy_header(file->bytes(), file->bytes().size(), limits);
        const bool has_other_elements = header.swap_bytes || header.dtype == DType::string ||
                                        header.dtype == DType::boolean ||
                                        (header.fortran_order && header.shape.size() > 1);
        if (!file->is_mapped() || has_other_elements) return tensor_of(header, file->bytes(), {});
        return Tensor::borrow_unaligned(header.dtype, header.shape,
                                        file->bytes().data() + header.data_offset, file);
    } catch (Error& error) {
        if (error.code() != ErrorCode::io_failure) error.at(path.string());
        throw;
    }
}

}  // namespace lapidary
