// SPDX-License-Identifier: Apache-2.0
// libFuzzer's mutations, and in turn with them our own, which know protobuf's fields and words of
// text.
#include <algorithm>

#include "fuzz/damage.h"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t most, unsigned seed);

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t most, unsigned seed) {
    if (seed % 2 == 0) return LLVMFuzzerMutate(data, size, most);
    const auto bytes = lapidary::fuzz::damaged(std::as_bytes(std::span(data, size)), seed);
    const std::size_t kept = std::min(bytes.size(), most);
    std::ranges::copy_n(reinterpret_cast<const std::uint8_t*>(bytes.data()),
                        static_cast<std::ptrdiff_t>(kept), data);
    return kept;
}
