// SPDX-License-Identifier: Apache-2.0
#include "base/files/folder_handle.h"

#include <windows.h>

#include <system_error>
#include <vector>

namespace lapidary {
namespace {

constexpr DWORD share_with_all = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;

std::string words_of(DWORD error) {
    return std::error_code(static_cast<int>(error), std::system_category()).message();
}

OpenFailure system_failure() { return {OpenFailure::Kind::system, words_of(::GetLastError())}; }

/// Where a handle leads when all links are followed; empty: unknown.
std::wstring final_path(HANDLE handle) {
    std::vector<wchar_t> name(32768);
    const DWORD length =
        ::GetFinalPathNameByHandleW(handle, name.data(), static_cast<DWORD>(name.size()), 0);
    return length == 0 || length >= name.size() ? std::wstring()
                                                : std::wstring(name.data(), length);
}

bool is_below(const std::wstring& file, const std::wstring& folder) {
    return !folder.empty() && file.size() > folder.size() && file.starts_with(folder) &&
           (folder.back() == L'\\' || file[folder.size()] == L'\\');
}

/// A link of any kind among the folders and the file that `location` names.
bool passes_link(const std::filesystem::path& folder, const std::string& location) {
    std::filesystem::path at = folder;
    for (const auto& part : std::filesystem::path(location)) {
        at /= part;
        const DWORD attributes = ::GetFileAttributesW(at.c_str());
        if (attributes != INVALID_FILE_ATTRIBUTES &&
            (attributes & FILE_ATTRIBUTE_REPARSE_POINT) != 0)
            return true;
    }
    return false;
}

}  // namespace

FolderHandle::~FolderHandle() {
    if (is_open()) ::CloseHandle(reinterpret_cast<HANDLE>(folder_));
}

bool FolderHandle::open(const std::filesystem::path& path, OpenFailure& failure) {
    path_ = path;
    folder_ = reinterpret_cast<NativeFile>(::CreateFileW(path.c_str(), FILE_READ_ATTRIBUTES,
                                                         share_with_all, nullptr, OPEN_EXISTING,
                                                         FILE_FLAG_BACKUP_SEMANTICS, nullptr));
    if (!is_open()) failure = system_failure();
    return is_open();
}

const char* FolderHandle::kind_of_no_file(const std::string& location) const {
    const DWORD attributes = ::GetFileAttributesW((path_ / location).c_str());
    if (attributes == INVALID_FILE_ATTRIBUTES || (attributes & FILE_ATTRIBUTE_REPARSE_POINT) != 0)
        return nullptr;
    if ((attributes & FILE_ATTRIBUTE_DIRECTORY) != 0) return "a folder";
    return (attributes & FILE_ATTRIBUTE_DEVICE) != 0 ? "a device or socket" : nullptr;
}

// Checks for links first. The path of the opened file shows whether one was added meanwhile.
std::shared_ptr<const MappedFile> FolderHandle::map(const std::string& location,
                                                    OpenFailure& failure) const {
    if (location.find(':') != std::string::npos) {  // a drive, or a stream of a file
        failure = {OpenFailure::Kind::outside, {}};
        return nullptr;
    }
    if (passes_link(path_, location)) {
        failure = {OpenFailure::Kind::symbolic_link, {}};
        return nullptr;
    }
    const HANDLE file =
        ::CreateFileW((path_ / location).c_str(), GENERIC_READ, share_with_all, nullptr,
                      OPEN_EXISTING, FILE_FLAG_OPEN_REPARSE_POINT, nullptr);
    if (file == INVALID_HANDLE_VALUE) {
        failure = system_failure();
        return nullptr;
    }
    if (!is_below(final_path(file), final_path(reinterpret_cast<HANDLE>(folder_)))) {
        ::CloseHandle(file);
        failure = {OpenFailure::Kind::outside, {}};
        return nullptr;
    }
    return MappedFile::adopt(reinterpret_cast<NativeFile>(file), path_ / location);
}

}  // namespace lapidary
