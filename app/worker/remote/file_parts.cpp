// SPDX-License-Identifier: Apache-2.0
#include "worker/remote/file_parts.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <system_error>
#include <utility>

#include <lapidary/base/error.h>
#include <lapidary/internal/content_hash.h>
#include <lapidary/onnx_io/model_io.h>

#include "worker/inputs/given_inputs.h"

namespace lapidary::app {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t least_part = std::size_t{1} << 18, most_part = std::size_t{1} << 22;
constexpr std::uint64_t cut_mask = ((std::uint64_t{1} << 20) - 1) << 44;  // of 2^20 bytes one
constexpr std::size_t most_files = 200'000;

/// A random number for each byte, the same on every machine (SplitMix64).
constexpr std::array<std::uint64_t, 256> byte_numbers() {
    std::array<std::uint64_t, 256> numbers{};
    std::uint64_t state = 0x9e3779b97f4a7c15U;
    for (std::uint64_t& number : numbers) {
        std::uint64_t z = state += 0x9e3779b97f4a7c15U;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
        number = z ^ (z >> 31);
    }
    return numbers;
}

/// Length of the first part of `bytes`.
std::size_t cut_of(std::span<const std::byte> bytes) {
    static constexpr std::array<std::uint64_t, 256> numbers = byte_numbers();
    const std::size_t end = std::min(bytes.size(), most_part);
    std::uint64_t hash = 0;
    for (std::size_t i = std::min(end, least_part - 64); i < end; ++i) {
        hash = (hash << 1) + numbers[std::to_integer<std::size_t>(bytes[i])];
        if (i >= least_part && (hash & cut_mask) == 0) return i + 1;
    }
    return end;
}

std::string name_in(const fs::path& file, const fs::path& folder) {
    const std::u8string name = file.lexically_relative(folder).generic_u8string();
    return {name.begin(), name.end()};
}

FileGroup files_below(const fs::path& folder) {
    FileGroup group{folder, {}, {}};
    std::error_code problem;
    for (fs::recursive_directory_iterator at(folder, problem), end; at != end;
         at.increment(problem)) {
        if (problem) break;
        if (!at->is_regular_file()) continue;
        if (group.names.size() == most_files)
            throw Error(ErrorCode::limit_exceeded,
                        "expected at most " + std::to_string(most_files) + " files to send")
                .at(folder.string());
        group.names.push_back(name_in(at->path(), folder));
    }
    if (problem)
        throw Error(ErrorCode::io_failure, "the folder cannot be read: " + problem.message())
            .at(folder.string());
    std::ranges::sort(group.names);
    return group;
}

/// None of a file that is no valid model: whoever reads it there says so.
std::vector<fs::path> external_files_of(const fs::path& file, const Progress& progress) {
    try {
        std::vector<ModelFault> faults;
        return load_model(file, {.faults = &faults}, progress).external_files;
    } catch (const Error& error) {
        if (error.code() == ErrorCode::cancelled) throw;
        return {};
    }
}

}  // namespace

void cut_file(const fs::path& file, const CancelToken& cancel,
              const std::function<void(std::span<const std::byte>)>& take) {
    std::ifstream in(file, std::ios::binary);
    if (!in) throw Error(ErrorCode::io_failure, "the file cannot be read").at(file.string());
    std::vector<std::byte> buffer(4 * most_part);
    std::size_t begin = 0, end = 0;
    for (bool at_end = false;;) {
        cancel.throw_if_cancelled();
        if (!at_end && end - begin < most_part) {
            std::copy(buffer.begin() + static_cast<std::ptrdiff_t>(begin),
                      buffer.begin() + static_cast<std::ptrdiff_t>(end), buffer.begin());
            end -= std::exchange(begin, 0);
            in.read(reinterpret_cast<char*>(buffer.data() + end),
                    static_cast<std::streamsize>(buffer.size() - end));
            end += static_cast<std::size_t>(in.gcount());
            at_end = !in;
            if (in.bad())
                throw Error(ErrorCode::io_failure, "the file cannot be read").at(file.string());
        }
        if (begin == end) return;
        const std::span<const std::byte> rest(buffer.data() + begin, end - begin);
        const std::size_t length = cut_of(rest);
        take(rest.first(length));
        begin += length;
    }
}

FileGroup files_of(const fs::path& named, bool is_model, const Progress& progress) {
    std::error_code problem;
    const fs::path file = fs::absolute(named, problem).lexically_normal();
    if (fs::is_directory(file, problem))
        return files_below(file.has_filename() ? file : file.parent_path());
    if (!fs::is_regular_file(file, problem))
        throw Error(ErrorCode::io_failure, "there is no such file").at(named.string());
    FileGroup group{file.parent_path(), {name_in(file, file.parent_path())}, file.filename()};
    if (!is_model || (file.extension() != ".onnx" && file.extension() != ".ort")) return group;
    for (const fs::path& external : external_files_of(file, progress))
        group.names.push_back(name_in(fs::absolute(external).lexically_normal(), group.folder));
    std::ranges::sort(group.names);
    const auto repeated = std::ranges::unique(group.names);
    group.names.erase(repeated.begin(), repeated.end());
    return group;
}

std::vector<FileInParts> parts_of(const FileGroup& group, const Progress& progress) {
    std::vector<FileInParts> files;
    for (const std::string& name : group.names) {
        FileInParts& file = files.emplace_back();
        file.name = name;
        cut_file(group.folder / path_of_utf8(name), progress.cancel,
                 [&](std::span<const std::byte> part) {
                     file.parts.push_back({sha256_hex(part), part.size()});
                 });
    }
    return files;
}

}  // namespace lapidary::app
