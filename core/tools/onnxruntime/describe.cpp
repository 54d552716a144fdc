// SPDX-License-Identifier: Apache-2.0
#include <lapidary/engines/onnxruntime_engine.h>

#include <lapidary/base/error.h>

#include "bench/onnxruntime/onnxruntime_values.h"
#include "onnxruntime/append_provider.h"
#include "onnxruntime/open_session.h"
#include "onnxruntime/environment.h"

namespace lapidary {
namespace {

/// Whether a session could be made with it: its library loads, and finds what it needs.
std::string why_unusable(const OnnxRuntimeLibrary& library, const OrtEnvironment& environment,
                         const std::string& name) {
    try {
        OrtHeld<ort::SessionOptions> options(library.table(), ort::release_session_options);
        library.check(library.table()(ort::create_session_options, options.out()), "make options");
        append_provider(library, environment, options.get(), {name, {}});
        return {};
    } catch (const Error& error) { return error.message(); }
}

void describe_library(const OnnxRuntimePlaces& places, OnnxRuntimeInfo& info,
                      const CancelToken& cancel) {
    const auto library = OnnxRuntimeLibrary::load(places);
    info.path = library->path();
    info.version = library->version();
    const OrtEnvironment& environment = OrtEnvironment::of(library);
    for (const std::string& name : available_providers(*library)) {
        cancel.throw_if_cancelled();
        info.providers.push_back(
            {short_provider_name(name), why_unusable(*library, environment, name)});
    }
    info.devices = available_devices(*library, environment);
}

}  // namespace

OnnxRuntimeInfo describe_onnxruntime(const std::filesystem::path& place,
                                     const CancelToken& cancel) {
    OnnxRuntimeInfo info;
    info.path = place;
    try {
        OnnxRuntimePlaces places = find_onnxruntime(machine_search(place));
        if (places.libraries.empty() && !places.pythons.empty()) {
            info.path = places.pythons.front();
            info.in_python = true;
            const PythonPackage package = ask_python_package(info.path, cancel);
            info.version = package.version;
            for (const std::string& name : package.providers)
                info.providers.push_back({short_provider_name(name), {}});
            return info;
        }
        describe_library(places, info, cancel);
    } catch (const Error& error) {
        if (error.code() == ErrorCode::cancelled) throw;
        info.version.clear();
        info.providers.clear();
        info.unusable = error.message();
    }
    return info;
}

}  // namespace lapidary
