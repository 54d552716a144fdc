// SPDX-License-Identifier: Apache-2.0
// The only file that knows where things lie: every other one compiles the same in every checkout.
#include "support/test_data.h"

namespace lapidary {

std::filesystem::path test_data() {
    const char* folder = std::getenv("LAPIDARY_TEST_DATA");
    return folder && *folder ? folder : LAPIDARY_TEST_DATA_DEFAULT;
}
std::filesystem::path fixtures_folder() { return LAPIDARY_FIXTURES; }
std::filesystem::path source_folder() { return LAPIDARY_SOURCE; }
std::string cli_program() { return LAPIDARY_CLI; }

}  // namespace lapidary
