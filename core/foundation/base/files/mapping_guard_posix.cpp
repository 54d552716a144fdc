// SPDX-License-Identifier: Apache-2.0
#include "base/files/mapping_guard.h"

#include <array>
#include <cstdint>
#include <mutex>

#include <csignal>
#include <sys/mman.h>
#include <unistd.h>

#include <lapidary/base/error.h>

#include "base/memory/page_memory.h"

namespace lapidary {
namespace {

// Everything the handler touches: plain atomics, no locks.
struct Slot {
    std::atomic<bool> is_taken{false};
    std::atomic<std::uintptr_t> begin{0}, end{0};
    std::atomic<bool> is_damaged{false};
};

std::array<Slot, 1024> slots;
std::uintptr_t page_bytes = 4096;
struct sigaction previous;
std::atomic<std::uint64_t> damages{0};

/// Puts zeros in place of the file from the faulting page to the mapping's end.
bool repair(std::uintptr_t address) {
    for (Slot& slot : slots) {
        const std::uintptr_t begin = slot.begin.load(std::memory_order_acquire),
                             end = slot.end.load(std::memory_order_acquire);
        if (begin == 0 || address < begin || address >= end) continue;
        const std::uintptr_t page = address / page_bytes * page_bytes;
        if (::mmap(reinterpret_cast<void*>(page), end - page, PROT_READ,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED)
            return false;
        slot.is_damaged.store(true, std::memory_order_release);
        damages.fetch_add(1, std::memory_order_release);
        return true;
    }
    return false;
}

extern "C" void on_bus_error(int signal, siginfo_t* info, void* context) {
    if (info->si_code == BUS_ADRERR && repair(reinterpret_cast<std::uintptr_t>(info->si_addr)))
        return;
    if ((previous.sa_flags & SA_SIGINFO) != 0) return previous.sa_sigaction(signal, info, context);
    if (previous.sa_handler != SIG_DFL && previous.sa_handler != SIG_IGN)
        return previous.sa_handler(signal);
    // Back at the faulting instruction, the default action ends the process.
    struct sigaction fallback {};
    fallback.sa_handler = SIG_DFL;
    ::sigaction(SIGBUS, &fallback, nullptr);
}

void install() {
    static std::once_flag once;
    std::call_once(once, [] {
        page_bytes = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
        struct sigaction action {};
        action.sa_sigaction = on_bus_error;
        action.sa_flags = SA_SIGINFO | SA_ONSTACK;
        sigemptyset(&action.sa_mask);
        ::sigaction(SIGBUS, &action, &previous);
    });
}

}  // namespace

MappingGuard::MappingGuard(void* begin, std::size_t size) {
    install();
    for (std::size_t i = 0; i < slots.size(); ++i) {
        bool expected = false;
        if (!slots[i].is_taken.compare_exchange_strong(expected, true)) continue;
        slots[i].is_damaged.store(false);
        slots[i].end.store(reinterpret_cast<std::uintptr_t>(begin) + size,
                           std::memory_order_release);
        slots[i].begin.store(reinterpret_cast<std::uintptr_t>(begin), std::memory_order_release);
        slot_ = static_cast<int>(i);
        return;
    }
}

MappingGuard::~MappingGuard() {
    if (slot_ < 0) return;
    Slot& slot = slots[static_cast<std::size_t>(slot_)];
    slot.begin.store(0, std::memory_order_release);
    slot.end.store(0, std::memory_order_release);
    slot.is_taken.store(false, std::memory_order_release);
}

bool MappingGuard::is_damaged() const {
    return slot_ >= 0 &&
           slots[static_cast<std::size_t>(slot_)].is_damaged.load(std::memory_order_acquire);
}

std::uint64_t MappingGuard::damage_count() { return damages.load(std::memory_order_acquire); }

bool MappingGuard::is_damaged_at(const void* address) {
    const auto at = reinterpret_cast<std::uintptr_t>(address);
    for (const Slot& slot : slots)
        if (slot.begin.load(std::memory_order_acquire) <= at &&
            at < slot.end.load(std::memory_order_acquire) &&
            slot.is_damaged.load(std::memory_order_acquire))
            return true;
    return false;
}

void MappingGuard::require_files_unchanged(const void* address) {
    if (is_damaged_at(address))
        fail(ErrorCode::io_failure,
             "the file of the weights was truncated while the model was in use; load it again");
}

void MappingGuard::drop_pages(const void* data, std::size_t bytes) {
    const auto first = reinterpret_cast<std::uintptr_t>(data), last = first + bytes;
    for (const Slot& slot : slots) {
        if (const auto begin = slot.begin.load(std::memory_order_acquire);
            begin == 0 || first < begin)
            continue;
        if (last > slot.end.load(std::memory_order_acquire)) continue;
        return discard_pages(const_cast<void*>(data), bytes);
    }
}

}  // namespace lapidary
