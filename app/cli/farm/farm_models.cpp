// SPDX-License-Identifier: Apache-2.0
#include "cli/farm/farm_models.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <string_view>

#include <lapidary/base/error.h>

namespace lapidary::cli {
namespace {

namespace fs = std::filesystem;

/// Whether a name is as the pattern says: * any characters, ? one.
bool is_like(std::string_view name, std::string_view pattern) {
    std::size_t n = 0, p = 0, star = std::string_view::npos, taken = 0;
    while (n < name.size()) {
        if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == name[n]) &&
            pattern[p] != '*') {
            ++n, ++p;
        } else if (p < pattern.size() && pattern[p] == '*') {
            star = p++;
            taken = n;
        } else if (star != std::string_view::npos) {
            p = star + 1;
            n = ++taken;
        } else {
            return false;
        }
    }
    while (p < pattern.size() && pattern[p] == '*') ++p;
    return p == pattern.size();
}

std::vector<std::string> sorted(std::vector<std::string> names) {
    std::ranges::sort(names);
    return names;
}

std::vector<std::string> models_below(const fs::path& folder) {
    std::vector<std::string> found;
    for (const auto& entry : fs::recursive_directory_iterator(folder))
        if (entry.is_regular_file() && entry.path().extension() == ".onnx")
            found.push_back(entry.path().string());
    if (found.empty()) fail_input("there is no .onnx file in the folder");
    return sorted(std::move(found));
}

std::vector<std::string> models_like(const fs::path& pattern) {
    const fs::path folder = pattern.parent_path();
    std::vector<std::string> found;
    for (const auto& entry : fs::directory_iterator(folder.empty() ? fs::path(".") : folder))
        if (entry.is_regular_file() &&
            is_like(entry.path().filename().string(), pattern.filename().string()))
            found.push_back((folder / entry.path().filename()).string());
    if (found.empty()) fail_input("no file has such a name");
    return sorted(std::move(found));
}

std::vector<std::string> models_of(const std::string& text) {
    const fs::path path = text;
    if (text.starts_with("sample:")) return {text};
    if (fs::is_directory(path)) return models_below(path);
    if (fs::exists(path)) return {text};
    if (path.filename().string().find_first_of("*?") != std::string::npos) return models_like(path);
    fail_input("there is no such file or folder");
}

}  // namespace

std::vector<std::string> models_named(const std::vector<std::string>& texts) {
    std::vector<std::string> all;
    std::set<std::string> seen;
    for (const std::string& text : texts) try {
            for (std::string& model : models_of(text))
                if (seen.insert(model).second) all.push_back(std::move(model));
        } catch (const fs::filesystem_error& failure) {
            fail(ErrorCode::io_failure, quote(text, 4096) + ": " + failure.code().message());
        } catch (Error& error) { throw error.at(text); }
    return all;
}

}  // namespace lapidary::cli
