// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <initializer_list>
#include <string>

#include "kernels/kernel.h"

namespace lapidary {

/// True if input 0 has one of these element types, or its type is known only in a run. Otherwise
/// `reason` names its type.
inline bool takes_elements(const KernelRequest& request, std::initializer_list<DType> types,
                           std::string& reason) {
    const DType found = request.input_type(0).dtype;
    if (found == DType::undefined) return true;
    for (const DType type : types)
        if (found == type) return true;
    reason = "element type " + std::string(name_of(found)) + " is served by the reference kernel";
    return false;
}

}  // namespace lapidary
