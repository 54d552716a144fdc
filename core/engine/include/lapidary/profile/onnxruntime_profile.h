// SPDX-License-Identifier: Apache-2.0
// Profiles in the format that ONNX Runtime writes: a JSON array of complete events.
#pragma once

#include <filesystem>
#include <iosfwd>

#include <lapidary/graph/graph.h>
#include <lapidary/profile/profile.h>

namespace lapidary {

/// What ONNX Runtime's enable_profiling leaves in its file, for tools that read that: category
/// Session with model_loading_uri, session_initialization (graph optimization in it), model_run and
/// SequentialExecutor::Execute; category Node with
/// "<node>_kernel_time" and the arguments op_name, provider, node_index, input_type_shape,
/// output_type_shape, activation_size, parameter_size, output_size (bytes, as text) and
/// thread_scheduling_stats. Times are whole microseconds. An argument that is not known is left
/// out. `executed`: the graph that ran, which says what of the inputs are parameters; null: not
/// known.
void write_onnxruntime_profile(const Profile& profile, const Graph* executed, std::ostream& out);
/// The same into a file. Throws io_failure.
void save_onnxruntime_profile(const Profile& profile, const Graph* executed,
                              const std::filesystem::path& path);

}  // namespace lapidary
