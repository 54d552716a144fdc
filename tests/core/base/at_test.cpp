// SPDX-License-Identifier: Apache-2.0
#include "base/at.h"

#include <array>
#include <vector>

#include <gtest/gtest.h>

namespace lapidary {
namespace {

enum class Side { left, right };

TEST(At, TakesSignedIndicesAndEnums) {
    std::vector<int> values{1, 2, 3};
    const std::int64_t axis = 2;
    EXPECT_EQ(at(values, axis), 3);
    at(values, axis - 1) = 7;
    EXPECT_EQ(values, (std::vector<int>{1, 7, 3}));
    constexpr std::array names{"left", "right"};
    EXPECT_STREQ(at(names, Side::right), "right");
    std::vector<bool> flags(2);
    at(flags, 1) = true;
    EXPECT_TRUE(flags[1]);
}

TEST(At, AnIndexOutsideIsABrokenInvariant) {
    if (!checks_assertions) GTEST_SKIP() << "assertions are not compiled in";
    const std::vector<int> values{1, 2, 3};
    EXPECT_THROW(at(values, 3), Error);
    EXPECT_THROW(at(values, -1), Error);
    EXPECT_THROW(at(std::vector<int>(), 0), Error);
}

}  // namespace
}  // namespace lapidary
