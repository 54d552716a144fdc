// SPDX-License-Identifier: Apache-2.0
// Whether an operator has more than its plain kernel.
#pragma once

#include <string_view>

namespace lapidary {

/// True when kernel_list.inc has a kernel of the operator that is made for nodes; false: reference
/// kernels alone. `qualified`: "Conv", "com.microsoft::QLinearConv".
bool has_fast_kernel(std::string_view qualified);

}  // namespace lapidary
