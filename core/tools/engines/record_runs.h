// SPDX-License-Identifier: Apache-2.0
// What the engines beside this program's have in common: runs of a session, and what they report
// about the model's nodes.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <lapidary/graph/model.h>

#include "engines/engine_session.h"

namespace lapidary {

/// The model, written to `file`, with a name for each node of the main graph, by which engines call
/// their kernels; ids are the same. Null, and nothing is written: they have names, each its own.
std::shared_ptr<const Model> with_names(const Model& model, const std::filesystem::path& file,
                                        const Progress& progress);

/// Makes the runs. Fills all but name, path, match and placement; kernels of the profile, of the
/// measured runs alone, have no ids yet.
EngineRecord record_runs(EngineSession& session, const EngineRuns& runs, const Progress& progress,
                         std::unique_ptr<Profile>& profile);

/// "CPU": the provider of a node that no other one has.
extern const std::string cpu_provider_name;
/// Span::op of a copy between kinds of memory.
constexpr const char *copy_to_device_name = "MemcpyFromHost", *copy_to_host_name = "MemcpyToHost";

/// Where the kernels of a profile ran. `wanted`: providers that were asked for, by short names;
/// nodes of another one get `no_reason` as the reason why not there.
PlacementReport placement_of(const Profile& profile, const std::vector<std::string>& wanted,
                             const std::string& no_reason);
/// A node with that provider and, for each of `wanted` that comes before it, `no_reason`.
NodePlacement placed_node(std::string name, const std::string& op, const std::string& provider,
                          NodeId node, const std::vector<std::string>& wanted,
                          const std::string& no_reason);
/// Nodes of a provider other than the CPU are an island of it.
void count_islands(PlacementReport& report);

}  // namespace lapidary
