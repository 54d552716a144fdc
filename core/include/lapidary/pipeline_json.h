// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include <lapidary/optimize.h>

namespace lapidary {

/// The whole report as a JSON object: level, nodes, passes, rewrites (ids of removed and added nodes, renamed values),
/// near misses. `model`, the optimized one, adds the names of added nodes when given.
std::string pipeline_json(const PipelineReport& report, const Model* model = nullptr);
/// The same as a file, written atomically.
void save_pipeline_json(const PipelineReport& report, const std::filesystem::path& path, const Model* model = nullptr);

}  // namespace lapidary
