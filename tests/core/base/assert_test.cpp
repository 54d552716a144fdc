// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "base/assert.h"

namespace lapidary {
namespace {

TEST(Assert, AFailureNamesFileLineAndCondition) {
    try {
        assertion_failed("offset < bytes", "plan.cpp", 7);
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::internal);
        EXPECT_EQ(error.message(), "plan.cpp:7: assertion failed: offset < bytes");
    }
}

TEST(Assert, ThrowsInBuildsForDevelopmentAndIsNotEvaluatedInOthers) {
    int evaluated = 0;
    const auto has_value = [&](bool value) {
        ++evaluated;
        return value;
    };
    EXPECT_NO_THROW(LAPIDARY_ASSERT(has_value(true)));
    if (checks_assertions) {
        EXPECT_THROW(LAPIDARY_ASSERT(has_value(false)), Error);
    } else {
        EXPECT_NO_THROW(LAPIDARY_ASSERT(has_value(false)));
    }
    EXPECT_EQ(evaluated, checks_assertions ? 2 : 0);
}

}  // namespace
}  // namespace lapidary
