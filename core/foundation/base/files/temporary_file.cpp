// SPDX-License-Identifier: Apache-2.0
#include "base/files/temporary_file.h"

#include <random>
#include <string>

namespace lapidary {
namespace {

constexpr std::string_view marker = ".lapidary-", digits = "0123456789abcdefghijklmnopqrstuvwxyz";
constexpr std::size_t suffix_length = 10;

}  // namespace

bool is_temporary_name(std::string_view name, std::string_view ending) {
    const std::size_t tail = marker.size() + suffix_length + ending.size();
    if (name.size() <= tail + 1 || name.front() != '.' || !name.ends_with(ending)) return false;
    name.remove_suffix(ending.size());
    const std::string_view suffix = name.substr(name.size() - suffix_length);
    return name.substr(0, name.size() - suffix_length).ends_with(marker) &&
           suffix.find_first_not_of(digits) == std::string_view::npos;
}

std::filesystem::path temporary_name_for(const std::filesystem::path& path,
                                         std::string_view ending) {
    std::random_device source;
    std::string name = "." + path.filename().string().substr(0, 200);
    name += marker;
    for (std::size_t i = 0; i < suffix_length; ++i) name += digits[source() % digits.size()];
    name += ending;
    return path.parent_path() / name;
}

}  // namespace lapidary
