// SPDX-License-Identifier: Apache-2.0
// The only file that knows where things lie: every other one compiles the same in every checkout.
#include "support/test_data.h"

namespace lapidary {

std::filesystem::path test_data() {
    const char* folder = std::getenv("LAPIDARY_TEST_DATA");
    return folder && *folder ? folder : LAPIDARY_TEST_DATA_DEFAULT;
}
/// LAPIDARY_SOURCE_FOLDER: where the sources lie on the machine of the run, for programs that were built on another.
std::filesystem::path fixtures_folder() {
    const char* folder = std::getenv("LAPIDARY_SOURCE_FOLDER");
    return folder && *folder ? std::filesystem::path(folder) / "tests" / "fixtures" : LAPIDARY_FIXTURES;
}
std::filesystem::path source_folder() {
    const char* folder = std::getenv("LAPIDARY_SOURCE_FOLDER");
    return folder && *folder ? folder : LAPIDARY_SOURCE;
}
std::string cli_program() { return LAPIDARY_CLI; }

}  // namespace lapidary
