// SPDX-License-Identifier: Apache-2.0
// Windows gives these figures to drivers alone.
#include "base/processor_state.h"

namespace lapidary {

ProcessorState processor_state() { return {}; }

}  // namespace lapidary
