// SPDX-License-Identifier: Apache-2.0
#include "exec/run/observed_frame.h"

#include <utility>

#include <lapidary/base/error.h>

#include "exec/run/detached.h"

namespace lapidary {

std::vector<std::int64_t> ObservedFrame::iterations() const {
    if (outer_ == nullptr) return {};
    std::vector<std::int64_t> list = outer_->iterations();
    list.push_back(iteration_);
    return list;
}

void ObservedFrame::replace_on_device(ValueId id, const RuntimeValue& value) {
    const RuntimeValue& slot = values_.slots()[id.index];
    if (!value.is_tensor() || !slot.is_tensor() ||
        value.tensor().dtype() != slot.tensor().dtype() ||
        value.tensor().shape() != slot.tensor().shape())
        fail_input("value " + quote(graph().value(id).name) +
                   " lies in the memory of a device, where only a tensor of the same element type "
                   "and shape can replace it");
    values_.devices()->upload(*values_.plan().devices->memory[id.index],
                              DeviceMemory::in(slot.tensor()).place, value.tensor());
}

void ObservedFrame::replace(ValueId id, RuntimeValue value) {
    const Value& replaced = graph().value(id);
    if (replaced.kind != ValueKind::node_output)
        fail_input("value " + quote(replaced.name) +
                   " cannot be replaced in a run: no node of its graph writes it");
    if (values_.devices() != nullptr && values_.plan().devices->memory[id.index] != nullptr)
        return replace_on_device(id, value);
    if (is_lent(value))
        fail_input("value " + quote(replaced.name) +
                   " cannot be replaced by one that does not own its storage");
    values_.slots()[id.index] = std::move(value);
}

}  // namespace lapidary
