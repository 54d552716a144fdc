// SPDX-License-Identifier: Apache-2.0
#include "onnx_io/weights/external_data.h"

#include <charconv>
#include <optional>

#include <lapidary/base/error.h>

#include "base/files/checksum.h"

namespace lapidary::onnx_io {
namespace {

std::string tensor_label(const std::string& name) {
    return "tensor " + quote(name) + ": external data";
}

[[noreturn]] void fail_open(const std::string& name, const std::string& location,
                            const std::filesystem::path& folder, const OpenFailure& failure) {
    const std::string what = tensor_label(name) + " " + quote(location);
    if (failure.kind == OpenFailure::Kind::symbolic_link)
        fail(ErrorCode::io_failure,
             what +
                 " is, or passes through, a symbolic link that does not lead to a file below the "
                 "folder of the model "
                 "(or of the file that the model links to): links out of it are not followed");
    if (failure.kind == OpenFailure::Kind::outside)
        fail_model(what + " lies outside the model's folder " + quote(folder.string(), 4096));
    fail(ErrorCode::io_failure, what + " cannot be opened as " +
                                    quote((folder / location).string(), 4096) + ": " +
                                    failure.reason);
}

/// Complaints that need no look at the disk. What passes is a plain relative path without "..".
void check_location(const std::string& name, const std::string& location) {
    const std::string what = tensor_label(name);
    if (location.empty()) fail_model(what + " has an empty location");
    if (location.find('\0') != std::string::npos)
        fail_model(what + ": location " + quote(location) + " holds a NUL byte");
    if (location.size() > 4096)
        fail_model(what + ": the location has " + std::to_string(location.size()) +
                   " bytes, at most 4096 are allowed");
    if (location.find("://") != std::string::npos)
        fail_model(what + ": location " + quote(location) +
                   " is a URL, outside the model's folder; only files beside the model are read");
    if (location.front() == '/')
        fail_model(what + ": location " + quote(location) +
                   " is an absolute path, outside the model's folder");
    if (location.find('\\') != std::string::npos)
        fail_model(what + ": location " + quote(location) +
                   " holds a backslash: a path outside the model's folder or of another system; "
                   "'/' separates folders");
    int depth = 0;
    for (const auto& part : std::filesystem::path(location)) {
        if (part == "..") --depth;
        else if (part != "." && !part.empty()) ++depth;
        if (depth < 0)
            fail_model(what + ": location " + quote(location) + " lies outside the model's folder");
    }
}

/// Decimal digits only: no sign, blank, prefix or leading zero.
std::uint64_t parse_number(const std::string& name, const std::string& key,
                           const std::string& text) {
    std::uint64_t value = 0;
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value, 10);
    const bool plain = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos &&
                       (text.size() == 1 || text.front() != '0');
    if (!plain || stop != end || error != std::errc{} || value > std::uint64_t{1} << 62)
        fail_model(tensor_label(name) + ": " + key + " is " + quote(text) +
                   ", expected a plain decimal number of bytes below 2^62");
    return value;
}

struct Entries {
    std::optional<std::string> location, checksum;
    std::optional<std::uint64_t> offset, length;
};

Entries parse_entries(const std::string& name,
                      const std::vector<std::pair<std::string, std::string>>& pairs,
                      WarningList& warnings) {
    Entries out;
    std::set<std::string> seen;
    for (const auto& [key, value] : pairs) {
        if (!seen.insert(key).second)
            fail_model(tensor_label(name) + ": key " + quote(key) + " is given twice");
        if (key == "location") out.location = value;
        else if (key == "offset") out.offset = parse_number(name, key, value);
        else if (key == "length") out.length = parse_number(name, key, value);
        else if (key == "checksum") out.checksum = value;
        else
            warnings.add("unknown keys of external data", "tensor " + quote(name),
                         "external data has the unknown key " + quote(key) + ", which is ignored");
    }
    if (!out.location) fail_model(tensor_label(name) + " names no location");
    return out;
}

}  // namespace

ExternalData::ExternalData(const std::filesystem::path& folder,
                           std::shared_ptr<const MappedFile> model, const Limits& limits,
                           WarningList& warnings)
    : folder_(folder.empty() ? folder : std::filesystem::absolute(folder)),
      model_(std::move(model)), limits_(limits), warnings_(warnings) {}

std::vector<std::filesystem::path> ExternalData::real_folders() const {
    std::vector<std::filesystem::path> folders;
    std::error_code failed;
    if (auto own = std::filesystem::canonical(folder_, failed); !failed)
        folders.push_back(std::move(own));
    if (!model_) return folders;
    const auto real = std::filesystem::canonical(model_->path(), failed);
    if (failed) return folders;
    // Only the file that was read may say which folder is its own: the link could have been changed
    // since.
    const auto there = FileIdentity::at(real);
    const FileIdentity& read = model_->identity();
    if (there && there->device == read.device && there->inode == read.inode)
        folders.push_back(real.parent_path());
    return folders;
}

std::shared_ptr<const MappedFile> ExternalData::open_linked(const std::string& name,
                                                            const std::string& location,
                                                            OpenFailure& failure) const {
    std::error_code failed;
    const auto target = std::filesystem::canonical(folder_ / location, failed);
    if (failed) return nullptr;
    for (const std::filesystem::path& folder : real_folders()) {
        const std::string inner = target.lexically_relative(folder).generic_string();
        if (inner.empty() || inner == "." || inner == ".." || inner.starts_with("../")) continue;
        FolderHandle opened;
        if (!opened.open(folder, failure)) continue;
        if (const char* const kind = opened.kind_of_no_file(inner))
            fail_model(tensor_label(name) + " " + quote(location) + " leads to " + kind +
                       ", expected a regular file");
        if (auto file = opened.map(inner, failure)) return file;
    }
    return nullptr;
}

std::shared_ptr<const MappedFile> ExternalData::open(const std::string& name,
                                                     const std::string& location) {
    if (const auto it = files_.find(location); it != files_.end()) return it->second;
    check_location(name, location);
    if (folder_.empty())
        fail(ErrorCode::io_failure,
             tensor_label(name) + " " + quote(location) +
                 " cannot be found: the model has no folder (it was read from memory)");
    OpenFailure failure;
    if (!opened_folder_.is_open() && !opened_folder_.open(folder_, failure))
        fail_open(name, location, folder_, failure);
    if (const char* const kind = opened_folder_.kind_of_no_file(location))
        fail_model(tensor_label(name) + " " + quote(location) + " is " + kind +
                   ", expected a regular file");
    std::shared_ptr<const MappedFile> file;
    try {
        file = opened_folder_.map(location, failure);
        if (!file && failure.kind == OpenFailure::Kind::symbolic_link)
            file = open_linked(name, location, failure);
    } catch (Error& e) { throw e.at(tensor_label(name)); }
    if (!file) fail_open(name, location, folder_, failure);
    total_bytes_ += file->bytes().size();
    if (total_bytes_ > limits_.model_bytes)
        fail_limit(tensor_label(name) + " " + quote(location) + " brings the model to " +
                   std::to_string(total_bytes_) + " bytes, the limit is " +
                   std::to_string(limits_.model_bytes));
    if (file->link_count() > 1)
        warnings_.add("external data with hard links", "external data " + quote(location),
                      "the file has " + std::to_string(file->link_count()) +
                          " names (hard links): it may belong to something else too");
    files_.emplace(location, file);
    return file;
}

void ExternalData::lie_within(std::span<const std::byte> bytes,
                              std::shared_ptr<const MappedFile> file) {
    is_within_ = true;
    within_ = {bytes, std::move(file)};
}

ExternalData::Range ExternalData::find_within(
    const std::string& name, const std::vector<std::pair<std::string, std::string>>& entries,
    std::uint64_t expected_bytes) const {
    std::uint64_t offset = 0, length = 0;
    for (const auto& [key, value] : entries)
        (key == "offset" ? offset : length) = parse_number(name, key, value);
    if (length != expected_bytes)
        fail_model("tensor " + quote(name) + ": its shape and type need " +
                   std::to_string(expected_bytes) + " bytes, raw_data has " +
                   std::to_string(length));
    return {
        within_.bytes.subspan(static_cast<std::size_t>(offset), static_cast<std::size_t>(length)),
        within_.file};
}

ExternalData::Range ExternalData::find(
    const std::string& name, const std::vector<std::pair<std::string, std::string>>& entries,
    std::uint64_t expected_bytes) {
    if (is_within_) return find_within(name, entries, expected_bytes);
    const Entries entry = parse_entries(name, entries, warnings_);
    const auto file = open(name, *entry.location);
    const std::string what = tensor_label(name) + " " + quote(*entry.location);
    const std::uint64_t size = file->bytes().size(), offset = entry.offset.value_or(0);
    if (offset > size)
        fail_model(what + ": offset " + std::to_string(offset) +
                   " lies past the end of the file, which has " + std::to_string(size) + " bytes");
    if (entry.length && *entry.length != expected_bytes)
        fail_model(what + ": length is " + std::to_string(*entry.length) +
                   " bytes, the tensor's shape and type need " + std::to_string(expected_bytes));
    if (expected_bytes > size - offset)
        fail_model(what + ": " + std::to_string(expected_bytes) + " bytes are needed from offset " +
                   std::to_string(offset) + ", the file has " + std::to_string(size));
    if (entry.checksum) {
        auto& computed = checksums_[*entry.location];
        if (computed.empty()) computed = sha1_hex(file->bytes());
        std::string claimed = *entry.checksum;
        for (char& c : claimed)
            if (c >= 'A' && c <= 'F') c = static_cast<char>(c - 'A' + 'a');
        if (claimed != computed)
            fail_model(what + ": checksum " + quote(*entry.checksum) +
                       " does not match the file's SHA-1 " + computed);
    }
    return {file->bytes().subspan(static_cast<std::size_t>(offset),
                                  static_cast<std::size_t>(expected_bytes)),
            file};
}

std::vector<std::filesystem::path> ExternalData::paths() const {
    std::vector<std::filesystem::path> out;
    for (const auto& [location, file] : files_) out.push_back(file->path());
    return out;
}

void ExternalData::require_unchanged() const {
    for (const auto& [location, file] : files_)
        if (!file->is_unchanged())
            fail(ErrorCode::io_failure,
                 "external data " + quote(location) + " changed while the model was read");
}

}  // namespace lapidary::onnx_io
