// SPDX-License-Identifier: Apache-2.0
// Blocks in large pages: contents stay, whatever pages they lie in, also while pages are exchanged.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "base/memory/large_pages.h"
#include "base/memory/page_memory.h"

namespace lapidary::test {
namespace {

std::byte expected(std::size_t at) { return static_cast<std::byte>(at * 37 + (at >> 12)); }

void write(LargePages& pages, std::size_t bytes) {
    for (std::size_t i = 0; i < bytes; ++i) pages.data()[i] = expected(i);
}

std::size_t wrong_bytes(const LargePages& pages, std::size_t bytes) {
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < bytes; ++i) wrong += pages.data()[i] != expected(i) ? 1 : 0;
    return wrong;
}

/// Size in kB of large pages in the mapping that contains `data`; -1 if the system does not report
/// it.
long large_kilobytes(const void* data) {
    std::ifstream maps("/proc/self/smaps");
    bool is_inside = false;
    for (std::string line; std::getline(maps, line);) {
        unsigned long begin = 0, end = 0;
        long kilobytes = 0;
        if (std::sscanf(line.c_str(), "%lx-%lx ", &begin, &end) == 2) {
            const auto at = reinterpret_cast<std::uintptr_t>(data);
            is_inside = at >= begin && at < end;
        } else if (is_inside &&
                   std::sscanf(line.c_str(), "AnonHugePages: %ld kB", &kilobytes) == 1) {
            return kilobytes;
        }
    }
    return -1;
}

TEST(LargePages, HoldWhatIsWrittenIntoBlocksOfAnySize) {
    for (const std::size_t bytes : {std::size_t{1}, std::size_t{100}, large_page - 1, large_page,
                                    3 * large_page + 64, 20 * large_page + 4097}) {
        LargePages pages(bytes);
        ASSERT_NE(pages.data(), nullptr);
        EXPECT_LE(pages.pieces(), static_cast<std::int64_t>(bytes / large_page));
        std::vector<std::jthread> threads;
        for (std::int64_t first : {0, 1})
            threads.emplace_back([&, first] {
                for (std::int64_t piece = first; piece < pages.pieces(); piece += 2)
                    pages.back(piece);
            });
        threads.clear();
        write(pages, bytes);
        EXPECT_EQ(wrong_bytes(pages, bytes), 0u) << bytes;
        pages.collapse({});
        EXPECT_EQ(wrong_bytes(pages, bytes), 0u) << bytes;
    }
}

TEST(LargePages, AreRefusedWhereTheSystemHasNoSuchMemory) {
    const LargePages pages(SIZE_MAX);
    EXPECT_EQ(pages.data(), nullptr);
    EXPECT_EQ(pages.pieces(), 0);
    EXPECT_FALSE(pages.has_usual());
}

TEST(LargePages, AreCollapsedFromUsualOnesUnderTheirReaders) {
    constexpr std::size_t bytes = 16 * large_page;
    LargePages pages(bytes);
    ASSERT_NE(pages.data(), nullptr);
    if (!pages.has_usual()) GTEST_SKIP() << "the system does not collapse pages";
    write(pages, bytes);
    const long before = large_kilobytes(pages.data());
    std::atomic<bool> done{false};
    std::atomic<std::size_t> wrong{0};
    std::jthread reader([&] {
        do wrong += wrong_bytes(pages, bytes);
        while (!done);
    });
    pages.collapse({});
    done = true;
    reader.join();
    EXPECT_EQ(wrong, 0u);
    const long after = large_kilobytes(pages.data());
    if (before != 0 || after < 0)
        GTEST_SKIP() << "large pages everywhere, or the system does not report them";
    EXPECT_GT(after, 0);
}

TEST(LargePages, StopBeforeTheNextPiece) {
    constexpr std::size_t bytes = 4 * large_page;
    LargePages pages(bytes);
    ASSERT_NE(pages.data(), nullptr);
    write(pages, bytes);
    const long before = large_kilobytes(pages.data());
    std::stop_source stop;
    stop.request_stop();
    pages.collapse(stop.get_token());
    EXPECT_EQ(large_kilobytes(pages.data()), before);
    EXPECT_EQ(wrong_bytes(pages, bytes), 0u);
}

}  // namespace
}  // namespace lapidary::test
