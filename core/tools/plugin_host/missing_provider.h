// SPDX-License-Identifier: Apache-2.0
// The message for a requested provider that no opened plugin has.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lapidary {

/// Execution providers by the short names that ONNX Runtime gives them: "CUDA", "TensorRT".
const std::vector<std::string>& known_provider_names();
/// The one of known_provider_names() that `name` means: in any case of letters, with or without
/// "ExecutionProvider", "dml" for DirectML. Empty: none.
std::string known_provider(std::string_view name);

/// A sentence without a full stop. For a provider of the field: by which ways a model can be run on
/// it. For the CPU: that it needs no name. For any other name: the nearest one that was meant.
/// `open`: providers of opened plugins.
std::string missing_provider_text(const std::string& name, const std::vector<std::string>& open);

}  // namespace lapidary
