// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace lapidary {

/// Nanoseconds until a core sees a write of another core. Virtual machines may move between cores
/// that share a cache and cores that do not. That changes it threefold, and with it the speed of
/// small models on several threads.
double core_handover_ns();

}  // namespace lapidary
