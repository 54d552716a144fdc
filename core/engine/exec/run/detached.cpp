// SPDX-License-Identifier: Apache-2.0
#include "exec/run/detached.h"

#include <algorithm>
#include <cstring>

namespace lapidary {

bool is_lent(const RuntimeValue& value) {
    if (value.is_tensor()) return value.tensor().is_unowned();
    if (value.is_sequence()) return std::ranges::any_of(value.sequence().items, is_lent);
    return value.is_map() && value.map().values.is_unowned();
}

RuntimeValue detached(const RuntimeValue& value, Budget& budget) {
    if (!is_lent(value)) return value;
    if (value.is_tensor()) {
        const Tensor& t = value.tensor();
        Tensor copy = budget.allocate(t.dtype(), t.shape());
        // tensors of strings always have an owner
        if (t.byte_size() != 0) std::memcpy(copy.mutable_raw(), t.raw(), t.byte_size());
        return copy;
    }
    if (value.is_sequence()) {
        Sequence copy;
        copy.element_type = value.sequence().element_type;
        for (const RuntimeValue& item : value.sequence().items)
            copy.items.push_back(detached(item, budget));
        return copy;
    }
    Map copy = value.map();
    copy.values = copy.values.clone();
    return copy;
}

}  // namespace lapidary
