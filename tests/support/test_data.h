// SPDX-License-Identifier: Apache-2.0
// Finds test data and programs.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>

namespace lapidary {

/// The folder of the large test data (models, hostile inputs, conformance cases):
/// LAPIDARY_TEST_DATA in the environment, else the one that was configured. It may not exist.
std::filesystem::path test_data();
/// tests/fixtures of the sources.
std::filesystem::path fixtures_folder();
/// The root of the sources.
std::filesystem::path source_folder();
/// The command line program, built along with the tests.
std::string cli_program();

/// A new empty folder, which is removed with its contents at the end of the test.
class TemporaryFolder {
public:
    TemporaryFolder() {
        std::string name =
            (std::filesystem::temp_directory_path() / "lapidary_test_XXXXXX").string();
        if (!::mkdtemp(name.data())) throw std::runtime_error("cannot make a temporary folder");
        path_ = name;
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    ~TemporaryFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    std::filesystem::path operator/(const std::filesystem::path& name) const {
        return path_ / name;
    }
    const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
};

}  // namespace lapidary
