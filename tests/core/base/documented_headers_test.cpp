// SPDX-License-Identifier: Apache-2.0
// Every declaration of an installed header says what it is.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "support/test_data.h"

namespace lapidary {
namespace {

namespace fs = std::filesystem;

/// Walks over the lines of a header. A declaration is documented by a comment behind it, or by one
/// above it, which goes on for the lines below up to the next empty one.
class Declarations {
public:
    std::vector<std::string> undocumented;
    std::size_t count = 0;

    void add(const std::string& line) {
        const std::size_t begin = line.find_first_not_of(' ');
        if (begin == std::string::npos) {
            is_under_comment_ = false;
            return;
        }
        const std::size_t comment = line.find("//", begin);
        if (comment == begin) {
            is_under_comment_ = !line.substr(begin).starts_with("// ----");
            return;
        }
        std::string code = line.substr(begin, comment - begin);
        code.erase(code.find_last_not_of(' ') + 1);
        if (!is_within_ && is_declaration(code)) {
            ++count;
            if (!is_under_comment_ && comment == std::string::npos) undocumented.push_back(code);
        }
        follow(code);
    }

private:
    enum class Scope { names, members, enumerators, body };
    struct Level {
        Scope scope;
        bool is_public = true;
        bool was_under_comment = false;
    };

    bool is_declaration(const std::string& code) const {
        static const std::regex none(
            R"(^(#|\}|\{|(public|private|protected):|(inline )?namespace\b|template\b.*>$|template <>|static_assert)"
            R"(|friend\b|virtual ~|~|(struct|class) \w+;))"),
            given(R"(= (delete|default);|operator(==|<=>)|^\w+ \w+::\w+\()");  // the last: defined
                                                                               // behind its class
        if (levels_.empty() || levels_.back().scope == Scope::body || !levels_.back().is_public)
            return false;
        return !std::regex_search(code, none) && !std::regex_search(code, given) && !is_move(code);
    }
    static bool is_move(const std::string& code) {
        return std::regex_search(code, std::regex(R"(^\w+\(\w+&&\))"));
    }

    void follow(const std::string& code) {
        static const std::regex names(R"(^(inline )?namespace\b)"),
            type(R"((?:^|> )(struct|class|enum)\b)");
        if (!levels_.empty() && std::regex_match(code, std::regex("(public|private|protected):")))
            levels_.back().is_public = code == "public:";
        const auto opened = std::ranges::count(code, '{') - std::ranges::count(code, '}');
        const bool in_enumerators = !levels_.empty() && levels_.back().scope == Scope::enumerators;
        for (auto i = opened; i > 0; --i) {
            std::smatch kind;
            const bool is_type = std::regex_search(code, kind, type);
            const Scope scope = std::regex_search(code, names) ? Scope::names
                                : is_type && kind[1] == "enum" ? Scope::enumerators
                                : is_type                      ? Scope::members
                                                               : Scope::body;
            levels_.push_back(
                {scope, !is_type || kind[1] != "class", is_under_comment_ && scope == Scope::body});
            is_under_comment_ = false;
        }
        for (auto i = opened; i < 0 && !levels_.empty(); ++i) {
            is_under_comment_ = levels_.back().was_under_comment;
            levels_.pop_back();
        }
        const bool ends = code.ends_with(';') || code.ends_with('{') || code.ends_with('}') ||
                          code.ends_with(':');
        const bool is_head = code.starts_with("template") && code.ends_with('>');
        is_within_ = !ends && !is_head && !in_enumerators && !code.starts_with('#');
    }

    std::vector<Level> levels_;
    bool is_under_comment_ = false;
    bool is_within_ = false;  // of a declaration that began on a line before
};

Declarations declarations_of(const std::string& text) {
    Declarations found;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) found.add(line);
    return found;
}

std::string text_of(const fs::path& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
}

TEST(PublicHeadersAreDocumented, EachDeclarationOfThoseInstalled) {
    std::size_t headers = 0, declarations = 0;
    for (const char* layer : {"foundation", "operators", "engine", "tools"})
        for (const auto& entry : fs::recursive_directory_iterator(source_folder() / "core" / layer /
                                                                  "include/lapidary")) {
            if (entry.path().extension() != ".h") continue;
            const Declarations found = declarations_of(text_of(entry.path()));
            for (const std::string& code : found.undocumented)
                ADD_FAILURE() << entry.path().filename() << ": " << code;
            ++headers;
            declarations += found.count;
        }
    EXPECT_GT(headers, 45u);
    EXPECT_GT(declarations, 1000u);
}

TEST(PublicHeadersAreDocumented, TheSearchFindsDeclarationsWithoutAComment) {
    const std::string text = R"(
namespace lapidary {
struct Bare {
    int first = 0;   // documented
    int second = 0;
    /// Documented.
    int third() const { return 3; }
    int fourth() const;

    int fifth() const {
        return 5;
    }
};
/// Documented.
enum class Kind {
    one,  // documented
    two
};
/// Documented.
class Closed {
public:
    Closed(const Closed&) = delete;
    void open();
private:
    void hidden();
};
int free_function(int a,
                  int b);
}
)";
    const std::vector<std::string> expected{"struct Bare {",       "int second = 0;",
                                            "int fifth() const {", "two",
                                            "void open();",        "int free_function(int a,"};
    EXPECT_EQ(declarations_of(text).undocumented, expected);
}

}  // namespace
}  // namespace lapidary
