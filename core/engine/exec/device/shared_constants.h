// SPDX-License-Identifier: Apache-2.0
// Constants in the memory of devices: sessions of a process that hold the same bytes there share
// one block, which goes with the last of them.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>

#include "exec/provider.h"

namespace lapidary {

/// What bytes are, by their number and 128 bits of a hash of them: equal bytes have equal keys,
/// others do not but by a chance that nobody will see. No proof against somebody who looks for two
/// that collide.
struct ContentKey {
    std::uint64_t bytes = 0, first = 0, second = 0;
    friend auto operator<=>(const ContentKey&, const ContentKey&) = default;
};
ContentKey content_key(const void* data, std::uint64_t bytes);

/// Those of one provider.
class SharedConstants {
public:
    /// Hold it from the first find() until what was added is uploaded.
    std::mutex& mutex() { return mutex_; }
    /// Null where no session has it.
    std::shared_ptr<DeviceBlock> find(const ContentKey& key) const;
    void add(const ContentKey& key, const std::shared_ptr<DeviceBlock>& block);

private:
    std::mutex mutex_;
    std::map<ContentKey, std::weak_ptr<DeviceBlock>> blocks_;
};

/// Stays until the process ends. Blocks do not outlive their provider.
SharedConstants& shared_constants(const DeviceProvider& provider);

}  // namespace lapidary
