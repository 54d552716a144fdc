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

void ObservedFrame::replace(ValueId id, RuntimeValue value) {
    const Value& replaced = graph().value(id);
    if (replaced.kind != ValueKind::node_output)
        fail_input("value " + quote(replaced.name) +
                   " cannot be replaced in a run: no node of its graph writes it");
    if (values_.devices() != nullptr && values_.plan().devices->memory[id.index] != nullptr)
        fail_input("value " + quote(replaced.name) +
                   " cannot be replaced in a run: it lies in the memory of a device");
    if (is_lent(value))
        fail_input("value " + quote(replaced.name) +
                   " cannot be replaced by one that does not own its storage");
    values_.slots()[id.index] = std::move(value);
}

}  // namespace lapidary
