// SPDX-License-Identifier: Apache-2.0
#include <lapidary/base/error.h>

#include "engines/measured_session.h"
#include "onnxruntime/open_session.h"

namespace lapidary {

OnnxRuntimeOptions with_configuration(OnnxRuntimeOptions options,
                                      const RunConfiguration& configuration) {
    options.level = configuration.level;
    options.resources = configuration.resources.with_config_of(options.resources);
    return options;
}

std::unique_ptr<BenchEngine> open_onnxruntime_engine(const std::filesystem::path& file,
                                                     const OnnxRuntimeOptions& options,
                                                     const NamedValues& inputs,
                                                     const CancelToken& cancel) {
    check_options(options);
    const OnnxRuntimePlaces places = find_onnxruntime(machine_search(options.place));
    if (places.libraries.empty() && !places.pythons.empty()) {
        if (!options.providers.empty())
            fail_unsupported("the package of " + places.pythons.front().string() +
                             " holds no C library: it is measured on the CPU alone");
        if (!options.resources.spinning)
            fail_unsupported("the package of " + places.pythons.front().string() +
                             " holds no C library: it is measured with threads that spin alone");
        const BenchConfiguration configuration{file, options.level, options.resources, inputs, {}};
        return find_onnxruntime_peer(options.place)->open(configuration, cancel);
    }
    return measured_session(open_library_session(OnnxRuntimeLibrary::load(places),
                                                 EngineRequest{file, options, inputs, {}}));
}

}  // namespace lapidary
