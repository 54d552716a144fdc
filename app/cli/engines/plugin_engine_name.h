// SPDX-License-Identifier: Apache-2.0
// Whether an engine that --engine names exists.
#pragma once

#include <string>

namespace lapidary::cli {

/// Throws UsageError where no open plugin has an engine of this name. `others`: what else --engine
/// takes, for the message.
void require_plugin_engine(const std::string& name,
                           const std::string& others = "lapidary, onnxruntime");

}  // namespace lapidary::cli
