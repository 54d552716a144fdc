// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace lapidary {

/// Nanoseconds until a core sees what another wrote. Virtual machines are moved between cores that
/// share a cache and cores that do not, which changes it threefold, and with it the speed of small
/// models on several threads.
double core_handover_ns();

}  // namespace lapidary
