// SPDX-License-Identifier: Apache-2.0
// For tests that compare a run without a condition with one that has it.
#pragma once

namespace lapidary::conditions {

/// A condition is dropped in this process.
bool is_dropping();
/// Puts the dropped condition back for a while.
void suspend(bool suspended);

}  // namespace lapidary::conditions
