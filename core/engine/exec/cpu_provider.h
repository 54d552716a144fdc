// SPDX-License-Identifier: Apache-2.0
// The provider that takes every node that has a kernel in kernel_list.inc. Its values lie in host
// memory, which comes from the session's budget and arena (exec/memory/budget.h).
#pragma once

#include <string_view>

#include "exec/provider.h"

namespace lapidary {

inline constexpr std::string_view cpu_provider_name = "CPU";

const Provider& cpu_provider();

}  // namespace lapidary
