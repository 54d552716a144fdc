// SPDX-License-Identifier: Apache-2.0
// Files that keep what was measured on a device.
#pragma once

#include <iosfwd>
#include <string>

namespace lapidary::cuda {

/// "$XDG_CACHE_HOME/lapidary/cuda-NVIDIA_H200-CUDA_13.0.ENDING"; below ~/.cache where the variable
/// is not set.
std::string usual_kept_file(const std::string& device, const std::string& driver,
                            const std::string& ending);

/// Such a file. Its methods throw DeviceError with the path and the kind of file ("tuning file").
class KeptFile {
public:
    KeptFile(const char* what, std::string path) : what_(what), path_(std::move(path)) {}
    [[noreturn]] void refuse(const std::string& why) const;
    /// The rest of the next line after `word`. Throws where the line begins with another word.
    std::string value_of(std::istream& in, const std::string& word) const;
    /// Throws unless both are equal.
    void require(const char* what, const std::string& found, const std::string& expected,
                 const std::string& remedy) const;
    /// The whole file; empty where there is none.
    std::string read() const;
    /// Writes the whole file or nothing; makes its folders where they are missing.
    void write(const std::string& text) const;

private:
    [[noreturn]] void fail(const char* what) const;

    const char* what_;
    std::string path_;
};

}  // namespace lapidary::cuda
