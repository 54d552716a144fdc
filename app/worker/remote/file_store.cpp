// SPDX-License-Identifier: Apache-2.0
#include "worker/remote/file_store.h"

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>
#include <string_view>
#include <system_error>
#include <utility>

#include <lapidary/base/error.h>
#include <lapidary/internal/content_hash.h>

#include "worker/inputs/given_inputs.h"
#include "worker/process/running_process.h"

namespace lapidary::app {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t most_part_bytes = std::uint64_t{64} << 20;
constexpr std::size_t hash_characters = 64;

bool is_hash(std::string_view text) {
    return text.size() == hash_characters &&
           text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

void require_good_name(const std::string& name) {
    bool is_good = !name.empty() && name.front() != '/' && name.back() != '/' &&
                   ("/" + name + "/").find("/../") == std::string::npos &&
                   ("/" + name + "/").find("/./") == std::string::npos &&
                   name.find("//") == std::string::npos &&
                   name.find_first_of("\\:") == std::string::npos;
    for (const char c : name) is_good = is_good && static_cast<unsigned char>(c) >= ' ';
    if (!is_good) fail_input("expected the name of a file below its folder, found " + quote(name));
}

void require_good(const std::vector<FileInParts>& files) {
    std::set<std::string> names;
    for (const FileInParts& file : files) {
        require_good_name(file.name);
        if (!names.insert(file.name).second)
            fail_input("two files of a set are called " + quote(file.name));
        for (const FilePart& part : file.parts)
            if (!is_hash(part.hash) || part.bytes > most_part_bytes)
                fail_input("a part of " + quote(file.name) + " has no hash, or is too large");
    }
}

[[noreturn]] void fail_write(const fs::path& file) {
    throw Error(ErrorCode::io_failure, "it cannot be written; is there room left on the disk?")
        .at(file.string());
}

void make_folder(const fs::path& folder) {
    std::error_code problem;
    fs::create_directories(folder, problem);
    if (problem)
        throw Error(ErrorCode::io_failure, "the folder cannot be made: " + problem.message())
            .at(folder.string());
}

/// Writes a file beside its place and renames it, so that it is there whole or not at all.
void write_whole(const fs::path& file, std::span<const std::byte> bytes) {
    fs::path beside = file;
    beside += "." + std::to_string(this_process());
    {
        std::ofstream out(beside, std::ios::binary | std::ios::trunc);
        out.write(reinterpret_cast<const char*>(bytes.data()),
                  static_cast<std::streamsize>(bytes.size()));
        out.flush();
        if (!out) {
            std::error_code ignored;
            fs::remove(beside, ignored);
            fail_write(file);
        }
    }
    std::error_code problem;
    fs::rename(beside, file, problem);
    if (problem) fail_write(file);
}

std::string index_text(const std::vector<FileInParts>& files) {
    std::string text;
    for (const FileInParts& file : files) {
        std::uint64_t offset = 0;
        for (const FilePart& part : file.parts) {
            text += part.hash + ' ' + std::to_string(offset) + ' ' + file.name + '\n';
            offset += part.bytes;
        }
    }
    return text;
}

/// The part's bytes in the file; nothing where others are there.
std::optional<std::vector<std::byte>> read_part(const fs::path& file, std::uint64_t offset,
                                                const FilePart& part) {
    std::ifstream in(file, std::ios::binary);
    if (!in.seekg(static_cast<std::streamoff>(offset))) return std::nullopt;
    std::vector<std::byte> bytes(part.bytes);
    if (!in.read(reinterpret_cast<char*>(bytes.data()),
                 static_cast<std::streamsize>(bytes.size())) ||
        sha256_hex(bytes) != part.hash)
        return std::nullopt;
    return bytes;
}

/// Whether the files are there with these bytes: a disk that lost its power may have others.
bool has_all(const std::vector<FileInParts>& files, const fs::path& folder,
             const Progress& progress) {
    return std::ranges::all_of(files, [&](const FileInParts& file) {
        const fs::path path = folder / path_of_utf8(file.name);
        std::uint64_t bytes = 0;
        for (const FilePart& part : file.parts) bytes += part.bytes;
        std::error_code problem;
        if (fs::file_size(path, problem) != bytes || problem) return false;
        std::uint64_t offset = 0;
        return std::ranges::all_of(file.parts, [&](const FilePart& part) {
            progress.cancel.throw_if_cancelled();
            return read_part(path, std::exchange(offset, offset + part.bytes), part).has_value();
        });
    });
}

/// A folder that is removed unless it was renamed.
struct UnfinishedFolder {
    fs::path path;
    ~UnfinishedFolder() {
        std::error_code ignored;
        fs::remove_all(path, ignored);
    }
};

}  // namespace

std::string set_name(const std::vector<FileInParts>& files) {
    std::string text;
    for (const FileInParts& file : files) {
        text += file.name + '\n';
        for (const FilePart& part : file.parts)
            text += part.hash + ' ' + std::to_string(part.bytes) + '\n';
    }
    return sha256_hex(std::as_bytes(std::span(text))).substr(0, 32);
}

fs::path FileStore::part_file(const std::string& hash) const { return folder_ / "parts" / hash; }

void FileStore::keep_part(std::span<const std::byte> part) const {
    make_folder(folder_ / "parts");
    write_whole(part_file(sha256_hex(part)), part);
}

std::map<std::string, FileStore::Place> FileStore::known_parts() const {
    std::map<std::string, Place> known;
    std::error_code none;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder_ / "files", none)) {
        if (entry.path().extension() != ".index") continue;
        std::ifstream index(entry.path());
        std::string line;
        while (std::getline(index, line)) {
            std::istringstream words(line);
            std::string hash, name;
            std::uint64_t offset = 0;
            if (!(words >> hash >> offset) || words.get() != ' ' || !std::getline(words, name))
                continue;
            known[hash] = {fs::path(entry.path()).replace_extension() / path_of_utf8(name), offset};
        }
    }
    return known;
}

std::optional<std::vector<std::byte>> FileStore::bytes_of(
    const FilePart& part, const std::map<std::string, Place>& known) const {
    if (auto bytes = read_part(part_file(part.hash), 0, part)) return bytes;
    const auto at = known.find(part.hash);
    return at == known.end() ? std::nullopt : read_part(at->second.file, at->second.offset, part);
}

std::vector<std::string> FileStore::write_files(const std::vector<FileInParts>& files,
                                                const fs::path& to,
                                                const Progress& progress) const {
    const std::map<std::string, Place> known = known_parts();
    std::vector<std::string> missing;
    std::set<std::string> listed;
    for (const FileInParts& file : files)
        for (const FilePart& part : file.parts)
            if (!known.contains(part.hash) && !fs::exists(part_file(part.hash)) &&
                listed.insert(part.hash).second)
                missing.push_back(part.hash);
    if (!missing.empty()) return missing;
    for (const FileInParts& file : files) {
        const fs::path path = to / path_of_utf8(file.name);
        make_folder(path.parent_path());
        std::ofstream out(path, std::ios::binary | std::ios::trunc);
        for (const FilePart& part : file.parts) {
            progress.cancel.throw_if_cancelled();
            const auto bytes = bytes_of(part, known);
            if (!bytes) {  // a file that had it was changed or deleted
                if (listed.insert(part.hash).second) missing.push_back(part.hash);
                continue;
            }
            out.write(reinterpret_cast<const char*>(bytes->data()),
                      static_cast<std::streamsize>(bytes->size()));
        }
        out.flush();
        if (!out) fail_write(path);
    }
    return missing;
}

PlacedFiles FileStore::place(const std::vector<FileInParts>& files,
                             const Progress& progress) const {
    require_good(files);
    const std::string name = set_name(files);
    const fs::path folder = folder_ / "files" / name, index = folder_ / "files" / (name + ".index");
    // the index is written last
    if (fs::exists(index) && has_all(files, folder, progress)) return {folder.string(), {}};
    make_folder(folder_ / "files");
    const UnfinishedFolder unfinished{folder_ / "files" /
                                      (name + "." + std::to_string(this_process()))};
    make_folder(unfinished.path);
    std::vector<std::string> missing = write_files(files, unfinished.path, progress);
    if (!missing.empty()) {
        std::error_code ignored;  // indexed parts that are no longer there would be found again
        for (const std::string& hash : missing) fs::remove(part_file(hash), ignored);
        return {{}, std::move(missing)};
    }
    std::error_code problem;
    fs::remove(index, problem);  // of files that were changed
    fs::remove_all(folder, problem);
    fs::rename(unfinished.path, folder, problem);
    if (problem && !fs::is_directory(folder)) fail_write(folder);
    const std::string text = index_text(files);
    write_whole(index, std::as_bytes(std::span(text)));
    std::error_code ignored;
    for (const FileInParts& file : files)
        for (const FilePart& part : file.parts) fs::remove(part_file(part.hash), ignored);
    return {folder.string(), {}};
}

}  // namespace lapidary::app
