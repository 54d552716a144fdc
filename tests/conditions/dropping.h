// SPDX-License-Identifier: Apache-2.0
// For tests that compare a run without a condition with one that has it.
#pragma once

#include <vector>

namespace lapidary::conditions {

/// True if a condition is dropped in this process.
bool is_dropping();
/// `suspended`: true: dropped conditions apply again until it is called with false.
void suspend(bool suspended);
/// Drops exactly these conditions.
void drop(const std::vector<unsigned>& numbers);

/// Starts to record which conditions decline.
void start_trace();
/// True if the condition declined since start_trace().
bool has_said_no(unsigned number);

/// The function that --search calls; null if the program has none.
inline int (*search)(int argc, char** argv) = nullptr;

}  // namespace lapidary::conditions
