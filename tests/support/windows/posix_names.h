// SPDX-License-Identifier: Apache-2.0
// Functions of POSIX systems that tests call and Windows lacks; CMake includes it there before
// every test.
#pragma once

#include <cstring>
#include <filesystem>
#include <random>
#include <string_view>

/// Makes a new folder; replaces the last six characters of its name, "XXXXXX". Null if it failed.
inline char* mkdtemp(char* pattern) {
    static std::mt19937 random{std::random_device{}()};
    constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyz0123456789";
    char* const end = pattern + std::strlen(pattern);
    for (int attempt = 0; attempt < 100; ++attempt) {
        for (char* c = end - 6; c != end; ++c) *c = letters[random() % letters.size()];
        std::error_code failed;
        if (std::filesystem::create_directory(pattern, failed)) return pattern;
    }
    return nullptr;
}
