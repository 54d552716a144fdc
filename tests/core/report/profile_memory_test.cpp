// SPDX-License-Identifier: Apache-2.0
// What a recording takes of memory. A span with texts of its own took about 380 bytes here.
#include <gtest/gtest.h>

#if __has_include(<malloc.h>)
#include <malloc.h>
#endif

#include <cstdio>
#include <string>

#include <lapidary/exec/session.h>
#include <lapidary/profile/profile.h>

#include "support/pass_harness.h"
#include "support/time_budget.h"

namespace lapidary {
namespace {

constexpr int nodes = 100, runs = 2000;
constexpr double most_bytes = 56;  // of a span, its part of the texts included

/// Bytes of the heap in use; 0: not known.
std::size_t heap_bytes() {
#if defined(__GLIBC__) && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 33)
    const auto info = mallinfo2();
    return info.uordblks + info.hblkhd;
#else
    return 0;
#endif
}

/// One node after the other, with names as exporters give them.
std::string chain() {
    std::string text = "(x: f32[1,8,16]) -> (y)\n";
    for (int i = 0; i < nodes; ++i)
        text += (i + 1 == nodes ? "y" : "v" + std::to_string(i)) + " = Neg(" +
                (i == 0 ? "x" : "v" + std::to_string(i - 1)) + ") as \"/encoder/layer." +
                std::to_string(i) + "/attention/self/query/Neg\"\n";
    return text;
}

TEST(ProfileMemory, ASpanTakesItsNumbersAndAPartOfTheTexts) {
    SessionOptions options;
    options.resources.threads = 1;
    options.session_passes.set = SessionPasses::Set::none;
    Session session =
        Session::compile(std::make_shared<const Model>(test::model_of(chain())), options);
    RunOptions run;
    run.profile = true;
    run.repetitions = runs;
    Tensor x(DType::f32, {1, 8, 16});
    for (float& v : x.mutable_data<float>()) v = 1;
    RunResult result = session.run({{"x", x}}, run);
    ASSERT_EQ(result.profile->kernels.size(), std::size_t{nodes} * runs);
    const std::size_t spans = result.profile->kernels.size() + result.profile->memory.size() +
                              result.profile->run_spans.size();
    const std::size_t before = heap_bytes();
    result.profile.reset();
    const std::size_t freed = before - heap_bytes();
    if (under_sanitizer || before == 0) GTEST_SKIP() << "this heap does not report what is in use";
    const double bytes = static_cast<double>(freed) / static_cast<double>(spans);
    std::printf("%zu spans: %.1f bytes each\n", spans, bytes);
    RecordProperty("bytes_of_a_span", std::to_string(bytes));
    EXPECT_LT(bytes, most_bytes);
}

}  // namespace
}  // namespace lapidary
