// SPDX-License-Identifier: Apache-2.0
// The objects of instruction sets beyond the least one hold no weak symbol that code for other CPUs could be linked to:
// an inline function of the standard library or of a header of ours, emitted with AVX-512, would stand for all of them.
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

namespace lapidary {
namespace {

/// The standard output of a command; nothing when it fails.
std::string output_of(const std::string& command, bool& succeeded) {
    std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen((command + " 2>/dev/null").c_str(), "r"), nullptr);
    std::string text;
    std::array<char, 4096> buffer;
    while (pipe && std::fgets(buffer.data(), static_cast<int>(buffer.size()), pipe.get())) text += buffer.data();
    FILE* file = pipe.release();
    succeeded = file && pclose(file) == 0;
    return text;
}

struct Objects {
    std::string isa, paths;  // quoted for a command line
    int count = 0;
};

/// One "isa path;path ..." per line.
std::vector<Objects> vector_objects() {
    std::ifstream in(LAPIDARY_ISA_OBJECTS);
    std::vector<Objects> all;
    for (std::string line; std::getline(in, line);) {
        std::istringstream words(line);
        Objects objects;
        std::string paths;
        words >> objects.isa >> paths;
        std::istringstream list(paths);
        for (std::string path; std::getline(list, path, ';');)
            if (!path.empty()) {
                objects.paths += " '" + path + "'";
                ++objects.count;
            }
        all.push_back(std::move(objects));
    }
    return all;
}

/// Weak functions and objects (W, V) and unique ones (u) are merged by name with those of other objects. A name inside of
/// lapidary::<isa> is this instruction set's own.
std::string shared_symbols(const Objects& objects, bool& succeeded) {
    std::istringstream lines(output_of("nm -C -A --defined-only" + objects.paths, succeeded));
    std::string found;
    for (std::string line; std::getline(lines, line);) {
        // path:address type name
        const auto address = line.find(".o:"), space = line.find(' ', address == std::string::npos ? 0 : address);
        if (space == std::string::npos || space + 2 >= line.size()) continue;
        const char type = line[space + 1];
        if (type != 'W' && type != 'V' && type != 'u') continue;
        if (line.find("lapidary::" + objects.isa + "::") == std::string::npos) found += line + "\n";
    }
    return found;
}

TEST(IsaObjects, HoldNoSymbolsForLesserCpus) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    GTEST_SKIP() << "sanitizers add symbols of their own";
#endif
    bool succeeded = false;
    output_of("nm --version", succeeded);
    if (!succeeded) GTEST_SKIP() << "nm is not installed";
    int looked_at = 0;
    for (const Objects& objects : vector_objects()) {
        if (objects.isa == "baseline") continue;  // what every CPU runs
        EXPECT_EQ(shared_symbols(objects, succeeded), "");
        EXPECT_TRUE(succeeded) << objects.isa;
        looked_at += objects.count;
    }
#if defined(__x86_64__)
    EXPECT_GT(looked_at, 0);
#else
    EXPECT_EQ(looked_at, 0);
#endif
}

TEST(IsaObjects, ASharedSymbolIsFound) {
    bool succeeded = false;
    output_of("nm --version", succeeded);
    if (!succeeded) GTEST_SKIP() << "nm is not installed";
    // Any test object is full of them.
    const Objects own{"avx2", " '" LAPIDARY_ISA_PROBE "'", 1};
    EXPECT_NE(shared_symbols(own, succeeded), "");
}

}  // namespace
}  // namespace lapidary
