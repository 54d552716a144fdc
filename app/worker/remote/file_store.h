// SPDX-License-Identifier: Apache-2.0
// The cache of files that another machine sent to this one. A file is a row of parts, each known by
// its hash: a part that is here already, in whatever file, is not sent again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <lapidary/base/progress.h>

namespace lapidary::app {

struct FilePart {
    std::string hash;  // SHA-256
    std::uint64_t bytes = 0;
    friend bool operator==(const FilePart&, const FilePart&) = default;
};
struct FileInParts {
    std::string name;  // relative to the folder of its set, with "/"
    std::vector<FilePart> parts;
    friend bool operator==(const FileInParts&, const FileInParts&) = default;
};

/// What became of a set of files that belong together, such as a model and its external data.
struct PlacedFiles {
    std::string folder;                // they lie there; empty: parts are missing
    std::vector<std::string> missing;  // hashes, each once
};

/// In the folder: `files/ID/` with a complete set each, `files/ID.index` with its parts, and
/// `parts/HASH` of sets that are not complete yet. All of it may be deleted at any time.
class FileStore {
public:
    explicit FileStore(std::filesystem::path folder) : folder_(std::move(folder)) {}

    /// Puts a set together as far as its parts are known. A set is there whole or not at all.
    /// Throws invalid_input for names that lead out of the folder, io_failure, cancelled.
    PlacedFiles place(const std::vector<FileInParts>& files, const Progress& progress) const;
    /// Keeps a part until its set is complete. Throws io_failure.
    void keep_part(std::span<const std::byte> part) const;

private:
    struct Place {
        std::filesystem::path file;
        std::uint64_t offset = 0;
    };
    std::filesystem::path part_file(const std::string& hash) const;
    std::map<std::string, Place> known_parts() const;
    /// The part's bytes; nothing where no file has them any more.
    std::optional<std::vector<std::byte>> bytes_of(const FilePart& part,
                                                   const std::map<std::string, Place>& known) const;
    std::vector<std::string> write_files(const std::vector<FileInParts>& files,
                                         const std::filesystem::path& to,
                                         const Progress& progress) const;

    std::filesystem::path folder_;
};

/// The name of a set: a hash of its names and parts.
std::string set_name(const std::vector<FileInParts>& files);

}  // namespace lapidary::app
