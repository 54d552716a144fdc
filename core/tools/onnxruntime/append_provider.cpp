// SPDX-License-Identifier: Apache-2.0
#include "onnxruntime/append_provider.h"

#include <algorithm>
#include <array>
#include <cctype>

#include <lapidary/base/error.h>
#include <lapidary/internal/nearest_name.h>

#include "base/process/foreign_call.h"
#include "base/process/shared_library.h"
#include "bench/onnxruntime/onnxruntime_values.h"
#include "plugin_host/missing_provider.h"

namespace lapidary {
namespace {

namespace fs = std::filesystem;

std::string lower(std::string text) {
    std::ranges::transform(text, text.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text;
}

bool is_same(const std::string& a, const std::string& b) {
    return lower(short_provider_name(a)) == lower(short_provider_name(b));
}

/// Names for the function that appends providers by name, if they differ from the name of the
/// provider.
std::string generic_name(const std::string& name) {
    constexpr std::array<std::pair<const char*, const char*>, 9> names{{{"openvino", "OpenVINO"},
                                                                        {"qnn", "QNN"},
                                                                        {"xnnpack", "XNNPACK"},
                                                                        {"coreml", "CoreML"},
                                                                        {"directml", "DML"},
                                                                        {"dml", "DML"},
                                                                        {"azure", "AZURE"},
                                                                        {"webgpu", "WebGPU"},
                                                                        {"vitisai", "VitisAI"}}};
    const std::string wanted = lower(name);
    for (const auto& [known, generic] : names)
        if (wanted == known) return generic;
    return name;
}

/// Keys and values as the interface takes them.
struct OptionLists {
    explicit OptionLists(const std::map<std::string, std::string>& options) {
        for (const auto& [key, value] : options) {
            keys.push_back(key.c_str());
            values.push_back(value.c_str());
        }
    }
    std::vector<const char*> keys, values;
};

/// A provider whose options are an object that has to be made, filled and released.
template <typename Options>
struct OptionFunctions {
    ort::Slot<ort::Status*(Options**)> create;
    ort::Slot<ort::Status*(Options*, const char* const*, const char* const*, std::size_t)> update;
    ort::Slot<ort::Status*(ort::SessionOptions*, const Options*)> append;
    ort::Slot<void(Options*)> release;
};

template <typename Options>
void append_with(const OnnxRuntimeLibrary& library, ort::SessionOptions* options,
                 const OptionLists& lists, const OptionFunctions<Options>& functions,
                 const std::string& what) {
    const ort::Table& table = library.table();
    OrtHeld<Options> held(table, functions.release);
    library.check(table(functions.create, held.out()), what.c_str());
    library.check(table(functions.update, held.get(), lists.keys.data(), lists.values.data(),
                        lists.keys.size()),
                  what.c_str());
    library.check(table(functions.append, options, held.get()), what.c_str());
}

/// NVIDIA's Python packages beside the library's own hold what its providers need and the loader
/// does not find. Several rounds, as they need each other.
void load_nvidia_packages(const fs::path& library) {
    std::error_code failed;
    const fs::path packages = library.parent_path().parent_path().parent_path() / "nvidia";
    std::vector<fs::path> waiting;
    for (fs::directory_iterator at(packages, failed), end; !failed && at != end;
         at.increment(failed)) {
        std::error_code none;
        for (fs::directory_iterator file(at->path() / "lib", none), last; !none && file != last;
             file.increment(none))
            if (file->path().filename().string().find(".so") != std::string::npos)
                waiting.push_back(file->path());
    }
    for (std::size_t before = waiting.size() + 1; waiting.size() < before && !waiting.empty();) {
        before = waiting.size();
        std::erase_if(waiting, [](const fs::path& file) {
            std::string reason;
            return static_cast<bool>(SharedLibrary::open(file, SymbolScope::global, reason));
        });
    }
}

/// Devices of that provider, of a library that was registered; empty: none.
std::vector<const ort::EpDevice*> devices_of(const OnnxRuntimeLibrary& library,
                                             const OrtEnvironment& environment,
                                             const std::string& name) {
    std::vector<const ort::EpDevice*> found;
    if (!is_at_least(library.version(), 1, ort::devices_since)) return found;
    const ort::Table& table = library.table();
    const ort::EpDevice* const* devices = nullptr;
    std::size_t count = 0;
    library.check(table(ort::get_devices, environment.get(), &devices, &count), "list devices");
    for (std::size_t i = 0; i < count; ++i)
        if (is_same(table(ort::device_provider, devices[i]), name)) found.push_back(devices[i]);
    return found;
}

std::string list_of(const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names)
        text += (text.empty() ? "" : ", ") + short_provider_name(name);
    return text;
}

void append_built_in(const OnnxRuntimeLibrary& library, ort::SessionOptions* options,
                     const std::string& name, const OptionLists& lists, const std::string& what) {
    const std::string known = lower(name);
    if (known == "cuda" || known == "tensorrt") load_nvidia_packages(library.path());
    if (known == "cuda")
        return append_with<ort::CudaOptions>(library, options, lists,
                                             {ort::create_cuda_options, ort::update_cuda_options,
                                              ort::append_cuda, ort::release_cuda_options},
                                             what);
    if (known == "tensorrt")
        return append_with<ort::TensorRtOptions>(
            library, options, lists,
            {ort::create_tensorrt_options, ort::update_tensorrt_options, ort::append_tensorrt,
             ort::release_tensorrt_options},
            what);
    if (known == "rocm")
        return append_with<ort::RocmOptions>(library, options, lists,
                                             {ort::create_rocm_options, ort::update_rocm_options,
                                              ort::append_rocm, ort::release_rocm_options},
                                             what);
    if (known == "cann")
        return append_with<ort::CannOptions>(library, options, lists,
                                             {ort::create_cann_options, ort::update_cann_options,
                                              ort::append_cann, ort::release_cann_options},
                                             what);
    if (known == "dnnl")
        return append_with<ort::DnnlOptions>(library, options, lists,
                                             {ort::create_dnnl_options, ort::update_dnnl_options,
                                              ort::append_dnnl, ort::release_dnnl_options},
                                             what);
    library.check(library.table()(ort::append_provider, options, generic_name(name).c_str(),
                                  lists.keys.data(), lists.values.data(), lists.keys.size()),
                  what.c_str());
}

}  // namespace

std::string short_provider_name(const std::string& name) {
    constexpr std::string_view suffix = "ExecutionProvider";
    return name.ends_with(suffix) && name.size() > suffix.size()
               ? name.substr(0, name.size() - suffix.size())
               : name;
}

std::vector<std::string> available_providers(const OnnxRuntimeLibrary& library) {
    const ort::Table& table = library.table();
    char** names = nullptr;
    int count = 0;
    library.check(table(ort::get_available_providers, &names, &count), "list its providers");
    std::vector<std::string> list(names, names + count);
    library.check(table(ort::release_available_providers, names, count), "list its providers");
    return list;
}

std::vector<OnnxRuntimeDevice> available_devices(const OnnxRuntimeLibrary& library,
                                                 const OrtEnvironment& environment) {
    std::vector<OnnxRuntimeDevice> list;
    if (!is_at_least(library.version(), 1, ort::devices_since)) return list;
    const ort::Table& table = library.table();
    const ort::EpDevice* const* devices = nullptr;
    std::size_t count = 0;
    library.check(table(ort::get_devices, environment.get(), &devices, &count), "list devices");
    constexpr const char* kinds[] = {"CPU", "GPU", "NPU"};
    for (std::size_t i = 0; i < count; ++i) {
        const int kind = table(ort::hardware_kind, table(ort::device_hardware, devices[i]));
        list.push_back({table(ort::device_provider, devices[i]),
                        table(ort::device_vendor, devices[i]),
                        kind >= 0 && kind < 3 ? kinds[kind] : "device"});
    }
    return list;
}

void append_provider(const OnnxRuntimeLibrary& library, const OrtEnvironment& environment,
                     ort::SessionOptions* options, const OnnxRuntimeProvider& provider) {
    const std::string name = short_provider_name(provider.name);
    if (lower(name) == "cpu") return;  // always there
    const std::string what = "use its provider " + quote(name);
    const ForeignCall inside("ONNX Runtime, while it loads a provider");
    const OptionLists lists(provider.options);
    const std::vector<std::string> built_in = available_providers(library);
    const bool is_built_in =
        std::ranges::any_of(built_in, [&](const std::string& has) { return is_same(has, name); });
    if (const auto devices = devices_of(library, environment, name);
        !devices.empty() && !is_built_in) {
        library.check(library.table()(ort::append_devices, options, environment.get(),
                                      devices.data(), std::size_t{1}, lists.keys.data(),
                                      lists.values.data(), lists.keys.size()),
                      what.c_str());
        return;
    }
    if (!is_built_in)
        fail_unsupported("ONNX Runtime " + library.version() + " (" + library.path().string() +
                         ") was built without the provider " + quote(name) + "; it has " +
                         list_of(built_in) +
                         (known_provider(name).empty() ? did_you_mean(name, known_provider_names())
                                                       : std::string()));
    append_built_in(library, options, name, lists, what);
}

}  // namespace lapidary
