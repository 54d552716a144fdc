// SPDX-License-Identifier: Apache-2.0
// Constants in device memory. Sessions of a process that need the same bytes share one block, which
// is freed with the last of them.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>

#include "exec/provider.h"

namespace lapidary {

/// Identifies contents by their size and a 128-bit hash. Equal contents have equal keys. Different
/// contents have different keys but for a negligible chance; an attacker may construct collisions.
struct ContentKey {
    std::uint64_t bytes = 0, first = 0, second = 0;
    friend auto operator<=>(const ContentKey&, const ContentKey&) = default;
};
ContentKey content_key(const void* data, std::uint64_t bytes);

/// The constants of one provider.
class SharedConstants {
public:
    /// Hold it from the first find() until the added blocks are uploaded.
    std::mutex& mutex() { return mutex_; }
    /// Null if no session has it.
    std::shared_ptr<DeviceBlock> find(const ContentKey& key) const;
    void add(const ContentKey& key, const std::shared_ptr<DeviceBlock>& block);

private:
    std::mutex mutex_;
    std::map<ContentKey, std::weak_ptr<DeviceBlock>> blocks_;
};

/// Lives until the process ends. Its blocks do not outlive their provider.
SharedConstants& shared_constants(const DeviceProvider& provider);

}  // namespace lapidary
