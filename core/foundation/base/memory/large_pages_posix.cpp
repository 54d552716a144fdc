// SPDX-License-Identifier: Apache-2.0
#include "base/memory/large_pages.h"

#include <sys/mman.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <string>

#include "base/memory/page_memory.h"

namespace lapidary {
namespace {

// madvise() values of Linux that the C library's headers may not have yet.
constexpr int populate_write = 23, collapse_now = 25;

/// Collapsing would override an administrator who disabled large pages, so it is off then.
bool can_collapse() {
#ifdef __linux__
    static const bool can = [] {
        if (::madvise(nullptr, 0, collapse_now) != 0) return false;
        std::ifstream file("/sys/kernel/mm/transparent_hugepage/enabled");
        std::string choice;
        std::getline(file, choice);
        return choice.find("[always]") != std::string::npos ||
               choice.find("[madvise]") != std::string::npos;
    }();
    return can;
#else
    return false;
#endif
}

/// How often others took the processor from this thread: then the time that a call took says
/// nothing.
long interruptions() {
#ifdef RUSAGE_THREAD
    rusage use{};
    if (::getrusage(RUSAGE_THREAD, &use) == 0) return use.ru_nivcsw;
#endif
    return 0;
}

}  // namespace

LargePages::LargePages(std::size_t bytes)
    : data_(static_cast<std::byte*>(
          allocate_block(bytes, can_collapse() ? Pages::usual : Pages::large))) {
    if (data_ != nullptr && can_collapse()) is_usual_.resize(bytes / large_page, 1);
}

LargePages::~LargePages() { free_block(data_); }

void LargePages::back(std::int64_t piece) noexcept {
#ifdef MADV_HUGEPAGE
    using Clock = std::chrono::steady_clock;
    constexpr std::chrono::microseconds slow{1000};  // filling one with zeros takes 50 to 300
    const auto index = static_cast<std::size_t>(piece);
    std::byte* const at = data_ + index * large_page;
    if (skipping_.fetch_sub(1, std::memory_order_relaxed) > 0) {
        ::madvise(at, large_page, populate_write);
        return;
    }
    const auto start = Clock::now();
    const long before = interruptions();
    if (::madvise(at, large_page, MADV_HUGEPAGE) != 0 ||
        ::madvise(at, large_page, populate_write) != 0)
        return;
    is_usual_[index] = 0;
    if (Clock::now() - start < slow || interruptions() != before) {
        next_skip_.store(least_skip, std::memory_order_relaxed);
        return;
    }
    const std::int64_t skip = next_skip_.load(std::memory_order_relaxed);
    skipping_.store(skip, std::memory_order_relaxed);
    next_skip_.store(2 * skip, std::memory_order_relaxed);
#else
    (void)piece;
#endif
}

bool LargePages::has_usual() const { return std::ranges::find(is_usual_, 1) != is_usual_.end(); }

void LargePages::collapse(const std::stop_token& stop) noexcept {
    // Those who read the block from its beginning meet the current piece once. In the same order,
    // they would wait for each piece in turn.
    for (std::size_t i = is_usual_.size(); i-- > 0 && !stop.stop_requested();)
        if (is_usual_[i] != 0) ::madvise(data_ + i * large_page, large_page, collapse_now);
}

}  // namespace lapidary
