// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>

#include "mutate/mutation.h"

namespace lapidary::mutate {
namespace {

// bytes of an offset or length; fields of tables have offsets of two
constexpr std::size_t word = 4;
constexpr std::uint64_t most_places = 3;

/// A value that is another in meaning as an offset, a length, a count or a number.
std::uint32_t odd_value(std::uint32_t old, std::size_t size, Random& random) {
    switch (random() % 8) {
    case 0: return 0;
    case 1: return old + 4;
    case 2: return old - 4;
    case 3: return 0xffffffffu - static_cast<std::uint32_t>(random() % 8);
    case 4: return 0x7fffffffu + static_cast<std::uint32_t>(random() % 4);
    case 5: return static_cast<std::uint32_t>(random() % size);
    case 6: return old ^ (1u << random() % 32);
    default: return static_cast<std::uint32_t>(random() % 64);
    }
}

}  // namespace

std::string mutate_words(std::vector<std::byte>& file, Random& random) {
    constexpr std::size_t head = 8;  // the root's offset and the identifier
    if (file.size() < head + word) return "nothing: the file is too small";
    std::string did;
    for (std::uint64_t places = 1 + random() % most_places; places > 0; --places) {
        const std::size_t at = head + random() % ((file.size() - head) / 2) * 2;
        if (file.size() - at < word) continue;
        std::uint32_t value = 0;
        std::memcpy(&value, file.data() + at, word);
        const std::uint32_t changed = odd_value(value, file.size(), random);
        std::memcpy(file.data() + at, &changed, word);
        did += (did.empty() ? "" : ", ") + ("word at " + std::to_string(at)) + ": " +
               std::to_string(value) + " -> " + std::to_string(changed);
    }
    if (random() % 8 == 0) {
        file.resize(head + random() % (file.size() - head));
        did += ", cut to " + std::to_string(file.size());
    }
    return did;
}

}  // namespace lapidary::mutate
