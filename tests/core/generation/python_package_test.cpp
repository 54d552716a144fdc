// SPDX-License-Identifier: Apache-2.0
// Programs that run other engines in a Python interpreter.
#include "bench/peers/python_package.h"

#include <gtest/gtest.h>

namespace lapidary {
namespace {

TEST(PythonPackage, EachProgramFindsItsVersionFirst) {
    for (const PeerInfo& info : list_peers()) {
        SCOPED_TRACE(info.name);
        const PeerPackage& package = python_package(info.peer);
        ASSERT_NE(package.runs, nullptr);
        const std::string program = running_program(package);
        EXPECT_NE(program.find("def found_version()"), std::string::npos);
        EXPECT_NE(program.find(package.module), std::string::npos);
    }
}

}  // namespace
}  // namespace lapidary
