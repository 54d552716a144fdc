// SPDX-License-Identifier: Apache-2.0
#include "exec/device/shared_constants.h"

#include <cstring>

namespace lapidary {
namespace {

/// Both halves of the product, folded.
std::uint64_t folded_product(std::uint64_t a, std::uint64_t b) {
    __extension__ using Wide = unsigned __int128;
    const Wide product = static_cast<Wide>(a) * b;
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

constexpr std::uint64_t odd[] = {0x9e3779b97f4a7c15ull, 0xd1b54a32d192ed03ull,
                                 0xa0761d6478bd642full, 0xe7037ed1a0b428dbull};

}  // namespace

ContentKey content_key(const void* data, std::uint64_t bytes) {
    ContentKey key{bytes, bytes * odd[0] + 1, ~bytes * odd[1]};
    const auto mix = [&](std::uint64_t low, std::uint64_t high) {
        key.first = folded_product(key.first ^ low ^ odd[0], high ^ odd[1]) + low;
        key.second = folded_product(key.second ^ high ^ odd[2], low ^ odd[3]) + high;
    };
    const auto* const from = static_cast<const unsigned char*>(data);
    std::uint64_t words[2], at = 0;
    for (; at + 16 <= bytes; at += 16) {
        std::memcpy(words, from + at, 16);
        mix(words[0], words[1]);
    }
    words[0] = words[1] = 0;
    if (at < bytes) std::memcpy(words, from + at, bytes - at);
    mix(words[0], words[1]);
    return key;
}

std::shared_ptr<DeviceBlock> SharedConstants::find(const ContentKey& key) const {
    const auto found = blocks_.find(key);
    return found == blocks_.end() ? nullptr : found->second.lock();
}

void SharedConstants::add(const ContentKey& key, const std::shared_ptr<DeviceBlock>& block) {
    std::erase_if(blocks_, [](const auto& held) { return held.second.expired(); });
    blocks_[key] = block;
}

SharedConstants& shared_constants(const DeviceProvider& provider) {
    static std::mutex mutex;
    static std::map<const DeviceProvider*, SharedConstants> by_provider;
    const std::lock_guard lock(mutex);
    return by_provider[&provider];
}

}  // namespace lapidary
