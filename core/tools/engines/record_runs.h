// SPDX-License-Identifier: Apache-2.0
// Shared by all other engines: runs of a session, and reports on the model's nodes.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <lapidary/graph/model.h>

#include "engines/engine_session.h"

namespace lapidary {

/// Writes a copy of the model with a unique name for each node of the main graph, which engines use
/// for their kernels, to `file`. Ids are the same. Null, and nothing is written: nodes have unique
/// names already.
std::shared_ptr<const Model> with_names(const Model& model, const std::filesystem::path& file,
                                        const Progress& progress);

/// Makes the runs. Fills the record except name, path, match and placement. The profile is of the
/// measured runs; its kernels have no ids yet.
EngineRecord record_runs(EngineSession& session, const EngineRuns& runs, const Progress& progress,
                         std::unique_ptr<Profile>& profile);

/// "CPU": the provider of a node that no other one has.
extern const std::string cpu_provider_name;
/// SpanText::op of a copy between kinds of memory.
constexpr const char *copy_to_device_name = "MemcpyFromHost", *copy_to_host_name = "MemcpyToHost";

/// The placement of the kernels of a profile. `wanted`: short names of requested providers. Nodes
/// on other ones get `no_reason` as the reason.
PlacementReport placement_of(const Profile& profile, const std::vector<std::string>& wanted,
                             const std::string& no_reason);
/// A node with that provider and, for each of `wanted` that comes before it, `no_reason`.
NodePlacement placed_node(std::string name, const std::string& op, const std::string& provider,
                          NodeId node, const std::vector<std::string>& wanted,
                          const std::string& no_reason);
/// Nodes of a provider other than the CPU are an island of it.
void count_islands(PlacementReport& report);

}  // namespace lapidary
