// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace lapidary::test {

/// A library of tests/plugins/libraries, or the example of plugins/.
inline std::filesystem::path plugin_file(const std::string& name) {
    return std::filesystem::path(LAPIDARY_TEST_PLUGINS) / (name + ".so");
}

}  // namespace lapidary::test
