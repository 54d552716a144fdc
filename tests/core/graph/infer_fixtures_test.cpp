// SPDX-License-Identifier: Apache-2.0
// Cases of tests/fixtures/shapes/*.graph. Each starts with "# case: name" and holds "# opset: N"
// (default 17),
// "# expect: value type" lines, or one "# error: text" that the message must contain; then a graph.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <lapidary/base/error.h>
#include <lapidary/graph/graph_text.h>
#include <lapidary/ops/infer.h>

#include "graph/verify.h"
#include "support/test_data.h"

namespace lapidary {
namespace {

struct ShapeCase {
    std::string name, text, error;
    std::int64_t opset = 17;
    std::vector<std::pair<std::string, std::string>> expected;  // value, type
    std::vector<std::string> warnings;
};

void PrintTo(const ShapeCase& c, std::ostream* out) { *out << c.name; }

std::string after(const std::string& line, std::string_view mark) {
    return line.substr(mark.size());
}

std::vector<ShapeCase> read_cases() {
    std::vector<ShapeCase> cases;
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(fixtures_folder() / "shapes"))
        files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    for (const auto& file : files) {
        std::ifstream stream(file);
        for (std::string line; std::getline(stream, line);) {
            if (line.starts_with("# case: ")) {
                cases.push_back(
                    {file.stem().string() + ": " + after(line, "# case: "), {}, {}, 17, {}, {}});
            } else if (cases.empty()) {
                continue;
            } else if (line.starts_with("# opset: ")) {
                cases.back().opset = std::stoll(after(line, "# opset: "));
            } else if (line.starts_with("# error: ")) {
                cases.back().error = after(line, "# error: ");
            } else if (line.starts_with("# warning: ")) {
                cases.back().warnings.push_back(after(line, "# warning: "));
            } else if (line.starts_with("# expect: ")) {
                std::istringstream words(after(line, "# expect: "));
                std::string value, type;
                words >> value;
                std::getline(words >> std::ws, type);
                cases.back().expected.emplace_back(value, type);
            } else {
                cases.back().text += line + "\n";
            }
        }
    }
    return cases;
}

class ShapeFixture : public testing::TestWithParam<ShapeCase> {};

TEST_P(ShapeFixture, InfersAsExpected) {
    const ShapeCase& c = GetParam();
    SCOPED_TRACE(c.name);
    ASSERT_FALSE(c.expected.empty() && c.error.empty() && c.warnings.empty())
        << "the case expects nothing";
    Model model;
    model.opset_imports[""] = c.opset;
    GraphTextOptions options;
    options.opset = c.opset;
    model.graph = parse_graph(c.text, options);
    if (!c.error.empty()) {
        try {
            infer_types(model);
            FAIL() << "expected an error with: " << c.error;
        } catch (const Error& error) {
            EXPECT_TRUE(error.code() == ErrorCode::invalid_model ||
                        error.code() == ErrorCode::limit_exceeded)
                << name_of(error.code());
            EXPECT_NE(std::string(error.what()).find(c.error), std::string::npos) << error.what();
            EXPECT_FALSE(error.where().empty()) << "the node is not named";
        }
        return;
    }
    ASSERT_NO_THROW(infer_types(model));
    verify(model);
    for (const auto& [name, type] : c.expected) {
        const ValueId id = model.graph.find_value(name);
        ASSERT_TRUE(id) << name;
        EXPECT_EQ(to_string(model.graph.value(id).type), type) << name;
    }
    for (const std::string& text : c.warnings) {
        EXPECT_TRUE(std::any_of(
            model.warnings.begin(), model.warnings.end(),
            [&](const Warning& w) { return w.message.find(text) != std::string::npos; }))
            << text;
    }
}

INSTANTIATE_TEST_SUITE_P(Files, ShapeFixture, testing::ValuesIn(read_cases()));

}  // namespace
}  // namespace lapidary
