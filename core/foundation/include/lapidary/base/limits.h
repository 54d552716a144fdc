// SPDX-License-Identifier: Apache-2.0
// Every bound on what a file may ask for, in one place. All are configurable; all are tested at the
// limit and one past it.
#pragma once

#include <cstddef>
#include <cstdint>

namespace lapidary {

/// What goes beyond is refused with Error{limit_exceeded} naming both numbers.
struct Limits {
    /// subgraphs inside subgraphs, and function call depth
    int nesting = 32;
    std::size_t nodes = 5'000'000;          // nodes of a model, subgraphs counted
    std::size_t inlined_nodes = 1'000'000;  // nodes after all functions are expanded
    /// dimensions of a tensor or declared shape in a file
    int load_rank = 64;
    int run_rank = 16;                        // dimensions of a tensor while running
    std::size_t name_bytes = 1u << 20;        // one name
    std::size_t list_elements = 10'000'000;   // elements of one attribute list
    std::uint64_t model_bytes = 64ull << 30;  // file plus external data
    /// memory that one session may hold for activations
    std::uint64_t run_bytes = 16ull << 30;
    std::uint64_t tensor_bytes = 8ull << 30;   // one tensor while running
    std::uint64_t fold_bytes = 64ull << 20;    // one constant-folded result
    std::uint64_t image_bytes = 128ull << 20;  // one decoded image
    std::uint64_t archive_bytes = 4ull << 30;  // unpacked size of one .npz
    std::uint64_t archive_ratio = 1000;        // unpacked : packed of one archive member
    std::uint64_t trace_events = 50'000'000;   // of one trace file
};

}  // namespace lapidary
