// SPDX-License-Identifier: Apache-2.0
// Under sanitizers a kernel that accesses memory outside an array ends the program, also after it
// waited at a barrier. Device memory is guarded without sanitizers too.
#include <gtest/gtest.h>

#include <vector>

#include "gpu.h"

namespace lapidary::cuda {
namespace {

#if defined(__SANITIZE_ADDRESS__)
constexpr bool is_watched = true;
#else
constexpr bool is_watched = false;
#endif

class Overrun : public testing::Test {
protected:
    void SetUp() override {
        if (!is_watched) GTEST_SKIP() << "built without sanitizers";
        GTEST_FLAG_SET(death_test_style, "threadsafe");
    }
    /// Runs it in two orders of threads.
    template <typename Body>
    static void run_kernel(const Body& body) {
        for (unsigned order : {0u, 5u}) emulated::run({1, 1, 1}, 64, true, order, body);
    }
};

int beyond(unsigned thread, int count) { return thread == 33 ? count : 0; }

TEST_F(Overrun, OfAnArrayOfAThreadIsFound) {
    const auto body = [] {
        float sums[4] = {};
        for (int wait = 0; wait < 3; ++wait) block_barrier();
        float* volatile at = sums;  // the compiler does not see how many there are
        at[beyond(thread_index(), 4)] = 1;
        block_barrier();
        if (sums[0] < 0) block_barrier();
    };
    EXPECT_DEATH(run_kernel(body), "stack-buffer-overflow");
}

TEST_F(Overrun, OfAnArrayOfABlockIsFound) {
    const auto body = [] {
        GPU_SHARED float parts[64];
        parts[thread_index()] = 1;
        block_barrier();
        parts[beyond(thread_index(), 64)] = warp_sum(parts[thread_index()]);
    };
    EXPECT_DEATH(run_kernel(body), "out of bounds");
}

TEST_F(Overrun, OfHostMemoryIsFound) {
    std::vector<float> numbers(64, 0.0f);
    float* const first = numbers.data();
    const auto body = [first] {
        block_barrier();
        first[beyond(thread_index(), 64)] = shuffle_xor(1.0f, 1);
    };
    EXPECT_DEATH(run_kernel(body), "heap-buffer-overflow");
}

TEST_F(Overrun, OfWholeNumbersIsFound) {
    const auto body = [] {
        block_barrier();
        volatile int large = 0x7fffffff;
        large = large + (thread_index() == 33 ? 1 : 0);
    };
    EXPECT_DEATH(run_kernel(body), "signed integer overflow");
}

TEST_F(Overrun, KernelsThatStayWithinTheirArraysRun) {
    std::vector<float> numbers(64, 0.0f);
    float* const first = numbers.data();
    run_kernel([first] {
        GPU_SHARED float parts[64];
        float sums[4] = {};
        parts[thread_index()] = 1;
        block_barrier();
        for (int i = 0; i < 64; ++i) sums[i % 4] += parts[i];
        first[thread_index()] = warp_sum(sums[0]);
    });
    EXPECT_EQ(numbers, std::vector<float>(64, 512.0f));
}

}  // namespace
}  // namespace lapidary::cuda
