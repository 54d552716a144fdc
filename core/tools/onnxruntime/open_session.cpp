// SPDX-License-Identifier: Apache-2.0
#include "onnxruntime/open_session.h"

#include <lapidary/base/error.h>
#include <lapidary/onnx_io/model_io.h>

namespace lapidary {

void check_options(const OnnxRuntimeOptions& options) {
    if (options.fallback == Fallback::shapes)
        fail_input(
            "ONNX Runtime has no rule that leaves computations of shapes alone to the CPU; "
            "expected the fallback allow "
            "or forbid");
    if (options.fallback == Fallback::forbid && options.providers.empty())
        fail_input("the fallback to the CPU is forbidden, and no other provider was asked for");
}

std::map<std::string, std::string> config_entries(const EngineRequest& request,
                                                  const std::string& version) {
    const OnnxRuntimeOptions& options = request.options;
    std::map<std::string, std::string> entries = options.resources.config;
    const auto add = [&](const char* key, const std::string& value) {
        entries.try_emplace(key, value);
    };
    if (!options.resources.spinning) {
        add("session.intra_op.allow_spinning", "0");
        add("session.inter_op.allow_spinning", "0");
    }
    if (options.fallback == Fallback::forbid) add("session.disable_cpu_ep_fallback", "1");
    std::string disabled;
    for (const std::string& name : options.disabled_optimizers)
        disabled += (disabled.empty() ? "" : ";") + name;
    if (!disabled.empty()) add("optimization.disable_specified_optimizers", disabled);
    if (is_ort_format(request.file)) add("session.load_model_format", "ORT");
    if (is_at_least(version, 1, ort::assignment_since))
        add("session.record_ep_graph_assignment_info", "1");
    return entries;
}

std::unique_ptr<EngineSession> open_engine_session(const EngineRequest& request,
                                                   std::filesystem::path& found,
                                                   const CancelToken& cancel) {
    check_options(request.options);
    const OnnxRuntimePlaces places = find_onnxruntime(machine_search(request.options.place));
    std::shared_ptr<const OnnxRuntimeLibrary> library;
    try {
        library = OnnxRuntimeLibrary::load(places);
    } catch (const Error&) {
        if (places.pythons.empty()) throw;
    }
    if (library) {
        found = library->path();
        return open_library_session(std::move(library), request);
    }
    found = places.pythons.front();
    return open_python_session(found, request, cancel);
}

std::vector<std::filesystem::path> onnxruntime_places(const std::filesystem::path& place) {
    const OnnxRuntimePlaces places = find_onnxruntime(machine_search(place));
    std::vector<std::filesystem::path> all = places.libraries;
    all.insert(all.end(), places.pythons.begin(), places.pythons.end());
    return all;
}

}  // namespace lapidary
