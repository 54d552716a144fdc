// SPDX-License-Identifier: Apache-2.0
// Decides on the host which memory can be read in pieces of 16 bytes.
#pragma once

#include <cstdint>
#include <initializer_list>

namespace lapidary::cuda {

inline constexpr int piece_bytes = 16;

/// Elements in a piece, for types that kernels by pieces support; 0 for others.
inline int elements_in_piece(std::int32_t type) {
    return type == 1 ? piece_bytes / 4 : type == 10 || type == 16 ? piece_bytes / 2 : 0;
}

/// Whether all addresses are aligned to a piece. Null counts as aligned.
inline bool begin_pieces(std::initializer_list<const void*> places) {
    for (const void* p : places)
        if (reinterpret_cast<std::uintptr_t>(p) % piece_bytes != 0) return false;
    return true;
}

}  // namespace lapidary::cuda
