// SPDX-License-Identifier: Apache-2.0
#include <lapidary/engines/plugin_engine.h>

#include <fstream>
#include <iterator>

#include <lapidary/base/error.h>
#include <lapidary/internal/scratch_folder.h>

#include "engines/measured_session.h"
#include "engines/plugin_options.h"
#include "engines/plugin_session.h"
#include "engines/record_runs.h"

namespace lapidary {
namespace {

// largest copy that is passed in memory instead of as a file
constexpr std::uint64_t largest_in_memory = 64u << 20;

/// The bytes of the copy if it is one file that is small enough. Nothing: the file is passed
/// instead.
std::vector<std::byte> bytes_of_copy(const Model& copy, const std::filesystem::path& file) {
    std::error_code failed;
    const std::uintmax_t size = std::filesystem::file_size(file, failed);
    if (failed || size > largest_in_memory || copy.external_bytes > 0) return {};
    std::vector<std::byte> bytes(size);
    std::ifstream in(file, std::ios::binary);
    in.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(size));
    if (!in) fail(ErrorCode::io_failure, "cannot read " + quote(file.string()));
    return bytes;
}

}  // namespace

EngineRecord run_plugin_engine(const Model& model, const std::filesystem::path& file,
                               const PluginEngineOptions& options, const EngineRuns& runs,
                               const Progress& progress) {
    const PluginEngine found = usable_engine(options.engine);
    const ScratchFolder folder;
    PluginRequest request{file, {}, options, runs.inputs, runs.profile};
    std::shared_ptr<const Model> named;
    if (runs.profile && (named = with_names(model, folder.path() / "named.onnx", progress))) {
        request.file = folder.path() / "named.onnx";
        request.bytes = bytes_of_copy(*named, request.file);
    }
    progress.step("load into " + options.engine);
    const auto session = open_plugin_session(request);
    std::unique_ptr<Profile> profile;
    EngineRecord record = record_runs(*session, runs, progress, profile);
    record.name = found.info.engine;
    record.path = found.info.file;
    if (!profile) return record;
    profile->model_name = file.filename().string();
    record.match = match_trace(*profile, named ? named->graph : model.graph);  // ids are the same
    record.placement = placement_of(*profile, {}, {});
    record.profile = std::move(profile);
    return record;
}

PluginEngineOptions with_configuration(PluginEngineOptions options,
                                       const RunConfiguration& configuration) {
    if (!configuration.resources.spinning)
        fail_unsupported("engine " + quote(options.engine) +
                         " has no option by which threads sleep within a run");
    options.level = configuration.level;
    options.resources = configuration.resources;
    return options;
}

std::unique_ptr<BenchEngine> open_plugin_engine(const std::filesystem::path& file,
                                                const PluginEngineOptions& options,
                                                const NamedValues& inputs, const CancelToken&) {
    return measured_session(open_plugin_session({file, {}, options, inputs, false}));
}

}  // namespace lapidary
