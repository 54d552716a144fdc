// SPDX-License-Identifier: Apache-2.0
#include "exec/seen_types.h"

namespace lapidary {

void SeenTypes::note(const RuntimeValue& value, bool is_output) {
    Seen& seen = seen_.emplace_back();
    seen.is_output = is_output;
    if (value.is_tensor()) {
        seen.dtype = value.tensor().dtype();
        seen.shape = value.tensor().shape();
    } else {
        seen.described = value.describe();
    }
}

std::string SeenTypes::text() const {
    if (seen_.empty()) return {};
    std::string inputs, outputs;
    for (const Seen& seen : seen_) {
        const std::string type = seen.dtype == DType::undefined ? seen.described : std::string(name_of(seen.dtype)) + to_string(seen.shape);
        if (seen.is_output) outputs += " " + type;
        else inputs += (inputs.empty() ? "" : " x ") + type;
    }
    return inputs + " ->" + outputs;
}

}  // namespace lapidary
