// SPDX-License-Identifier: Apache-2.0
#include "base/files/held_files.h"

#include <map>
#include <mutex>

namespace lapidary {
namespace {

struct HeldFiles {
    std::mutex mutex;
    std::map<const std::byte*, HeldFile> by_begin;  // empty files are not included
};

/// Never destroyed, because static objects may hold files.
HeldFiles& held_files() {
    static auto* const files = new HeldFiles;
    return *files;
}

}  // namespace

HeldFileEntry::HeldFileEntry(const HeldFile& file)
    : begin_(file.bytes.empty() ? nullptr : file.bytes.data()) {
    if (begin_ == nullptr) return;
    const std::lock_guard lock(held_files().mutex);
    held_files().by_begin[begin_] = file;
}

HeldFileEntry::~HeldFileEntry() {
    if (begin_ == nullptr) return;
    const std::lock_guard lock(held_files().mutex);
    held_files().by_begin.erase(begin_);
}

std::optional<HeldFile> held_file_at(const void* address) {
    const auto* const at = static_cast<const std::byte*>(address);
    HeldFiles& files = held_files();
    const std::lock_guard lock(files.mutex);
    auto next = files.by_begin.upper_bound(at);
    if (next == files.by_begin.begin()) return std::nullopt;
    const HeldFile& file = std::prev(next)->second;
    return at < file.bytes.data() + file.bytes.size() ? std::optional(file) : std::nullopt;
}

}  // namespace lapidary
