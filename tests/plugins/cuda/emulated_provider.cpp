// SPDX-License-Identifier: Apache-2.0
#include "plugins/cuda/emulated_provider.h"

#include <dlfcn.h>

#include <cstdlib>
#include <mutex>
#include <sstream>

#include <lapidary/base/error.h>
#include <lapidary/engines/plugins.h>

namespace lapidary::test {

bool is_on_gpu() { return std::getenv("LAPIDARY_CUDA_UNDER_TEST") != nullptr; }

const char* path_of_plugin() {
    return is_on_gpu() ? std::getenv("LAPIDARY_CUDA_UNDER_TEST") : LAPIDARY_EMULATED_CUDA;
}

std::uint64_t launches_of_clusters() {
    void* const plugin = is_on_gpu() ? nullptr : ::dlopen(path_of_plugin(), RTLD_NOW | RTLD_NOLOAD);
    void* const count =
        plugin ? ::dlsym(plugin, "lapidary_emulated_launches_of_clusters") : nullptr;
    return count ? reinterpret_cast<std::uint64_t (*)()>(count)() : 0;
}

std::vector<int> orders_of_threads() {
    return is_on_gpu() ? std::vector<int>{0} : std::vector<int>{0, 1, 2};
}

std::string name_of_provider() { return is_on_gpu() ? "cuda" : "cuda_emulated"; }

std::shared_ptr<const Provider> emulated_provider(
    const std::map<std::string, std::string>& options) {
    static std::mutex mutex;
    static std::map<std::map<std::string, std::string>, std::shared_ptr<const Provider>> opened;
    const std::lock_guard lock(mutex);
    auto& provider = opened[options];
    if (!provider) provider = new_provider(options);
    return provider;
}

std::shared_ptr<const Provider> new_provider(const std::map<std::string, std::string>& options) {
    open_plugin(path_of_plugin());
    std::map<std::string, std::string> all = options;
    const char* const more = std::getenv("LAPIDARY_CUDA_OPTIONS");
    std::istringstream words(more ? more : "");
    for (std::string word; std::getline(words, word, ',');)
        all.emplace(word.substr(0, word.find('=')), word.substr(word.find('=') + 1));
    return open_provider(name_of_provider(), all);
}

SessionOptions emulated_options(const EmulatedRun& run) {
    SessionOptions options;
    std::map<std::string, std::string> given{{"order", std::to_string(run.order)},
                                             {"precision", run.precision},
                                             {"graphs", run.replays ? "on" : "off"},
                                             {"hopper", run.has_hopper ? "all" : "off"},
                                             {"take_all", "on"}};
    if (run.has_clusters) given["hopper"] = given["clusters"] = "on";
    if (!run.is_together) given["together"] = "off";
    options.providers.push_back(emulated_provider(given));
    options.fallback = run.fallback;
    options.session_passes.set = run.passes;
    return options;
}

SessionOptions reference_options() {
    SessionOptions options;
    options.reference_kernels = true;
    return options;
}

std::string compare_with(const NamedValues& expected, const ModelPtr& model,
                         const NamedValues& inputs, const EmulatedRun& run,
                         const Tolerance& tolerance) try {
    Session emulated = Session::compile(model, emulated_options(run));
    for (int again = 0; again < 2; ++again) {  // the second run has its memory planned
        const RunResult actual = emulated.run(inputs);
        for (const OutputComparison& output : compare_outputs(actual.outputs, expected, tolerance))
            if (!output.comparison.matches) return output.name + ": " + output.comparison.reason;
    }
    return {};
} catch (const Error& error) { return error.what(); }

std::string compare_with_reference(const ModelPtr& model, const NamedValues& inputs,
                                   const EmulatedRun& run, const Tolerance& tolerance) {
    Session reference = Session::compile(model, reference_options());
    return compare_with(reference.run(inputs).outputs, model, inputs, run, tolerance);
}

}  // namespace lapidary::test
