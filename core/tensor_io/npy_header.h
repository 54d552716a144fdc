// SPDX-License-Identifier: Apache-2.0
// The header of a NumPy .npy file (numpy.lib.format, versions 1.0 to 3.0).
#pragma once

#include <cstddef>
#include <span>

#include <lapidary/limits.h>
#include <lapidary/tensor.h>

namespace lapidary {

struct NpyHeader {
    enum class Text { none, bytes, unicode };  // numpy 'S' and 'U'

    DType dtype = DType::undefined;
    Text text = Text::none;
    std::size_t item_bytes = 0;      // of one element in the file
    bool swap_bytes = false;         // stored in the other byte order
    bool fortran_order = false;
    Shape shape;
    std::size_t data_offset = 0;     // where the elements start
};

/// Reads magic, version and the header's dictionary, and checks that exactly the elements it announces
/// follow. Nothing is allocated that grows with the announced sizes. Throws invalid_input, not_supported
/// (object and structured arrays, types ONNX lacks) or limit_exceeded.
NpyHeader parse_npy_header(std::span<const std::byte> bytes, const Limits& limits);

}  // namespace lapidary
