// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <lapidary/cost/memory_report.h>

namespace lapidary {

/// A sentence about the peak: its node, and the tensors alive there with their readers. All members
/// of the report except the verdict must be filled.
std::string memory_verdict(const MemoryReport& report);

}  // namespace lapidary
