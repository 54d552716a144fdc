// SPDX-License-Identifier: Apache-2.0
#include "exec/plan/type_bytes.h"

#include <lapidary/base/error.h>
#include <lapidary/tensor/tensor.h>

namespace lapidary {

std::optional<std::uint64_t> bytes_of(const Type& type) {
    if (!type.is_static()) return std::nullopt;
    try {
        return storage_bytes(type.dtype, element_count(Shape(type.static_shape())));
    } catch (const Error&) { return std::nullopt; }
}

}  // namespace lapidary
