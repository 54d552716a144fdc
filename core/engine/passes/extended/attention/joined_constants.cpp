// SPDX-License-Identifier: Apache-2.0
#include "passes/extended/attention/joined_constants.h"

#include <cstring>

namespace lapidary::attention {

std::optional<Tensor> joined(const std::vector<const Tensor*>& parts, std::size_t axis) {
    Shape shape = parts[0]->shape();
    if (axis >= shape.size()) return std::nullopt;
    std::int64_t length = 0;
    for (const Tensor* t : parts) {
        if (t->dtype() != parts[0]->dtype() || t->rank() != parts[0]->rank() ||
            is_packed(t->dtype()) || t->dtype() == DType::string)
            return std::nullopt;
        for (std::size_t i = 0; i < shape.size(); ++i)
            if (i != axis && t->shape()[i] != shape[i]) return std::nullopt;
        length += t->dim(axis);
    }
    shape[axis] = length;
    Tensor out(parts[0]->dtype(), shape);
    std::int64_t outer = 1;
    for (std::size_t i = 0; i < axis; ++i) outer *= shape[i];
    auto* to = static_cast<std::byte*>(out.mutable_raw());
    for (std::int64_t o = 0; o < outer; ++o)
        for (const Tensor* t : parts) {
            const std::size_t bytes =
                outer == 0 ? 0 : t->byte_size() / static_cast<std::size_t>(outer);
            std::memcpy(to, t->bytes().data() + static_cast<std::size_t>(o) * bytes, bytes);
            to += bytes;
        }
    for (const Tensor* t : parts) t->drop_pages();
    return out;
}

}  // namespace lapidary::attention
