// SPDX-License-Identifier: Apache-2.0
// Values that outlive the memory of the run they come from.
#pragma once

#include <lapidary/tensor/runtime_value.h>

#include "exec/memory/budget.h"

namespace lapidary {

/// True if bytes of the value have no owner: they belong to a plan or a caller, and only until the
/// run ends.
bool is_lent(const RuntimeValue& value);

/// A value that no longer depends on planned memory: shared if it has an owner, else copied.
RuntimeValue detached(const RuntimeValue& value, Budget& budget);

}  // namespace lapidary
