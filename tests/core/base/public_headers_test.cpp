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

/// Headers of all layers below core/<layer>/`kind`, by name ("lapidary/tensor/tensor.h").
std::map<std::string, std::string> headers_of(const char* kind) {
    std::map<std::string, std::string> headers;
    for (const char* layer : {"foundation", "operators", "engine", "tools"}) {
        const fs::path folder = source_folder() / "core" / layer / kind;
        if (!fs::exists(folder)) continue;
        for (const auto& entry : fs::recursive_directory_iterator(folder))
            if (entry.path().extension() == ".h")
                headers.emplace(fs::relative(entry.path(), folder).generic_string(),
                                text_of(entry.path()));
    }
    return headers;
}

/// Those that are installed.
std::map<std::string, std::string> public_headers() { return headers_of("include"); }

/// Those and the ones that only programs of this repository see.
std::map<std::string, std::string> all_headers() {
    auto headers = public_headers();
    headers.merge(headers_of("internal"));
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

TEST(PublicHeaders, IncludeWhatTheyName) {
    const auto headers = all_headers();
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
    for (const auto& [header, text] : headers)
        for (const std::string& include : includes_of(text)) {
            const bool is_standard = include.find_first_of("./") == std::string::npos;
            EXPECT_TRUE(is_standard || headers.contains(include))
                << header << " includes " << include;
        }
}

// What the core alone uses lies in its own folder there.
TEST(PublicHeaders, AreUsedOutsideOfTheCore) {
    const auto headers = all_headers();
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
