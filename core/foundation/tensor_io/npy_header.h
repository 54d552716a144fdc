// SPDX-License-Identifier: Apache-2.0
// The header of a NumPy .npy file (numpy.lib.format, versions 1.0 to 3.0).
#pragma once

#include <cstddef>
#include <span>

#include <lapidary/base/limits.h>
#include <lapidary/tensor/tensor.h>

namespace lapidary {

struct NpyHeader {
    enum class Text { none, bytes, unicode };  // numpy 'S' and 'U'

    DType dtype = DType::undefined;
    Text text = Text::none;
    std::size_t item_bytes = 0;  // of one element in the file
    bool swap_bytes = false;     // stored in the other byte order
    bool fortran_order = false;
    Shape shape;
    std::size_t data_offset = 0;  // where the elements start
};

/// How many bytes at the start of a file hold its header, as far as the given bytes show; at least
/// the twelve that state it. The file has `file_bytes`, of which `bytes` are the first.
std::uint64_t npy_header_bytes(std::span<const std::byte> bytes, std::uint64_t file_bytes);

/// Reads magic, version and the header's dictionary, and checks that exactly the elements it
/// announces follow in a file of `file_bytes`, of which `bytes` are the first, with the whole
/// header among them. Nothing is allocated that grows with the announced sizes. Throws
/// invalid_input, not_supported (object and structured arrays, types ONNX lacks) or limit_exceeded:
/// the array, with the characters of its strings, passes limits.tensor_bytes.
NpyHeader parse_npy_header(std::span<const std::byte> bytes, std::uint64_t file_bytes,
                           const Limits& limits);

}  // namespace lapidary
