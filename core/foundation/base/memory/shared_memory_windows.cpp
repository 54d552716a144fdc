// SPDX-License-Identifier: Apache-2.0
// On Windows the name of shared memory disappears with the last process that has it open, so it
// could not be handed on. Blocks are therefore files in the temporary folder, mapped by their maker
// and read by the receiver. The system keeps such files in memory as far as it can.
#include <lapidary/internal/shared_memory.h>

#include <windows.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <system_error>
#include <utility>

#include <lapidary/base/error.h>

#include "base/memory/page_memory.h"
#include "base/memory/shared_memory_name.h"

namespace lapidary {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds settled_block{60};

fs::path file_of_block(const std::string& name) {
    std::error_code none;
    return fs::temp_directory_path(none) / name.substr(shared_file_mark.size());
}

void remove_block(const std::string& name) {
    std::error_code ignored;
    fs::remove(file_of_block(name), ignored);
}

std::string words_of_error(DWORD error) {
    return std::error_code(static_cast<int>(error), std::system_category()).message();
}

bool is_full(DWORD error) { return error == ERROR_DISK_FULL || error == ERROR_NOT_ENOUGH_MEMORY; }

template <typename F>
void each_block(const F& take) {
    std::error_code ended;
    for (fs::directory_iterator at(fs::temp_directory_path(ended), ended), end; !ended && at != end;
         at.increment(ended))
        if (const auto plain = at->path().filename().string();
            const auto process = process_of_shared_memory(plain))
            take(at->path(), *process, std::string(shared_file_mark) + plain);
}

bool is_gone(long process) {
    const HANDLE handle = ::OpenProcess(SYNCHRONIZE, FALSE, static_cast<DWORD>(process));
    if (handle == nullptr) return ::GetLastError() == ERROR_INVALID_PARAMETER;
    const bool has_ended = ::WaitForSingleObject(handle, 0) == WAIT_OBJECT_0;
    ::CloseHandle(handle);
    return has_ended;
}

/// Maps a new file of `bytes` bytes; null with the system's error.
void* new_block(const fs::path& path, std::size_t bytes, DWORD& error) {
    const HANDLE file = ::CreateFileW(path.c_str(), GENERIC_READ | GENERIC_WRITE, FILE_SHARE_READ,
                                      nullptr, CREATE_ALWAYS, FILE_ATTRIBUTE_TEMPORARY, nullptr);
    if (file == INVALID_HANDLE_VALUE) {
        error = ::GetLastError();
        return nullptr;
    }
    const HANDLE section =
        ::CreateFileMappingW(file, nullptr, PAGE_READWRITE, static_cast<DWORD>(bytes >> 32),
                             static_cast<DWORD>(bytes), nullptr);
    void* const data = section ? ::MapViewOfFile(section, FILE_MAP_WRITE, 0, 0, bytes) : nullptr;
    if (data == nullptr) error = ::GetLastError();
    if (section) ::CloseHandle(section);
    ::CloseHandle(file);
    return data;
}

/// Reads a file of `bytes` bytes into `to`.
bool read_block(HANDLE file, std::byte* to, std::size_t bytes) {
    constexpr std::size_t largest_read = std::size_t{64} << 20;
    for (std::size_t done = 0; done < bytes;) {
        DWORD got = 0;
        const auto step = static_cast<DWORD>(std::min(bytes - done, largest_read));
        if (!::ReadFile(file, to + done, step, &got, nullptr) || got == 0) return false;
        done += got;
    }
    return true;
}

}  // namespace

SharedMemory SharedMemory::create(std::size_t bytes) {
    static std::atomic<unsigned> counter{0};
    if (bytes == 0) fail(ErrorCode::internal, "a block of shared memory without bytes");
    SharedMemory block;
    block.name_ = std::string(shared_file_mark) +
                  shared_memory_name(static_cast<long>(::GetCurrentProcessId()), counter++);
    block.size_ = bytes;
    block.owns_name_ = true;
    DWORD error = 0;
    block.data_ = static_cast<std::byte*>(new_block(file_of_block(block.name_), bytes, error));
    if (block.data_ == nullptr)
        fail(is_full(error) ? ErrorCode::limit_exceeded : ErrorCode::io_failure,
             "no shared memory of " + std::to_string(bytes) +
                 " bytes for the result: " + words_of_error(error));
    return block;
}

SharedMemory SharedMemory::take(const std::string& name, std::size_t bytes) {
    const bool is_file = name.starts_with(shared_file_mark);
    if (!is_file ||
        !process_of_shared_memory(std::string_view(name).substr(shared_file_mark.size())) ||
        bytes == 0)
        fail(ErrorCode::invalid_input, quote(name) + " with " + std::to_string(bytes) +
                                           " bytes is no block of shared memory");
    const HANDLE file = ::CreateFileW(file_of_block(name).c_str(), GENERIC_READ,
                                      FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
                                      nullptr, OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, nullptr);
    if (file == INVALID_HANDLE_VALUE)
        fail(ErrorCode::io_failure, "the shared memory " + quote(name) +
                                        " cannot be opened: " + words_of_error(::GetLastError()));
    LARGE_INTEGER size{};
    const bool fits =
        ::GetFileSizeEx(file, &size) && static_cast<std::uint64_t>(size.QuadPart) == bytes;
    SharedMemory block;
    block.name_ = name;
    block.size_ = bytes;
    if (fits) block.data_ = static_cast<std::byte*>(map_pages(bytes, Pages::usual));
    const bool has_read = block.data_ != nullptr && read_block(file, block.data_, bytes);
    ::CloseHandle(file);
    remove_block(name);
    if (!fits)
        fail(ErrorCode::invalid_input, "the shared memory " + quote(name) + " has " +
                                           std::to_string(size.QuadPart) + " bytes, expected " +
                                           std::to_string(bytes));
    if (block.data_ == nullptr)
        fail(ErrorCode::limit_exceeded,
             "no memory for the " + std::to_string(bytes) + " bytes of a result");
    if (!has_read)
        fail(ErrorCode::io_failure, "the shared memory " + quote(name) + " cannot be read");
    return block;
}

SharedMemory::SharedMemory(SharedMemory&& other) noexcept { *this = std::move(other); }

SharedMemory& SharedMemory::operator=(SharedMemory&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(name_, other.name_);
    std::swap(owns_name_, other.owns_name_);
    return *this;
}

SharedMemory::~SharedMemory() {
    MEMORY_BASIC_INFORMATION info{};
    if (data_ != nullptr && ::VirtualQuery(data_, &info, sizeof info) != 0) {
        if (info.Type == MEM_MAPPED) ::UnmapViewOfFile(data_);
        else unmap_pages(data_, size_);
    }
    if (owns_name_) remove_block(name_);
}

bool SharedMemory::remove_left_by(long process) {
    bool found = false;
    each_block([&](const fs::path&, long of, const std::string& name) {
        if (of != process) return;
        remove_block(name);
        found = true;
    });
    return found;
}

void SharedMemory::remove_abandoned() {
    each_block([&](const fs::path& path, long of, const std::string& name) {
        if (!is_gone(of)) return;
        std::error_code gone;
        const auto written = fs::last_write_time(path, gone);
        if (!gone && fs::file_time_type::clock::now() - written > settled_block) remove_block(name);
    });
}

}  // namespace lapidary
