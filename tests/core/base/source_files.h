// SPDX-License-Identifier: Apache-2.0
// Source files of the project and their lines, which tests hold against the rules of the house.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "support/test_data.h"

namespace lapidary {

/// Files of C++ and tables below a folder of the project.
inline std::vector<std::filesystem::path> sources(const std::string& folder) {
    std::vector<std::filesystem::path> out;
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator(source_folder() / folder)) {
        const auto extension = entry.path().extension();
        if (extension == ".cpp" || extension == ".h" || extension == ".inc")
            out.push_back(entry.path());
    }
    return out;
}

inline std::vector<std::string> lines_of(const std::filesystem::path& path) {
    std::ifstream in(path);
    std::vector<std::string> lines;
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
}

}  // namespace lapidary
