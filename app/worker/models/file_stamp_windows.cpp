// SPDX-License-Identifier: Apache-2.0
#include "worker/models/file_stamp.h"

#include <windows.h>

#include <system_error>

#include <lapidary/base/error.h>

namespace lapidary::app {
namespace {

constexpr std::int64_t ticks_to_1970 = 116'444'736'000'000'000;  // of 100 ns, from 1601

std::uint64_t joined_words(DWORD high, DWORD low) {
    return (static_cast<std::uint64_t>(high) << 32) | low;
}

std::int64_t ns_since_1970(std::int64_t ticks) { return (ticks - ticks_to_1970) * 100; }

}  // namespace

FileStamp FileStamp::of(const std::filesystem::path& path) {
    const HANDLE file = ::CreateFileW(path.c_str(), FILE_READ_ATTRIBUTES,
                                      FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
                                      nullptr, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, nullptr);
    BY_HANDLE_FILE_INFORMATION info{};
    FILE_BASIC_INFO times{};
    const bool is_known = file != INVALID_HANDLE_VALUE &&
                          ::GetFileInformationByHandle(file, &info) &&
                          ::GetFileInformationByHandleEx(file, FileBasicInfo, &times, sizeof times);
    const std::error_code error(static_cast<int>(::GetLastError()), std::system_category());
    if (file != INVALID_HANDLE_VALUE) ::CloseHandle(file);
    if (!is_known)
        throw Error(ErrorCode::io_failure, "the file cannot be read: " + error.message())
            .at(path.string());
    return {path,
            info.dwVolumeSerialNumber,
            joined_words(info.nFileIndexHigh, info.nFileIndexLow),
            joined_words(info.nFileSizeHigh, info.nFileSizeLow),
            ns_since_1970(times.LastWriteTime.QuadPart),
            ns_since_1970(times.ChangeTime.QuadPart)};
}

}  // namespace lapidary::app
