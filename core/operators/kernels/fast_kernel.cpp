// SPDX-License-Identifier: Apache-2.0
#include "kernels/kernel.h"

#include <algorithm>

namespace lapidary {

bool has_fast_kernel(std::string_view qualified) {
    const auto colons = qualified.find("::");
    const std::string_view domain = colons == qualified.npos ? std::string_view()
                                                             : qualified.substr(0, colons),
                           op = colons == qualified.npos ? qualified : qualified.substr(colons + 2);
    return std::ranges::any_of(kernel_entries(), [&](const KernelEntry& entry) {
        return entry.factory != nullptr && entry.domain == domain && entry.op_type == op;
    });
}

}  // namespace lapidary
