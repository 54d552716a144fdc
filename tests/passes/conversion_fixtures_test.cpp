// SPDX-License-Identifier: Apache-2.0
// Every case of tests/fixtures/conversions: a graph, the opsets it is tried at, what it must
// become. Both are run and compared.
//
//   # case: gelu
//   # opset: 13, 20          of the graph, each tried
//   # to: 18                 convert to this opset; without the line: lower the operators of
//                            com.microsoft
//
//   # again: 21              then convert the result to this opset and compare once more (optional)
//
//   # becomes: Erf           operators that the result has (optional, several)
//
//   # refused: reason        exactly, instead of a result
//
//   # tolerance: 1e-4        rtol and atol (optional, default 1e-5); 8-bit integers then may be one
//                            off when it is 1
//
//   # dimension: seq = 5     size of a symbolic dimension when running (optional)
//
//   (x: f32[2,3]) -> (y)
#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>

#include <gtest/gtest.h>

#include <lapidary/base/error.h>
#include <lapidary/export/export_model.h>

#include "graph/traversal.h"
#include "graph/verify.h"
#include "passes/lowering/lowering.h"
#include "passes/opset/convert_down.h"
#include "passes/opset/convert_opset.h"
#include "support/pass_harness.h"
#include "support/test_data.h"

namespace lapidary {
namespace {

struct ConversionCase {
    std::string name, text, refused;
    std::int64_t opset = 17;
    std::optional<std::int64_t> to, again;
    std::vector<std::string> becomes;
    Tolerance tolerance{1e-5, 1e-5};
    std::map<std::string, std::int64_t> dimensions;
    std::filesystem::path file;
    int line = 0;
};

void PrintTo(const ConversionCase& c, std::ostream* out) { *out << c.name; }

std::vector<std::int64_t> numbers(std::string text) {
    std::ranges::replace(text, ',', ' ');
    std::istringstream in(text);
    std::vector<std::int64_t> out;
    for (std::int64_t n = 0; in >> n;) out.push_back(n);
    return out;
}

bool header(const std::string& line, const std::string& key, std::string& value) {
    if (!line.starts_with("# " + key + ": ")) return false;
    value = line.substr(key.size() + 4);
    return true;
}

std::vector<ConversionCase> read_cases() {
    std::vector<std::filesystem::path> files;
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator(fixtures_folder() / "conversions"))
        if (entry.path().extension() == ".graph") files.push_back(entry.path());
    std::ranges::sort(files);
    std::vector<ConversionCase> cases;
    for (const auto& file : files) {
        ConversionCase c;
        std::vector<std::int64_t> opsets;
        const auto store = [&] {
            if (c.name.empty()) return;
            for (std::int64_t opset : opsets) {
                cases.push_back(c);
                cases.back().opset = opset;
                cases.back().name += " at opset " + std::to_string(opset);
            }
        };
        std::ifstream stream(file);
        int number = 0;
        for (std::string line, value; std::getline(stream, line);) {
            ++number;
            if (header(line, "case", value)) {
                store();
                c = {};
                c.name = file.stem().string() + ": " + value;
                c.file = file;
                c.line = number;
                opsets = {17};
            } else if (header(line, "opset", value)) opsets = numbers(value);
            else if (header(line, "to", value)) c.to = std::stoll(value);
            else if (header(line, "again", value)) c.again = std::stoll(value);
            else if (header(line, "becomes", value)) c.becomes.push_back(value);
            else if (header(line, "refused", value)) c.refused = value;
            else if (header(line, "tolerance", value))
                c.tolerance = {std::stod(value), std::stod(value)};
            else if (header(line, "dimension", value))
                c.dimensions[value.substr(0, value.find(' '))] =
                    std::stoll(value.substr(value.find('=') + 1));
            else c.text += line + "\n";
        }
        store();
    }
    return cases;
}

std::set<std::string> operators_of(const Model& model) {
    std::set<std::string> names;
    for_each_graph(model.graph, [&](const Graph& g, const std::string&) {
        for (NodeId id : g.nodes()) names.insert(g.node(id).qualified_op());
    });
    return names;
}

class Conversion : public testing::TestWithParam<ConversionCase> {};

TEST_P(Conversion, KeepsTheOutputs) {
    const ConversionCase& c = GetParam();
    SCOPED_TRACE(c.file.string() + ":" + std::to_string(c.line));
    const Model before = test::model_of(c.text, c.opset);
    Model after = before;
    try {
        if (c.to) {
            convert_opset(after, *c.to);
            EXPECT_EQ(after.opset(), *c.to);
            for_each_graph(after.graph, [&](const Graph& g, const std::string&) {
                for (NodeId id : g.nodes())
                    EXPECT_TRUE(!g.node(id).domain.empty() || g.node(id).version == *c.to)
                        << g.node(id).describe();
            });
        } else {
            const LoweringResult lowered = lower_contrib(after);
            std::string reasons;
            for (const NearMiss& miss : lowered.refused)
                reasons += (reasons.empty() ? "" : "; ") + miss.reason;
            EXPECT_EQ(reasons, c.refused);
            if (!c.refused.empty()) return;
            EXPECT_EQ(target_problems(after, ExportTarget::plain), std::vector<std::string>{});
        }
    } catch (const Error& error) {
        ASSERT_FALSE(c.refused.empty()) << error.what();
        EXPECT_NE(error.message().find(c.refused), std::string::npos) << error.what();
        return;
    }
    ASSERT_TRUE(c.refused.empty()) << "it was not refused";
    verify(after);
    const auto operators = operators_of(after);
    for (const std::string& name : c.becomes)
        EXPECT_TRUE(operators.contains(name)) << "no " << name;
    std::set<std::string> names;
    for (NodeId id : after.graph.nodes())
        EXPECT_TRUE(after.graph.node(id).name.empty() ||
                    names.insert(after.graph.node(id).name).second)
            << "two nodes called " << after.graph.node(id).name;
    // Outputs keep names and, where they are known, types.
    for (std::size_t i = 0; i < before.graph.outputs().size(); ++i) {
        const Value &a = before.graph.value(before.graph.outputs()[i]),
                    &b = after.graph.value(after.graph.outputs()[i]);
        EXPECT_EQ(a.name, b.name);
        EXPECT_TRUE(a.type.dtype == DType::undefined || a.type.dtype == b.type.dtype) << a.name;
    }
    for (std::uint64_t seed : {1, 2})
        EXPECT_EQ(test::compare_runs(before, after, c.tolerance, 1, c.dimensions, seed), "");
    if (!c.again) return;
    Model again = after;
    convert_opset(again, *c.again);
    EXPECT_EQ(test::compare_runs(before, again, c.tolerance, 1, c.dimensions, 1), "");
}

std::string test_name(const testing::TestParamInfo<ConversionCase>& info) {
    std::string name;
    for (char ch : info.param.name) name += std::isalnum(static_cast<unsigned char>(ch)) ? ch : '_';
    return name + "_" + std::to_string(info.index);
}

INSTANTIATE_TEST_SUITE_P(All, Conversion, testing::ValuesIn(read_cases()), test_name);

// Every lowering needs a case that checks it.
TEST(Conversions, EveryLoweringHasACase) {
    std::set<std::string> used;
    for (const ConversionCase& c : read_cases())
        if (!c.to && c.refused.empty()) used.merge(operators_of(test::model_of(c.text, c.opset)));
    for (const std::string& op : lowered_operators()) EXPECT_TRUE(used.contains(op)) << op;
}

// So does every operator that is written out for an earlier opset.
TEST(Conversions, EveryOperatorWrittenOutDownwardsHasACase) {
    std::set<std::string> used;
    for (const ConversionCase& c : read_cases())
        if (c.to && *c.to < c.opset && c.refused.empty())
            used.merge(operators_of(test::model_of(c.text, c.opset)));
    for (const std::string& op : written_out_downwards()) EXPECT_TRUE(used.contains(op)) << op;
}

}  // namespace
}  // namespace lapidary
