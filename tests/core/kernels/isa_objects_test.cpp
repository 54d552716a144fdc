// SPDX-License-Identifier: Apache-2.0
// The objects of instruction sets beyond the least one hold no weak symbol that code for other CPUs
// could be linked to: an inline function of the standard library or of a header of ours, emitted
// with AVX-512, would be used on all of them. Those of the least one hold no instruction that some
// CPU of the architecture lacks.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "support/time_budget.h"

namespace lapidary {
namespace {

/// The standard output of a command; nothing when it fails.
std::string output_of(const std::string& command, bool& succeeded) {
    std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen((command + " 2>/dev/null").c_str(), "r"),
                                               nullptr);
    std::string text;
    std::array<char, 4096> buffer;
    while (pipe && std::fgets(buffer.data(), static_cast<int>(buffer.size()), pipe.get()))
        text += buffer.data();
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

/// Weak functions and objects (W, V) and unique ones (u) are merged by name with those of other
/// objects. A name inside of lapidary::<isa> is this instruction set's own.
std::string shared_symbols(const Objects& objects, bool& succeeded) {
    std::istringstream lines(output_of("nm -C -A --defined-only" + objects.paths, succeeded));
    std::string found;
    for (std::string line; std::getline(lines, line);) {
        // path:address type name
        const auto address = line.find(".o:"),
                   space = line.find(' ', address == std::string::npos ? 0 : address);
        if (space == std::string::npos || space + 2 >= line.size()) continue;
        const char type = line[space + 1];
        if (type != 'W' && type != 'V' && type != 'u') continue;
        if (line.find("lapidary::" + objects.isa + "::") == std::string::npos) found += line + "\n";
    }
    return found;
}

TEST(IsaObjects, HoldNoSymbolsForLesserCpus) {
    if (under_sanitizer) GTEST_SKIP() << "sanitizers add symbols of their own";
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

// How the names begin that objdump gives to what plain x86-64 (SSE2) and plain ARMv8.0 lack.
#if defined(__aarch64__)
constexpr std::string_view beyond_baseline[] = {"aes",   "sha",   "pmull", "sdot",  "udot", "usdot",
                                                "smmla", "ummla", "bfdot", "fcmla", "cas",  "ldadd",
                                                "swp",   "ptrue", "while", "fmlal"};
#else
constexpr std::string_view beyond_baseline[] = {
    "v",  // AVX and after it
    "pshufb",  "palignr", "pabs",      "psign",    "phadd",   "phsub",    "pmaddub",  "pmulhrs",
    "addsub",  "hadd",    "hsub",      "lddqu",    "movddup", "movshdup", "movsldup", "blend",
    "pblend",  "dpp",     "extractps", "insertps", "mpsadbw", "packusdw", "pcmpeqq",  "pcmpgtq",
    "pcmpest", "pcmpist", "pextrb",    "pextrd",   "pextrq",  "phminpos", "pinsrb",   "pinsrd",
    "pinsrq",  "pmaxsb",  "pmaxsd",    "pmaxud",   "pmaxuw",  "pminsb",   "pminsd",   "pminud",
    "pminuw",  "pmovsx",  "pmovzx",    "pmuldq",   "pmulld",  "ptest",    "round",    "crc32",
    "popcnt",  "aes",     "pclmul",    "sha1",     "sha256",  "bextr",    "bls",      "bzhi",
    "mulx",    "pdep",    "rorx",      "sarx",     "shlx",    "shrx"};
#endif

/// The first lines of disassembly, at most 20, with an instruction beyond the least set;
/// `instructions` counts all.
std::string beyond_lines(std::istream& disassembly, std::size_t& instructions) {
    std::string found;
    int count = 0;
    for (std::string line; std::getline(disassembly, line);) {
        // "  address:<tab>name<spaces or tab>operands"
        const auto tab = line.find(":\t");
        if (tab == std::string::npos) continue;
        ++instructions;
        const std::string_view name = std::string_view(line).substr(tab + 2);
        if (std::ranges::any_of(beyond_baseline,
                                [&](std::string_view start) { return name.starts_with(start); }) &&
            count++ < 20)
            found += line + "\n";
    }
    return found;
}

std::string beyond_baseline_in(const Objects& objects, bool& succeeded, std::size_t& instructions) {
    std::istringstream lines(
        output_of("'" LAPIDARY_OBJDUMP "' -d --no-show-raw-insn" + objects.paths, succeeded));
    return beyond_lines(lines, instructions);
}

TEST(IsaObjects, OfTheBaselineHoldNoInstructionsBeyondIt) {
#if !defined(__x86_64__) && !defined(__aarch64__)
    GTEST_SKIP() << "the instructions of this architecture are not listed";
#endif
    if (std::string_view(LAPIDARY_BASELINE_AS) != "")
        GTEST_SKIP() << "built with " LAPIDARY_BASELINE_AS " as its baseline";
    bool succeeded = false;
    output_of("'" LAPIDARY_OBJDUMP "' --version", succeeded);
    if (!succeeded) GTEST_SKIP() << "objdump is not installed";
    for (const Objects& objects : vector_objects()) {
        std::size_t instructions = 0;
        if (objects.isa == "baseline") {
            EXPECT_EQ(beyond_baseline_in(objects, succeeded, instructions), "");
            EXPECT_GT(instructions, 10'000u);
        } else {
            EXPECT_NE(beyond_baseline_in(objects, succeeded, instructions), "") << objects.isa;
        }
        EXPECT_TRUE(succeeded) << objects.isa;
    }
}

TEST(IsaObjects, InstructionsBeyondTheBaselineAreFound) {
    std::istringstream lines(
        "0000000000000000 <function>:\n"
        "       0:\tadd    w0, w1, w2\n"
        "       4:\taese   v0.16b, v1.16b\n"
        "       8:\taesenc %xmm1,%xmm0\n");
    std::size_t instructions = 0;
    EXPECT_EQ(beyond_lines(lines, instructions),
              "       4:\taese   v0.16b, v1.16b\n       8:\taesenc %xmm1,%xmm0\n");
    EXPECT_EQ(instructions, 3u);
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
