// SPDX-License-Identifier: Apache-2.0
// The only file that knows where things lie: every other one compiles the same in every checkout.
#include "support/test_data.h"

#include <fstream>

#include <gtest/gtest.h>

#include <lapidary/internal/program_file.h>

namespace lapidary {
namespace {

/// A line "PROGRAM<tab>TEST" in the file that LAPIDARY_TEST_DATA_ASKED names, without a test for
/// what is asked before the first one starts: packaging/without_test_data.py runs those again.
void note_who_asks() {
    const char* file = std::getenv("LAPIDARY_TEST_DATA_ASKED");
    if (!file || !*file) return;
    const testing::TestInfo* test = testing::UnitTest::GetInstance()->current_test_info();
    const std::string name =
        test ? std::string(test->test_suite_name()) + "." + test->name() : std::string();
    std::ofstream(file, std::ios::app) << program_file().string() + "\t" + name + "\n"
                                       << std::flush;
}

}  // namespace

std::filesystem::path test_data() {
    note_who_asks();
    const char* folder = std::getenv("LAPIDARY_TEST_DATA");
    return folder && *folder ? folder : LAPIDARY_TEST_DATA_DEFAULT;
}
/// LAPIDARY_SOURCE_FOLDER: where the sources lie on the machine of the run, for programs that were
/// built on another.
std::filesystem::path fixtures_folder() {
    const char* folder = std::getenv("LAPIDARY_SOURCE_FOLDER");
    return folder && *folder ? std::filesystem::path(folder) / "tests" / "fixtures"
                             : LAPIDARY_FIXTURES;
}
std::filesystem::path source_folder() {
    const char* folder = std::getenv("LAPIDARY_SOURCE_FOLDER");
    return folder && *folder ? folder : LAPIDARY_SOURCE;
}
std::string cli_program() { return LAPIDARY_CLI; }

}  // namespace lapidary
