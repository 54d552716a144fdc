// SPDX-License-Identifier: Apache-2.0
#include <bit>
#include <cstring>
#include <string>
#include <vector>

#include <lapidary/base/error.h>
#include <lapidary/tensor/tensor_file.h>

#include "base/files/atomic_file.h"

namespace lapidary {
namespace {

/// Code points of valid UTF-8; false when the text is not UTF-8 or ends in a zero that numpy would
/// drop.
bool decode_utf8(const std::string& text, std::vector<std::uint32_t>& out) {
    out.clear();
    for (std::size_t i = 0; i < text.size();) {
        const auto lead = static_cast<unsigned char>(text[i]);
        const int length = lead < 0x80       ? 1
                           : lead >> 5 == 6  ? 2
                           : lead >> 4 == 14 ? 3
                           : lead >> 3 == 30 ? 4
                                             : 0;
        if (length == 0 || i + static_cast<std::size_t>(length) > text.size()) return false;
        std::uint32_t c = length == 1 ? lead : lead & (0x7f >> length);
        for (int k = 1; k < length; ++k) {
            const auto next = static_cast<unsigned char>(text[i + static_cast<std::size_t>(k)]);
            if (next >> 6 != 2) return false;
            c = c << 6 | (next & 0x3f);
        }
        constexpr std::uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
        if (c < smallest[length] || c > 0x10ffff || (c >= 0xd800 && c < 0xe000)) return false;
        out.push_back(c);
        i += static_cast<std::size_t>(length);
    }
    return out.empty() || out.back() != 0;
}

std::string with_header(const std::string& descr, const Shape& shape, std::size_t payload) {
    std::string dictionary = "{'descr': '" + descr + "', 'fortran_order': False, 'shape': (";
    for (const std::int64_t dim : shape) dictionary += std::to_string(dim) + ", ";
    if (shape.size() > 1) dictionary.resize(dictionary.size() - 2);
    else if (shape.size() == 1) dictionary.resize(dictionary.size() - 1);
    dictionary += "), }";
    // elements start at a multiple of 64
    dictionary.append(63 - (dictionary.size() + 10) % 64, ' ');
    dictionary += '\n';
    std::string file("\x93NUMPY\x01\x00", 8);
    file += static_cast<char>(dictionary.size() & 0xff);
    file += static_cast<char>(dictionary.size() >> 8);
    file.reserve(file.size() + dictionary.size() + payload);
    return file + dictionary;
}

std::string format_strings(const Tensor& tensor) {
    const auto strings = tensor.data<std::string>();
    std::vector<std::uint32_t> characters;
    std::size_t longest = 1, longest_bytes = 1;
    bool is_unicode = true;
    for (const std::string& s : strings) {
        is_unicode = is_unicode && decode_utf8(s, characters);
        longest = std::max(longest, characters.size());
        longest_bytes = std::max(longest_bytes, s.size());
        if (!s.empty() && s.back() == '\0')
            fail_unsupported("a string that ends in a zero byte cannot be stored in a .npy file");
    }
    const std::size_t width = is_unicode ? 4 * longest : longest_bytes;
    if (strings.size() > (std::size_t(1) << 36) / width)
        fail_limit("the strings would take more than 64 GiB in a .npy file");
    std::string file = with_header(
        is_unicode ? "<U" + std::to_string(longest) : "|S" + std::to_string(longest_bytes),
        tensor.shape(), width * strings.size());
    for (const std::string& s : strings) {
        const std::size_t start = file.size();
        if (is_unicode) {
            decode_utf8(s, characters);
            for (const std::uint32_t c : characters)
                for (int shift = 0; shift < 32; shift += 8)
                    file += static_cast<char>(c >> shift & 0xff);
        } else {
            file += s;
        }
        file.resize(start + width, '\0');
    }
    return file;
}

const char* descr_of(DType dtype) {
    switch (dtype) {
    case DType::boolean: return "|b1";
    case DType::i8: return "|i1";
    case DType::u8: return "|u1";
    case DType::i16: return "<i2";
    case DType::u16: return "<u2";
    case DType::i32: return "<i4";
    case DType::u32: return "<u4";
    case DType::i64: return "<i8";
    case DType::u64: return "<u8";
    case DType::f16: return "<f2";
    case DType::f32: return "<f4";
    case DType::f64: return "<f8";
    case DType::complex64: return "<c8";
    case DType::complex128: return "<c16";
    default: return nullptr;
    }
}

}  // namespace

Tensor widen_for_numpy(const Tensor& tensor) {
    if (tensor.dtype() == DType::string || descr_of(tensor.dtype())) return tensor;
    const std::vector<double> values = to_doubles(tensor);
    const auto fill = [&]<typename T>(T) {
        Tensor wide(dtype_of<T>, tensor.shape());
        auto out = wide.mutable_data<T>();
        for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<T>(values[i]);
        return wide;
    };
    if (is_integer(tensor.dtype()))
        return is_signed_integer(tensor.dtype()) ? fill(std::int8_t{}) : fill(std::uint8_t{});
    return fill(float{});
}

std::string format_npy(const Tensor& original) {
    static_assert(std::endian::native == std::endian::little,
                  "elements are written as they lie in memory");
    if (!original) fail_input("an absent tensor cannot be stored in a .npy file");
    const Tensor tensor = widen_for_numpy(original);
    if (tensor.dtype() == DType::string) return format_strings(tensor);
    std::string file = with_header(descr_of(tensor.dtype()), tensor.shape(), tensor.byte_size());
    if (tensor.byte_size() > 0)
        file.append(reinterpret_cast<const char*>(tensor.bytes().data()), tensor.byte_size());
    return file;
}

void save_npy(const std::filesystem::path& path, const Tensor& tensor) {
    AtomicFile file(path);
    file.write(format_npy(tensor));
    file.commit();
}

}  // namespace lapidary
