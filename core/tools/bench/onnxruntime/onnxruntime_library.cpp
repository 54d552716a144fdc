// SPDX-License-Identifier: Apache-2.0
#include "bench/onnxruntime/onnxruntime_library.h"

#include <algorithm>
#include <cstdio>
#include <string_view>

#include <lapidary/base/error.h>

#include "base/process/shared_library.h"
#include "bench/peers/python_places.h"

namespace lapidary {
namespace {

namespace fs = std::filesystem;

constexpr int oldest_major = 1, oldest_minor = static_cast<int>(ort::table_version);
// Without a place; not every command has the option.
const char* const hint =
    "; LAPIDARY_ONNXRUNTIME, or --onnxruntime where a command has it, names the library or the "
    "folder of an installed Python package onnxruntime";

std::vector<fs::path> entries(const fs::path& folder) {
    std::vector<fs::path> found;
    std::error_code status;
    for (fs::directory_iterator at(folder, status), end; !status && at != end; at.increment(status))
        found.push_back(at->path());
    std::ranges::sort(found);
    return found;
}

/// "libonnxruntime.so".
std::string library_name() {
    return std::string(shared_library_beginning) + "onnxruntime" + shared_library_ending;
}

bool is_library_name(const std::string& name) {
    return name == library_name() ||
           (has_library_versions && name.starts_with(library_name() + '.'));
}

/// The libraries of one folder, the one with the longest (most exact) version first.
std::vector<fs::path> libraries_in(const fs::path& folder) {
    std::vector<fs::path> found;
    for (const fs::path& entry : entries(folder))
        if (is_library_name(entry.filename().string())) found.push_back(entry);
    std::ranges::stable_sort(found, std::greater{},
                             [](const fs::path& p) { return p.filename().string().size(); });
    return found;
}

bool is_there(const fs::path& path) {
    std::error_code status;
    return !path.empty() && fs::exists(path, status);
}

/// The message in one line, without the source location and code at its begin:
/// "/src/provider_bridge.cc:1844 Get() [ONNXRuntimeError] : 1 : FAIL : Failed to load ...\n".
std::string sentence_of(std::string message) {
    constexpr std::string_view mark = "[ONNXRuntimeError] : ";
    if (const std::size_t at = message.rfind(mark); at != std::string::npos) {
        const std::size_t code = message.find(" : ", at + mark.size());
        const std::size_t text = code == std::string::npos ? code : message.find(" : ", code + 3);
        if (text != std::string::npos) message.erase(0, text + 3);
    }
    for (char& c : message)
        if (static_cast<unsigned char>(c) < 0x20) c = ' ';
    while (!message.empty() && message.back() == ' ') message.pop_back();
    return message;
}

}  // namespace

std::vector<fs::path> libraries_below(const fs::path& place) {
    std::error_code status;
    if (!fs::is_directory(place, status))
        return is_there(place) ? std::vector<fs::path>{place} : std::vector<fs::path>{};
    std::vector<fs::path> folders{place, place / "capi", place / "lib",
                                  place / "onnxruntime" / "capi",
                                  place / "Lib" / "site-packages" / "onnxruntime" / "capi"};
    for (const fs::path& lib : entries(place / "lib"))
        if (lib.filename().string().starts_with("python3"))
            folders.push_back(lib / "site-packages" / "onnxruntime" / "capi");
    for (const fs::path& folder : folders)
        if (auto found = libraries_in(folder); !found.empty()) return found;
    return {};
}

OnnxRuntimeSearch machine_search(const fs::path& given) {
    OnnxRuntimeSearch search;
    search.given = given;
    const PythonSearch python = python_search(given, "LAPIDARY_ONNXRUNTIME");
    search.from_environment = python.from_environment;
    search.roots = python.roots;
    search.python = python.python;
    return search;
}

OnnxRuntimePlaces find_onnxruntime(const OnnxRuntimeSearch& search) {
    OnnxRuntimePlaces places;
    const auto add = [&](const fs::path& place) {
        const bool is_interpreter = is_python(place);
        const auto found = is_interpreter ? std::vector<fs::path>{} : libraries_below(place);
        places.libraries.insert(places.libraries.end(), found.begin(), found.end());
        if (!found.empty()) return true;
        // A package without C library can still be used by its interpreter.
        const fs::path python = is_interpreter ? place : python_above(place);
        if (python.empty() || package_folder(python, "onnxruntime").empty()) return false;
        places.pythons.push_back(python);
        return true;
    };
    for (const fs::path& wanted : {search.given, fs::path(search.from_environment)}) {
        if (wanted.empty()) continue;
        if (!add(wanted))
            fail_unsupported(wanted.string() + ": there is no " + library_name() +
                             " and no Python package onnxruntime; expected the library, or a "
                             "folder or Python interpreter that has it");
        return places;
    }
    for (const fs::path& root : search.roots)
        if (is_there(root)) add(root);
    if (places.libraries.empty() && !search.python.empty())
        if (const fs::path package = package_folder(search.python, "onnxruntime");
            !package.empty() && !add(package))
            places.pythons.push_back(search.python);
    if (has_library_versions) places.libraries.emplace_back(library_name() + ".1");
    places.libraries.emplace_back(library_name());
    return places;
}

bool is_at_least(const std::string& version, int major, int minor) {
    int found_major = 0, found_minor = 0;
    if (std::sscanf(version.c_str(), "%d.%d", &found_major, &found_minor) != 2) return false;
    return found_major > major || (found_major == major && found_minor >= minor);
}

std::shared_ptr<const OnnxRuntimeLibrary> OnnxRuntimeLibrary::load(
    const OnnxRuntimePlaces& places) {
    std::string tried;
    for (const fs::path& path : places.libraries) {
        std::string reason;
        const SharedLibrary opened = SharedLibrary::open(path, SymbolScope::local, reason);
        if (!opened) {
            tried += (tried.empty() ? "" : "; ") + reason;
            continue;
        }
        const auto base_function =
            reinterpret_cast<const ort::ApiBase* (*)() noexcept>(opened.find("OrtGetApiBase"));
        if (!base_function) {
            tried += (tried.empty() ? "" : "; ") + path.string() + " exports no OrtGetApiBase";
            continue;
        }
        const ort::ApiBase* base = base_function();
        auto library = std::make_shared<OnnxRuntimeLibrary>();
        library->version_ = base->version_string();
        library->path_ = path;
        if (!is_at_least(library->version_, oldest_major, oldest_minor))
            fail_unsupported(path.string() + " is ONNX Runtime " + library->version_ + ", " +
                             std::to_string(oldest_major) + "." + std::to_string(oldest_minor) +
                             " or later is needed");
        const void* table = base->get_api(ort::table_version);
        if (!table)
            fail_unsupported(path.string() + " (ONNX Runtime " + library->version_ +
                             ") has no interface of version " + std::to_string(ort::table_version));
        library->table_ = ort::Table(table);
        return library;
    }
    fail_unsupported("ONNX Runtime was not found" +
                     (tried.empty() ? std::string() : " (" + tried + ")") + hint);
}

void OnnxRuntimeLibrary::check(ort::Status* status, const char* what) const {
    if (!status) return;
    const std::string message = sentence_of(table_(ort::get_error_message, status));
    table_(ort::release_status, status);
    fail_unsupported(std::string("ONNX Runtime cannot ") + what + ": " + message);
}

}  // namespace lapidary
