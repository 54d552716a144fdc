// SPDX-License-Identifier: Apache-2.0
// The threads that copy large inputs and outputs: all parts are done when run() returns, by as many
// threads at once.
#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <vector>

#include "copy_threads.h"

namespace lapidary::test {
namespace {

using cuda::CopyThreads;

TEST(CopyThreads, DoEachPartOnceAndReturnWhenAllAreDone) {
    for (unsigned helpers : {0u, 1u, 3u}) {
        CopyThreads threads(helpers);
        ASSERT_EQ(threads.parts(), helpers + 1);
        for (int round = 0; round < 200; ++round) {
            std::vector<int> done(threads.parts(), 0);
            threads.run([&](unsigned part) { ++done[part]; });
            EXPECT_EQ(done, std::vector<int>(threads.parts(), 1))
                << helpers << " helpers, round " << round;
        }
    }
}

TEST(CopyThreads, WorkAtOnce) {
    CopyThreads threads(3);
    std::atomic<unsigned> begun{0};
    threads.run([&](unsigned) {  // none could end if one waited for another's end
        ++begun;
        while (begun < threads.parts()) std::this_thread::yield();
    });
    EXPECT_EQ(begun, 4u);
}

TEST(CopyThreads, ReportWhatAPartThrew) {
    CopyThreads threads(2);
    for (unsigned bad : {0u, 2u}) {
        std::atomic<unsigned> done{0};
        EXPECT_THROW(threads.run([&](unsigned part) {
            if (part == bad) throw std::runtime_error("no");
            ++done;
        }),
                     std::runtime_error);
        EXPECT_EQ(done, 2u) << "the other parts are done all the same";
    }
    threads.run([](unsigned) {});
}

}  // namespace
}  // namespace lapidary::test
