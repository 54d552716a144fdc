// SPDX-License-Identifier: Apache-2.0
// Finds ONNX Runtime at run time: nothing here links it.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "bench/onnxruntime/onnxruntime_abi.h"

namespace lapidary {

/// Files and folders that may be ONNX Runtime, best first.
struct OnnxRuntimePlaces {
    // libonnxruntime.so*, onnxruntime.dll, or a bare name
    std::vector<std::filesystem::path> libraries;
    std::vector<std::filesystem::path> pythons;  // interpreters whose package holds no C library
};

/// Where to search; tests use other places than those of the machine.
struct OnnxRuntimeSearch {
    std::filesystem::path given;               // a library or a folder; empty: search
    std::string from_environment;              // of LAPIDARY_ONNXRUNTIME
    std::vector<std::filesystem::path> roots;  // virtual environments and site-packages, in order
    // its package onnxruntime is searched; empty: none
    std::filesystem::path python;
};

/// The search of this machine: LAPIDARY_ONNXRUNTIME, the active virtual environment, build/peers
/// beside this program, python3 of PATH, the dynamic linker's folders.
OnnxRuntimeSearch machine_search(const std::filesystem::path& given);

/// Libraries below a file, a package's `capi` folder, a site-packages, a virtual environment or an
/// unpacked release.
std::vector<std::filesystem::path> libraries_below(const std::filesystem::path& place);

OnnxRuntimePlaces find_onnxruntime(const OnnxRuntimeSearch& search);

/// A loaded library. Stays loaded until the process ends: its threads may outlive sessions.
class OnnxRuntimeLibrary {
public:
    /// Throws Error{not_supported} saying what was tried, or which version was found where another
    /// is needed.
    static std::shared_ptr<const OnnxRuntimeLibrary> load(const OnnxRuntimePlaces& places);

    const ort::Table& table() const { return table_; }
    const std::string& version() const { return version_; }
    const std::filesystem::path& path() const { return path_; }
    /// Throws Error{not_supported} with ONNX Runtime's message unless the status is null.
    void check(ort::Status* status, const char* what) const;

private:
    ort::Table table_;
    std::string version_;
    std::filesystem::path path_;
};

/// "1.17.3" is at least "1.17".
bool is_at_least(const std::string& version, int major, int minor);

}  // namespace lapidary
