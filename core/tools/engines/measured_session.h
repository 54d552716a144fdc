// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include <lapidary/bench/bench.h>

#include "engines/engine_session.h"

namespace lapidary {

/// Adapts a session of this process for measurements beside other engines.
std::unique_ptr<BenchEngine> measured_session(std::unique_ptr<EngineSession> session);

}  // namespace lapidary
