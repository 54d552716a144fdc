// SPDX-License-Identifier: Apache-2.0
// Several parts of working memory in one allocation.
#pragma once

#include <array>
#include <cstddef>
#include <initializer_list>
#include <utility>

#include "kernels/kernel.h"

namespace lapidary {

/// Parts of the given sizes in bytes, each aligned to 64 bytes and uninitialised. `Part` is an
/// enumeration of at most 12 names for them, counted from 0.
template <typename Part>
class Workspace {
public:
    Workspace(KernelContext& context, std::initializer_list<std::pair<Part, std::size_t>> sizes) {
        std::size_t total = 0;
        for (const auto& [part, size] : sizes) {
            offsets_[static_cast<std::size_t>(part)] = total;
            total += (size + 63) / 64 * 64;
        }
        memory_ = context.scratch(DType::u8, {static_cast<std::int64_t>(total)});
    }
    template <typename T>
    T* part(Part part) {
        return reinterpret_cast<T*>(static_cast<std::byte*>(memory_.mutable_raw()) +
                                    offsets_[static_cast<std::size_t>(part)]);
    }

private:
    std::array<std::size_t, 12> offsets_{};
    Tensor memory_;
};

}  // namespace lapidary
