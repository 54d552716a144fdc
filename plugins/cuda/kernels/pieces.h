// SPDX-License-Identifier: Apache-2.0
// What of memory may be read in pieces of 16 bytes, decided by the host.
#pragma once

#include <cstdint>
#include <initializer_list>

namespace lapidary::cuda {

inline constexpr int piece_bytes = 16;

/// Elements in a piece of a type that kernels by pieces are made for; 0: none is.
inline int elements_in_piece(std::int32_t type) {
    return type == 1 ? piece_bytes / 4 : type == 10 || type == 16 ? piece_bytes / 2 : 0;
}

/// Whether all of them may begin a piece. Null may.
inline bool begin_pieces(std::initializer_list<const void*> places) {
    for (const void* p : places)
        if (reinterpret_cast<std::uintptr_t>(p) % piece_bytes != 0) return false;
    return true;
}

}  // namespace lapidary::cuda
