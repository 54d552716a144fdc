// SPDX-License-Identifier: Apache-2.0
#include "cli/farm/farm_content.h"

#include <algorithm>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include "cli/farm/farm_words.h"

namespace lapidary::cli {
namespace {

/// FNV-1a of 64 bits over all that is added.
class ContentHash {
public:
    void add(std::string_view bytes) {
        for (const char byte : bytes) {
            hash_ ^= static_cast<unsigned char>(byte);
            hash_ *= 0x100000001b3;
        }
    }
    void add(std::uint64_t number) { add(std::to_string(number) + ' '); }
    std::string text() const { return fmt::format("{:016x}", hash_); }

private:
    std::uint64_t hash_ = 0xcbf29ce484222325;
};

/// Adds `bytes` of the file from `begin` on, as far as they can be read.
void add_part(std::ifstream& in, std::uint64_t begin, std::uint64_t bytes, ContentHash& hash) {
    std::string part(static_cast<std::size_t>(bytes), '\0');
    in.clear();
    in.seekg(static_cast<std::streamoff>(begin));
    in.read(part.data(), static_cast<std::streamsize>(bytes));
    hash.add(std::string_view(part).substr(0, static_cast<std::size_t>(in.gcount())));
}

void add_content(const std::filesystem::path& file, std::uint64_t bytes, ContentHash& hash) {
    constexpr std::uint64_t end_bytes = 2 << 20, places = 1024, place_bytes = 4096;
    std::ifstream in(file, std::ios::binary);
    hash.add(bytes);
    if (bytes <= 2 * end_bytes + places * place_bytes) return add_part(in, 0, bytes, hash);
    add_part(in, 0, end_bytes, hash);
    add_part(in, bytes - end_bytes, end_bytes, hash);
    const std::uint64_t step = (bytes - 2 * end_bytes) / places;
    for (std::uint64_t i = 0; i < places; ++i)
        add_part(in, end_bytes + i * step, place_bytes, hash);
}

void add_names(const std::filesystem::path& folder, ContentHash& hash) {
    std::vector<std::string> files;
    std::error_code failed;
    for (const auto& entry : std::filesystem::directory_iterator(folder, failed)) {
        std::error_code none;
        const std::uint64_t bytes = entry.is_regular_file(none) ? entry.file_size(none) : 0;
        files.push_back(entry.path().filename().string() + '/' + std::to_string(bytes) + '/');
    }
    std::ranges::sort(files);
    for (const std::string& file : files) hash.add(file);
}

/// Adds a file or folder, where there is one.
void add_place(const std::filesystem::path& place, ContentHash& hash) {
    std::error_code failed;
    if (std::filesystem::is_directory(place, failed)) return add_names(place, hash);
    if (!std::filesystem::is_regular_file(place, failed)) return;
    const std::uint64_t bytes = std::filesystem::file_size(place, failed);
    if (!failed) add_content(place, bytes, hash);
}

}  // namespace

std::string farm_content(const app::FarmTask& task) {
    ContentHash hash;
    for (const char* beside : {"", ".data", "_data"}) add_place(task.model + beside, hash);
    for (const Words& step : task.steps) try {
            for (const std::string& value : checked_command(step).data) {
                std::error_code failed;
                const bool is_place = std::filesystem::exists(value, failed);
                add_place(is_place ? value : value.substr(0, value.rfind(':')), hash);
            }
        } catch (const std::exception&) {  // running the command reports it
        }
    return hash.text();
}

}  // namespace lapidary::cli
