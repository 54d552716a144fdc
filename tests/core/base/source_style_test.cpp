// SPDX-License-Identifier: Apache-2.0
// How source files are written: licence lines, lengths of files, functions and lines, names.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <iterator>
#include <map>
#include <numeric>
#include <regex>
#include <string>
#include <vector>

#include "core/base/source_files.h"
#include "support/test_data.h"

namespace lapidary {
namespace {

namespace fs = std::filesystem;

TEST(Architecture, EveryFileNamesItsLicence) {
    for (const char* folder : {"core", "app", "views", "tests"})
        for (const fs::path& file : sources(folder)) {
            if (file.extension() == ".inc") continue;
            const auto lines = lines_of(file);
            ASSERT_FALSE(lines.empty()) << file;
            const std::string place = fs::relative(file, source_folder()).generic_string();
            const bool window =
                place.starts_with("views") ||
                (place.starts_with("app") && !place.starts_with("app/cli") &&
                 !place.starts_with("app/python") && !place.starts_with("app/worker"));
            EXPECT_EQ(lines[0], std::string("// SPDX-License-Identifier: ") +
                                    (window ? "GPL-3.0-or-later" : "Apache-2.0"))
                << place;
        }
}

// A linker does not report two types of one name in one program: it uses the code of one for both.
TEST(Architecture, NoTwoTypesShareAName) {
    const std::regex opens(R"(^(inline )?namespace( [\w:]+)? \{$)"),
        closes(R"(^\}\s+// namespace)"),
        defines(
            R"(^(template <.*> )?(struct|class|union|enum|enum class) (\w+)( final)?( :[^:].*)? ?\{)");
    std::map<std::string, fs::path> seen;
    for (const char* folder : {"core", "app", "views", "tests"})
        for (const fs::path& file : sources(folder)) {
            std::vector<std::string> scopes;
            for (const std::string& line : lines_of(file)) {
                std::smatch m;
                if (std::regex_search(line, m, opens)) scopes.push_back(m[2]);
                else if (std::regex_search(line, closes) && !scopes.empty()) scopes.pop_back();
                else if (std::ranges::count(scopes, "") == 0 &&
                         std::regex_search(line, m, defines)) {
                    std::string name;
                    for (const std::string& scope : scopes) name += scope.substr(1) + "::";
                    const auto [at, added] = seen.emplace(name + m[3].str(), file);
                    EXPECT_TRUE(added)
                        << at->first << " is defined in " << file << " and in " << at->second;
                }
            }
        }
    EXPECT_GT(seen.size(), 500u);
}

// A pass that declines a place says why; not_concerned() is for a place that is no candidate at
// all.
TEST(Architecture, NoPassDeclinesWithoutAReason) {
    const std::regex mute(R"(\bdeclined\((\{\}|""|std::string\(\))\))");
    std::size_t reasons = 0;
    for (const char* folder : {"core/engine/passes", "core/engine/rewrite"})
        for (const fs::path& file : sources(folder))
            for (const std::string& line : lines_of(file)) {
                EXPECT_FALSE(std::regex_search(line, mute)) << file << ": " << line;
                reasons += line.find("declined(") != std::string::npos;
            }
    EXPECT_GT(reasons, 100u);
}

// Tables aside, one idea fits in 500 lines.
TEST(Architecture, FilesStayReadable) {
    for (const char* folder : {"core", "app", "views", "tests"})
        for (const fs::path& file : sources(folder))
            EXPECT_TRUE(file.extension() == ".inc" || lines_of(file).size() <= 500) << file;
}

std::size_t indentation(const std::string& line) {
    return std::min(line.find_first_not_of(' '), line.size());
}

/// A block in braces: its first line, where what it belongs to begins, and its last one.
struct Block {
    std::size_t begin, end;
};

/// Blocks that end with a brace alone on its line, as functions do, from the nearest line before
/// that is indented no deeper. Types and lambdas end with more than the brace.
std::vector<Block> blocks_of(const std::vector<std::string>& lines) {
    std::vector<Block> blocks;
    for (std::size_t end = 0; end < lines.size(); ++end) {
        const std::size_t indent = indentation(lines[end]);
        if (lines[end].substr(indent) != "}") continue;
        std::size_t begin = end;
        while (begin > 0) {
            const std::string& line = lines[--begin];
            if (!line.empty() && line.front() != '#' && indentation(line) <= indent) break;
        }
        blocks.push_back({begin, end});
    }
    return blocks;
}

/// How often a path may turn on each line; the sum and one is McCabe's cyclomatic complexity.
/// Comments and texts left out.
std::vector<std::size_t> turns_of(const std::vector<std::string>& lines) {
    static const std::regex text(R"("(\\.|[^"\\])*"|'(\\.|[^'\\])+'|//.*)"),
        turn(R"(\b(if|for|while|case|catch)\b|\s&&(\s|$)|\s\|\|(\s|$)|\s\?\s)");
    std::vector<std::size_t> turns;
    for (const std::string& line : lines) {
        const std::string code = std::regex_replace(line, text, "\"\"");
        turns.push_back(static_cast<std::size_t>(std::distance(
            std::sregex_iterator(code.begin(), code.end(), turn), std::sregex_iterator())));
    }
    return turns;
}

// Functions that are longer than a page or branch in every other line are hard to understand.
TEST(Architecture, FunctionsAreShortAndSimple) {
    constexpr std::size_t most_lines = 80, most_complexity = 25;
    std::size_t count = 0;
    for (const char* folder : {"core", "app", "views"})
        for (const fs::path& file : sources(folder)) {
            if (file.extension() == ".inc") continue;
            const auto lines = lines_of(file);
            const auto turns = turns_of(lines);
            for (const auto& [begin, end] : blocks_of(lines)) {
                ++count;
                const auto first = turns.begin() + static_cast<std::ptrdiff_t>(begin);
                const std::size_t length = end - begin + 1,
                                  complexity = std::accumulate(
                                      first, first + static_cast<std::ptrdiff_t>(length),
                                      std::size_t{1});
                EXPECT_LE(length, most_lines)
                    << file << ", line " << begin + 1 << ": " << lines[begin];
                EXPECT_LE(complexity, most_complexity)
                    << file << ", line " << begin + 1 << ": " << lines[begin];
            }
        }
    EXPECT_GT(count, 10000u);
}

/// A line of code without its texts and comment.
std::string code_of(const std::string& line) {
    static const std::regex text(R"("(\\.|[^"\\])*"|'(\\.|[^'\\])+'|//.*)");
    return std::regex_replace(line, text, "\"\"");
}

// Names that CONTRIBUTING.md has replaced by those of the field.
TEST(Architecture, WordsOfTheField) {
    const std::regex former(
        R"(\b(StepStretch|StretchSearch|ThreadBorrower|KernelWay|TraceWay|)"
        R"(NodeHome|dies_after|SeenTypes|InputLook|SampleLook|ProviderWish|likeness_of|worth_of|)"
        R"((is_)?strayed_?|doomed_?|toldApart|tellApart|told(_\w+)?|\w+_told|untold|lent_|loans?_|)"
        R"(reported_blocks|why_plain|engine_glance|is_turned|is_cut|require_whole|)"
        R"(survive_reading|require_survivable|ask_output|ask_scratch)\b)");
    for (const char* folder : {"core", "app", "views", "plugins", "tests"})
        for (const fs::path& file : sources(folder)) {
            if (file.filename() == "source_style_test.cpp" || file.extension() == ".inc") continue;
            bool is_text = false;
            for (const std::string& line : lines_of(file)) {
                if (!is_text && !line.starts_with(" *") && !line.starts_with("    /*"))
                    EXPECT_FALSE(std::regex_search(code_of(line), former)) << file << ": " << line;
                if (line.find("R\"") != std::string::npos) is_text = true;
                if (line.find(")\"") != std::string::npos ||
                    line.find(")lapidary\"") != std::string::npos)
                    is_text = false;
            }
        }
}

/// Characters of a line, each of which is one or more bytes.
std::ptrdiff_t columns_of(const std::string& line) {
    return std::ranges::count_if(
        line, [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; });
}

// A line that an editor or a review has to scroll hides half of what it says.
void expect_short_lines(const fs::path& file, std::ptrdiff_t most) {
    const auto lines = lines_of(file);
    for (std::size_t i = 0; i < lines.size(); ++i) {
        EXPECT_LE(columns_of(lines[i]), most) << file << ", line " << i + 1;
    }
}

// Lines of 100 columns; 120 where text cannot be broken, as in tables and long literals.
TEST(Architecture, LinesAreShort) {
    std::size_t count = 0, above = 0;
    for (const char* folder : {"core", "app", "views", "plugins", "tests"})
        for (const fs::path& file : sources(folder)) {
            const bool is_table = file.extension() == ".inc";
            expect_short_lines(file, 120);
            if (is_table) continue;
            for (const std::string& line : lines_of(file)) {
                ++count;
                above += columns_of(line) > 100;
            }
        }
    EXPECT_LT(static_cast<double>(above), 0.005 * static_cast<double>(count))
        << above << " lines of " << count << " have over 100 columns";
}

TEST(Architecture, LinesOfScriptsHaveAtMost120Columns) {
    expect_short_lines(source_folder() / "CMakeLists.txt", 120);
    std::size_t count = 0;
    for (const char* folder : {"core", "app", "views", "plugins", "packaging", "resources"})
        for (const auto& entry : fs::recursive_directory_iterator(source_folder() / folder)) {
            const fs::path& file = entry.path();
            const auto kind = file.extension();
            if (kind != ".sh" && kind != ".cmake" && kind != ".py" &&
                file.filename() != "CMakeLists.txt")
                continue;
            ++count;
            expect_short_lines(file, 120);
        }
    EXPECT_GT(count, 20u);
}

}  // namespace
}  // namespace lapidary
