// SPDX-License-Identifier: Apache-2.0
// What an embedding program may count on: each public header includes what it names, none is there
// for the core alone.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "support/test_data.h"

namespace lapidary {
namespace {

namespace fs = std::filesystem;

// A header of each name of the standard library; size_t aside, which every container's header has.
const std::map<std::string, std::string> header_of{{"array", "array"},
                                                   {"atomic", "atomic"},
                                                   {"byte", "cstddef"},
                                                   {"complex", "complex"},
                                                   {"deque", "deque"},
                                                   {"function", "functional"},
                                                   {"future", "future"},
                                                   {"int64_t", "cstdint"},
                                                   {"map", "map"},
                                                   {"optional", "optional"},
                                                   {"ostream", "iosfwd"},
                                                   {"pair", "utility"},
                                                   {"set", "set"},
                                                   {"shared_ptr", "memory"},
                                                   {"span", "span"},
                                                   {"string", "string"},
                                                   {"string_view", "string_view"},
                                                   {"thread", "thread"},
                                                   {"uint16_t", "cstdint"},
                                                   {"uint32_t", "cstdint"},
                                                   {"uint64_t", "cstdint"},
                                                   {"uint8_t", "cstdint"},
                                                   {"unique_ptr", "memory"},
                                                   {"variant", "variant"},
                                                   {"vector", "vector"},
                                                   {"runtime_error", "stdexcept"},
                                                   {"unordered_map", "unordered_map"}};

std::string text_of(const fs::path& path) {
    std::ifstream in(path);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

/// By name ("lapidary/tensor/tensor.h").
std::map<std::string, std::string> public_headers() {
    std::map<std::string, std::string> headers;
    for (const auto& entry : fs::directory_iterator(source_folder() / "core/include/lapidary"))
        headers.emplace("lapidary/" + entry.path().filename().string(), text_of(entry.path()));
    return headers;
}

std::vector<std::string> matches(const std::string& text, const std::regex& pattern) {
    std::vector<std::string> found;
    for (std::sregex_iterator at(text.begin(), text.end(), pattern), end; at != end; ++at)
        found.push_back((*at)[1]);
    return found;
}

std::vector<std::string> includes_of(const std::string& text) {
    static const std::regex include(R"(#include [<"]([^>"]+)[>"])");
    return matches(text, include);
}

void add_reachable(const std::map<std::string, std::string>& headers, const std::string& header,
                   std::set<std::string>& reached) {
    for (const std::string& include : includes_of(headers.at(header)))
        if (reached.insert(include).second && headers.contains(include))
            add_reachable(headers, include, reached);
}

/// Those that core/install.cmake leaves out.
std::set<std::string> house_headers() {
    std::smatch list;
    const std::string install = text_of(source_folder() / "core/install.cmake");
    if (!std::regex_search(install, list, std::regex(R"(set\(house_headers ([^)]+)\))"))) return {};
    std::set<std::string> house;
    for (const std::string& name : matches(list[1], std::regex(R"((\w+\.h))")))
        house.insert("lapidary/" + name);
    return house;
}

TEST(PublicHeaders, IncludeWhatTheyName) {
    const auto headers = public_headers();
    ASSERT_GT(headers.size(), 40u);
    const std::regex comment("//[^\n]*"), name(R"(\bstd::(?:filesystem::)?(\w+))");
    std::size_t names = 0;
    for (const auto& [header, text] : headers) {
        std::set<std::string> reached;
        add_reachable(headers, header, reached);
        const std::string code = std::regex_replace(text, comment, "");
        EXPECT_NE(code.find("#pragma once"), std::string::npos) << header;
        const bool names_files = code.find("std::filesystem::") != std::string::npos;
        EXPECT_TRUE(!names_files || reached.contains("filesystem"))
            << header << " names files without <filesystem>";
        for (const std::string& used : matches(code, name)) {
            const auto found = header_of.find(used);
            if (found == header_of.end()) continue;
            ++names;
            EXPECT_TRUE(reached.contains(found->second))
                << header << " names std::" << used << " without " << found->second;
        }
    }
    EXPECT_GT(names, 500u);
}

TEST(PublicHeaders, IncludePublicHeadersAndTheStandardLibraryAlone) {
    const auto headers = public_headers();
    // Neither is installed: see the test below.
    const std::set<std::string> with_json{"lapidary/internal/measurement_tree.h",
                                          "lapidary/internal/parse_json.h"};
    for (const auto& [header, text] : headers)
        for (const std::string& include : includes_of(text)) {
            const bool is_standard = include.find_first_of("./") == std::string::npos;
            const bool is_json = include == "nlohmann/json_fwd.hpp" && with_json.contains(header);
            EXPECT_TRUE(is_standard || is_json || headers.contains(include))
                << header << " includes " << include;
        }
}

TEST(PublicHeaders, InstalledOnesNeedNoneThatStaysHere) {
    const auto headers = public_headers();
    const std::set<std::string> house = house_headers();
    for (const char* header :
         {"lapidary/internal/measurement_tree.h", "lapidary/internal/parse_json.h"})
        ASSERT_TRUE(house.contains(header)) << header;
    for (const auto& [header, text] : headers) {
        if (house.contains(header)) continue;
        for (const std::string& include : includes_of(text))
            EXPECT_FALSE(house.contains(include)) << header << " includes " << include;
    }
}

// What the core alone uses lies in its own folder there.
TEST(PublicHeaders, AreUsedOutsideOfTheCore) {
    const auto headers = public_headers();
    std::set<std::string> used;
    for (const auto& [header, text] : headers)
        for (const std::string& include : includes_of(text)) used.insert(include);
    for (const char* folder : {"app", "views", "tests", "core/examples"})
        for (const auto& entry : fs::recursive_directory_iterator(source_folder() / folder)) {
            const auto extension = entry.path().extension();
            if (extension != ".cpp" && extension != ".h") continue;
            for (const std::string& include : includes_of(text_of(entry.path())))
                used.insert(include);
        }
    for (const auto& [header, text] : headers)
        EXPECT_TRUE(used.contains(header)) << header << " is used by the core alone";
}

}  // namespace
}  // namespace lapidary
