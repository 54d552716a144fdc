// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <lapidary/cost/memory_report.h>

namespace lapidary {

/// Where the peak is, what is alive there and what for, in one sentence. Everything but the verdict
/// must be filled.
std::string memory_verdict(const MemoryReport& report);

}  // namespace lapidary
