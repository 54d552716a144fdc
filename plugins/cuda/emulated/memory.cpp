// SPDX-License-Identifier: Apache-2.0
#include "emulated/memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <string>

#include "device_error.h"
#include "plugin_abi.h"

namespace lapidary::cuda::emulated {
namespace {

std::uint64_t page_bytes() { return static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE)); }

}  // namespace

Memory& Memory::get() {
    static Memory memory;
    return memory;
}

void* Memory::allocate(std::uint64_t bytes) {
    const std::uint64_t page = page_bytes(),
                        used = std::max<std::uint64_t>((bytes + 255) / 256 * 256, 256);
    const std::uint64_t whole = (used + page - 1) / page * page;
    // the page after the block stays inaccessible: overrunning the block crashes there
    void* base = ::mmap(nullptr, whole + page, PROT_NONE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (base == MAP_FAILED)
        throw DeviceError(LP_OUT_OF_MEMORY,
                          "the host has no " + std::to_string(bytes) + " bytes for the device");
    auto* const begin = static_cast<char*>(base);
    ::mprotect(begin, whole, PROT_READ | PROT_WRITE);
    char* const data = begin + (whole - used);
    std::memset(data, 0xff, used);
    const std::lock_guard lock(mutex_);
    if (open_ == 0) ::mprotect(begin, whole, PROT_NONE);
    blocks_[data] = {begin, whole};
    return data;
}

void Memory::release(void* data) noexcept {
    std::unique_lock lock(mutex_);
    idle_.wait(lock, [&] { return queued_ == 0; });
    const auto block = blocks_.find(static_cast<char*>(data));
    if (block == blocks_.end()) return;
    ::munmap(block->second.begin, block->second.bytes + page_bytes());
    blocks_.erase(block);
}

std::size_t Memory::block_count() {
    const std::lock_guard lock(mutex_);
    return blocks_.size();
}

void Memory::note_queued() {
    const std::lock_guard lock(mutex_);
    ++queued_;
}

void Memory::note_done(std::size_t pieces) {
    const std::lock_guard lock(mutex_);
    queued_ -= pieces;
    if (queued_ == 0) idle_.notify_all();
}

void Memory::open() {
    const std::lock_guard lock(mutex_);
    if (open_++ == 0) protect(PROT_READ | PROT_WRITE);
}

void Memory::close() {
    const std::lock_guard lock(mutex_);
    if (--open_ == 0) protect(PROT_NONE);
}

void Memory::protect(int access) {
    for (const auto& [data, pages] : blocks_) ::mprotect(pages.begin, pages.bytes, access);
}

}  // namespace lapidary::cuda::emulated
