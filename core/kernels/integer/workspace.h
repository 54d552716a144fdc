// SPDX-License-Identifier: Apache-2.0
// Several pieces of working memory in one request.
#pragma once

#include <array>
#include <cstddef>
#include <initializer_list>

#include "kernels/kernel.h"

namespace lapidary {

/// Pieces of the given sizes in bytes, each of 64-byte alignment and uninitialised.
class Workspace {
public:
    Workspace(KernelContext& context, std::initializer_list<std::size_t> sizes) {
        std::size_t total = 0, i = 0;
        for (const std::size_t size : sizes) {
            offsets_[i++] = total;
            total += (size + 63) / 64 * 64;
        }
        memory_ = context.scratch(DType::u8, {static_cast<std::int64_t>(total)});
    }
    template <typename T>
    T* part(std::size_t index) {
        return reinterpret_cast<T*>(static_cast<std::byte*>(memory_.mutable_raw()) + offsets_[index]);
    }

private:
    std::array<std::size_t, 12> offsets_{};
    Tensor memory_;
};

}  // namespace lapidary
