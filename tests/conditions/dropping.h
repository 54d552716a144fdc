// SPDX-License-Identifier: Apache-2.0
// For tests that compare a run without a condition with one that has it.
#pragma once

#include <vector>

namespace lapidary::conditions {

/// A condition is dropped in this process.
bool is_dropping();
/// Puts the dropped conditions back for a while.
void suspend(bool suspended);
/// Drops these conditions, and no others.
void drop(const std::vector<unsigned>& numbers);

/// From now on notes which conditions say no.
void start_trace();
/// It did since the trace began.
bool has_said_no(unsigned number);

/// What the program does with --search; set where it can.
inline int (*search)(int argc, char** argv) = nullptr;

}  // namespace lapidary::conditions
