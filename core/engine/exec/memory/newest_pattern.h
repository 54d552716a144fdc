// SPDX-License-Identifier: Apache-2.0
// The memory plan of the newest set of input shapes, readable while runs go on.
#pragma once

#include <memory>
#include <mutex>

#include "exec/memory/memory_pattern.h"

namespace lapidary {

/// For use from any thread.
class NewestPattern {
public:
    void set(std::shared_ptr<const MemoryPattern> pattern) {
        const std::lock_guard lock(mutex_);
        pattern_ = std::move(pattern);
    }
    /// Null: the newest set has no plan yet.
    std::shared_ptr<const MemoryPattern> get() const {
        const std::lock_guard lock(mutex_);
        return pattern_;
    }

private:
    mutable std::mutex mutex_;
    std::shared_ptr<const MemoryPattern> pattern_;
};

}  // namespace lapidary
