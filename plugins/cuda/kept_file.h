// SPDX-License-Identifier: Apache-2.0
// Files in which a device keeps what was measured on it.
#pragma once

#include <iosfwd>
#include <string>

namespace lapidary::cuda {

/// "$XDG_CACHE_HOME/lapidary/cuda-NVIDIA_H200-CUDA_13.0.ENDING", below ~/.cache where that is not
/// set.
std::string usual_kept_file(const std::string& device, const std::string& driver,
                            const std::string& ending);

/// One of them; throws DeviceError naming it and what it is for ("tuning file").
class KeptFile {
public:
    KeptFile(const char* what, std::string path) : what_(what), path_(std::move(path)) {}
    [[noreturn]] void refuse(const std::string& why) const;
    /// The next line behind its word; refused where it begins with another.
    std::string value_of(std::istream& in, const std::string& word) const;
    /// Refused unless both are equal.
    void require(const char* what, const std::string& found, const std::string& expected,
                 const std::string& remedy) const;
    /// All of the file; empty where there is none.
    std::string read() const;
    /// Whole or not at all, with the folders that lead to it.
    void write(const std::string& text) const;

private:
    [[noreturn]] void fail(const char* what) const;

    const char* what_;
    std::string path_;
};

}  // namespace lapidary::cuda
