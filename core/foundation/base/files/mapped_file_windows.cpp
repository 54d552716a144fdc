// SPDX-License-Identifier: Apache-2.0
#include "base/files/mapped_file.h"

#include <windows.h>

#include <algorithm>
#include <string>
#include <system_error>

#include <lapidary/base/error.h>
#include <lapidary/internal/file_bounds.h>

#include "base/files/input_protection.h"

namespace lapidary {
namespace {

constexpr DWORD share_all = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;

class OwnedHandle {
public:
    explicit OwnedHandle(HANDLE handle) : handle_(handle) {}
    OwnedHandle(const OwnedHandle&) = delete;
    OwnedHandle& operator=(const OwnedHandle&) = delete;
    ~OwnedHandle() {
        if (is_open()) ::CloseHandle(handle_);
    }
    bool is_open() const { return handle_ != nullptr && handle_ != INVALID_HANDLE_VALUE; }
    HANDLE get() const { return handle_; }

private:
    HANDLE handle_;
};

[[noreturn]] void fail_mapping(const std::filesystem::path& path, const std::string& what) {
    fail(ErrorCode::io_failure, quote(path.string(), 4096) + " " + what);
}

std::string system_words() {
    return std::error_code(static_cast<int>(::GetLastError()), std::system_category()).message();
}

std::uint64_t joined(DWORD high, DWORD low) {
    return (static_cast<std::uint64_t>(high) << 32) | low;
}

FileIdentity identity_of(const std::filesystem::path& path,
                         const BY_HANDLE_FILE_INFORMATION& info) {
    return {path, info.dwVolumeSerialNumber, joined(info.nFileIndexHigh, info.nFileIndexLow),
            joined(info.nFileSizeHigh, info.nFileSizeLow),
            static_cast<std::int64_t>(
                joined(info.ftLastWriteTime.dwHighDateTime, info.ftLastWriteTime.dwLowDateTime)) *
                100};
}

}  // namespace

std::shared_ptr<const MappedFile> MappedFile::open(const std::filesystem::path& path,
                                                   Reading reading) {
    if (reading == Reading::input) require_readable(path);
    const DWORD attributes = ::GetFileAttributesW(path.c_str());
    if (attributes == INVALID_FILE_ATTRIBUTES)
        fail_mapping(path, "cannot be opened: " + system_words());
    if ((attributes & FILE_ATTRIBUTE_DIRECTORY) != 0)
        fail_mapping(path, "is a folder, expected a regular file");
    const HANDLE file = ::CreateFileW(path.c_str(), GENERIC_READ, share_all, nullptr, OPEN_EXISTING,
                                      FILE_ATTRIBUTE_NORMAL, nullptr);
    if (file == INVALID_HANDLE_VALUE) fail_mapping(path, "cannot be opened: " + system_words());
    return adopt(reinterpret_cast<NativeFile>(file), path, reading);
}

std::shared_ptr<const MappedFile> MappedFile::adopt(NativeFile opened,
                                                    const std::filesystem::path& path,
                                                    Reading reading) {
    const OwnedHandle handle(reinterpret_cast<HANDLE>(opened));
    if (::GetFileType(handle.get()) != FILE_TYPE_DISK)
        fail_mapping(path, "is a device or pipe, expected a regular file");
    BY_HANDLE_FILE_INFORMATION info;
    if (!::GetFileInformationByHandle(handle.get(), &info))
        fail_mapping(path, "cannot be examined: " + system_words());
    if ((info.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) != 0)
        fail_mapping(path, "is a folder, expected a regular file");
    std::shared_ptr<MappedFile> file(new MappedFile);
    file->identity_ = identity_of(std::filesystem::absolute(path), info);
    file->size_ = static_cast<std::size_t>(file->identity_.size);
    file->links_ = info.nNumberOfLinks;
    if (reading == Reading::input) note_input_file(file->identity_);
    if (file->size_ < map_from_bytes) {
        file->read_all(opened);
        return file;
    }
    const OwnedHandle section(
        ::CreateFileMappingW(handle.get(), nullptr, PAGE_READONLY, 0, 0, nullptr));
    if (!section.is_open()) fail_mapping(path, "cannot be mapped: " + system_words());
    file->mapping_ = ::MapViewOfFile(section.get(), FILE_MAP_READ, 0, 0, file->size_);
    if (file->mapping_ == nullptr) fail_mapping(path, "cannot be mapped: " + system_words());
    file->data_ = static_cast<const std::byte*>(file->mapping_);
    file->entry_ = std::make_unique<HeldFileEntry>(HeldFile{file->bytes(), true, file->identity_});
    return file;
}

void MappedFile::read_all(NativeFile opened) {
    copy_.resize(size_);
    for (std::size_t done = 0; done < size_;) {
        DWORD got = 0;
        if (!::ReadFile(reinterpret_cast<HANDLE>(opened), copy_.data() + done,
                        static_cast<DWORD>(size_ - done), &got, nullptr))
            fail_mapping(path(),
                         "cannot be read at byte " + std::to_string(done) + ": " + system_words());
        if (got == 0)
            fail_mapping(path(), "changed while it was read: it ends at byte " +
                                     std::to_string(done) + ", expected " + std::to_string(size_));
        done += got;
    }
    data_ = copy_.data();
    entry_ = std::make_unique<HeldFileEntry>(HeldFile{bytes(), false, identity_});
}

MappedFile::~MappedFile() {
    entry_.reset();
    if (mapping_ != nullptr) ::UnmapViewOfFile(mapping_);
}

bool MappedFile::is_unchanged() const { return identity_.is_unchanged(); }

std::optional<FileIdentity> FileIdentity::at(const std::filesystem::path& path) {
    if (path.empty()) return std::nullopt;
    const OwnedHandle file(::CreateFileW(path.c_str(), FILE_READ_ATTRIBUTES, share_all, nullptr,
                                         OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, nullptr));
    BY_HANDLE_FILE_INFORMATION info;
    if (!file.is_open() || !::GetFileInformationByHandle(file.get(), &info)) return std::nullopt;
    return identity_of(path, info);
}

bool FileIdentity::is_unchanged() const { return at(path) == *this; }

}  // namespace lapidary
