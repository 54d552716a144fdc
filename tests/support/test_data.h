// SPDX-License-Identifier: Apache-2.0
// Where the large test data lies: models, hostile inputs, conformance cases.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>

namespace lapidary {

/// LAPIDARY_TEST_DATA from the environment, else the folder known when the tests were configured.
/// There may be none.
std::filesystem::path test_data();
/// tests/fixtures of the sources.
std::filesystem::path fixtures_folder();
/// The root of the sources.
std::filesystem::path source_folder();
/// The command line program, built along with the tests.
std::string cli_program();

/// A new empty folder for one test, removed with all in it at the end.
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
