// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include <nlohmann/json.hpp>

#include <lapidary/base/error.h>
#include <lapidary/graph/graph_edit.h>
#include <lapidary/graph/graph_text.h>
#include <lapidary/report/html_report.h>
#include <lapidary/proof/side_matching.h>

#include "graph/graph_folding.h"
#include "report/html_writer.h"
#include "report/report_table.h"
#include "support/test_data.h"

namespace lapidary {
namespace {

using Json = nlohmann::json;

const std::string hostile =
    "</script><img src=x onerror=\"alert('1')\"> \xE2\x80\xA8 & ]]> --> \x01 \xFF";
const std::string hostile_as_json =
    "</script><img src=x onerror=\"alert('1')\"> \xE2\x80\xA8 & ]]> --> \x01 \xEF\xBF\xBD";

ModelPtr model_of(const std::string& text) {
    auto model = std::make_shared<Model>();
    model->opset_imports[""] = 17;
    model->graph = parse_graph(text);
    return model;
}

Span kernel(Profile& profile, const Node& node, std::int64_t begin_us, std::int64_t length_us,
            int run = 0) {
    Span span;
    span.label = profile.labels.add({.name = node.name.empty() ? node.op_type : node.name,
                                     .op = node.qualified_op(),
                                     .kernel = "reference"});
    span.node = node.id;
    span.run = run;
    span.begin_ns = begin_us * 1000;
    span.end_ns = (begin_us + length_us) * 1000;
    return span;
}

/// Every node once per run, node i for (i + 1) * `scale` microseconds.
std::shared_ptr<const Profile> profile_of(const Graph& graph, int runs = 1,
                                          std::int64_t scale = 10) {
    auto profile = std::make_shared<Profile>();
    profile->runs = runs;
    std::int64_t at = 0;
    for (int run = 0; run < runs; ++run) {
        Span whole;
        whole.kind = EventKind::run;
        whole.run = run;
        whole.begin_ns = at * 1000;
        std::int64_t i = 0;
        for (const NodeId id : graph.nodes()) {
            const std::int64_t length = ++i * scale;
            profile->kernels.push_back(kernel(*profile, graph.node(id), at, length, run));
            at += length;
        }
        whole.end_ns = at * 1000;
        profile->run_spans.push_back(whole);
        at += 5;
    }
    return profile;
}

ReportContent content_of(const ModelPtr& model, int sides = 1) {
    ReportContent content;
    content.title = "A report";
    content.original = model;
    content.machine.cpu = "A processor";
    content.machine.date = "2026-01-02T03:04:05Z";
    content.written_by = "Lapidary";
    for (int i = 0; i < sides; ++i) {
        ReportSide side;
        side.name = i == 0 ? "first" : "second";
        side.model = model;
        side.profile = profile_of(model->graph, 2, 10 * (i + 1));
        content.sides.push_back(std::move(side));
    }
    return content;
}

std::string page_of(const ReportContent& content) {
    std::ostringstream out;
    write_html_report(content, out);
    return out.str();
}

std::size_t count(const std::string& text, const std::string& part) {
    std::size_t n = 0;
    for (std::size_t at = text.find(part); at != std::string::npos;
         at = text.find(part, at + part.size()))
        ++n;
    return n;
}

Json data_of(const std::string& page) {
    const std::string opening = "<script type=\"application/json\" id=\"data\">";
    const std::size_t begin = page.find(opening) + opening.size();
    return Json::parse(page.substr(begin, page.find("</script>", begin) - begin));
}

const std::string small_graph = R"((x: f32[2,3]) -> (y)
    a = MatMul(x, w: f32[3,4]) as "/block/first"
    b = Relu(a) as "/block/second"
    y = Add(b, b) as "last")";

TEST(HtmlReport, NoTextLeavesItsPlace) {
    ModelPtr named = model_of(small_graph);
    auto model = std::make_shared<Model>(*named);
    {
        GraphEdit edit(model->graph);
        std::vector<NodeId> nodes(model->graph.nodes().begin(), model->graph.nodes().end());
        edit.rename(nodes[0], hostile);
        edit.finish();
    }
    model->producer_name = hostile;
    ReportContent content = content_of(model, 2);
    content.title = content.notes = content.written_by = content.machine.cpu =
        content.sides[0].name = content.sides[1].command = hostile;
    content.outputs.push_back({hostile, {.reason = hostile, .max_abs = 1, .magnitude = 1}});
    Measurement failed;
    failed.error = hostile;
    content.sides[0].measurement = failed;
    auto passes = std::make_shared<PipelineReport>();
    passes->passes.push_back({hostile, Level::basic, {}, 1, 0, 0, 1000});
    passes->rewrites.push_back({GraphPath{{{NodeId(0), hostile, 0, hostile}}},
                                Level::basic,
                                {hostile, hostile, {}, {}, {}}});
    content.sides[1].passes = passes;
    content.difference = Difference{{1, 1, 1, 9}, false, hostile};
    const std::string page = page_of(content);
    EXPECT_EQ(count(page, "<script"), 2u);
    EXPECT_EQ(count(page, "</script"), 2u);
    EXPECT_EQ(page.find("<img"), std::string::npos);
    EXPECT_EQ(page.find("onerror=\""), std::string::npos);
    EXPECT_EQ(page.find('\x01'), std::string::npos);
    EXPECT_EQ(page.find('\xFF'), std::string::npos);
    const Json data = data_of(page);  // U+2028 and the rest come back as they were
    const auto strings = data["strings"].get<std::vector<std::string>>();
    EXPECT_NE(std::ranges::find(strings, hostile_as_json), strings.end());
    EXPECT_EQ(data["sides"][0]["graph"]["nodes"].size(), 3u);
}

TEST(HtmlReport, AsksForNothingElsewhere) {
    const std::string page = page_of(content_of(model_of(small_graph), 2));
    EXPECT_EQ(page.find("http"), page.find("http-equiv"));
    EXPECT_EQ(count(page, "http"), 1u);
    EXPECT_EQ(page.find("@import"), std::string::npos);
    EXPECT_EQ(page.find("url("), std::string::npos);
    EXPECT_EQ(page.find(" src="), std::string::npos);
    EXPECT_EQ(page.find("localStorage"), std::string::npos);
    EXPECT_NE(page.find("default-src 'none'"), std::string::npos);
    const std::regex reference(R"re((href|action|data|poster)="([^"]*)")re");
    for (std::sregex_iterator match(page.begin(), page.end(), reference), end; match != end;
         ++match) {
        const std::string target = (*match)[2];
        EXPECT_TRUE(target.starts_with('#') || target == "data:,") << target;
    }
    EXPECT_NE(page.find("<noscript>"), std::string::npos);
    EXPECT_NE(page.find("prefers-color-scheme: dark"), std::string::npos);
    EXPECT_NE(page.find("@media print"), std::string::npos);
}

TEST(HtmlReport, ShowsWhatThereIsAndNothingElse) {
    ReportContent content;
    content.title = "Only a model";
    ReportSide side;
    side.name = "original";
    side.model = model_of(small_graph);
    content.sides.push_back(side);
    const std::string plain = page_of(content);
    EXPECT_NE(plain.find("3 nodes: "), std::string::npos);
    for (const char* section : {"id=\"comparison\"", "id=\"measurements\"", "id=\"sweep\"",
                                "id=\"notes\"", "class=\"timeline\""})
        EXPECT_EQ(plain.find(section), std::string::npos) << section;

    content = content_of(side.model, 2);
    content.notes = "as asked";
    Measurement measured;
    measured.samples_ms = {1, 1.1, 1.2, 1.1, 1, 1.05};
    measured.wall.median = {1.075, 1, 1.2, 6};
    measured.wall.note = "the machine drifted";
    content.sides[0].measurement = measured;
    auto sweep = std::make_shared<SweepResult>();
    for (int threads : {1, 2}) {
        SweepCell cell;
        cell.configuration.resources.threads = threads;
        cell.state = threads == 2 ? CellState::done : CellState::failed;
        cell.reason = "no such core";
        cell.measurement = measured;
        sweep->cells.push_back(cell);
    }
    sweep->recommendation = {1, {}, {}, "2 threads it is"};
    content.sweep = sweep;
    const std::string full = page_of(content);
    for (const char* part :
         {"id=\"comparison\"", "id=\"measurements\"", "id=\"sweep\"", "as asked",
          "the machine drifted", "2 threads it is", "no such core", "class=\"timeline\"",
          "class=\"waterfall\"", "class=\"best\"", "class=\"distribution\""})
        EXPECT_NE(full.find(part), std::string::npos) << part;
}

TEST(HtmlReport, GraphCarriesTimesAndOrigins) {
    const Json data = data_of(page_of(content_of(model_of(small_graph))));
    const Json& graph = data["sides"][0]["graph"];
    const auto text = [&](const Json& number) {
        return data["strings"][number.get<std::size_t>()].get<std::string>();
    };
    ASSERT_EQ(graph["drawings"].size(), 1u);
    EXPECT_EQ(graph["drawings"][0]["boxes"].size(), 5u);  // and the input and the output
    EXPECT_EQ(graph["drawings"][0]["lines"].size(), 4u);  // Add reads the same value twice
    const Json& first = graph["nodes"][0];
    EXPECT_EQ(text(first[0]), "/block/first");
    EXPECT_EQ(text(first[1]), "MatMul");
    EXPECT_EQ(text(first[2]), "matrix");
    EXPECT_DOUBLE_EQ(first[3].get<double>(), 0.01);
    EXPECT_EQ(text(first[10]), "/block/first");
    EXPECT_NE(text(first[7]).find("w: f32[3,4] constant"), std::string::npos);
}

TEST(HtmlReport, BodiesOfControlFlowAreDrawingsOfTheirOwn) {
    const Json data = data_of(page_of(content_of(model_of(R"((x: f32[2], c: bool[]) -> (y)
        h = Mul(x, x)
        y = If(c) {then_branch: graph { () -> (a)
            a = Add(h, h) }, else_branch: graph { () -> (b)
            b = Identity(h) }} as "choice")"))));
    const Json& graph = data["sides"][0]["graph"];
    EXPECT_EQ(graph["drawings"].size(), 3u);
    EXPECT_EQ(graph["nodes"].size(), 4u);
    EXPECT_EQ(graph["drawings"][1]["parent"], 0);
}

std::string chain_text(int nodes, bool has_scopes) {
    std::string text = "(x: f32[2]) -> (v" + std::to_string(nodes - 1) + ")\n";
    for (int i = 0; i < nodes; ++i)
        text += "v" + std::to_string(i) + " = Relu(" +
                (i ? "v" + std::to_string(i - 1) : std::string("x")) + ")" +
                (has_scopes ? " as \"/layer." + std::to_string(i / 100) + "/part" +
                                  std::to_string(i / 10 % 10) + "/Relu_" + std::to_string(i) + "\""
                            : "") +
                "\n";
    return text;
}

TEST(HtmlReport, LargeGraphsAreFoldedWithEveryNodeOnce) {
    for (const bool has_scopes : {true, false}) {
        const ModelPtr model = model_of(chain_text(4000, has_scopes));
        ReportContent content = content_of(model);
        const std::string page = page_of(content);
        EXPECT_LT(page.size(), 5'000'000u);
        const Json data = data_of(page);
        const Json& graph = data["sides"][0]["graph"];
        EXPECT_EQ(graph["nodes"].size(), 4000u);
        std::set<std::size_t> seen;
        for (std::size_t d = 0; d < graph["drawings"].size(); ++d) {
            const Json& drawing = graph["drawings"][d];
            EXPECT_LE(drawing["boxes"].size(), 400u);
            EXPECT_EQ(drawing["parent"].get<int>() < 0, d == 0);
            EXPECT_LT(drawing["parent"].get<int>(), static_cast<int>(d));
            for (std::size_t b = 0; b < drawing["boxes"].size(); ++b) {
                const Json& box = drawing["boxes"][b];
                const std::size_t what = box[5].get<std::size_t>();
                if (box[4] == 0) {
                    EXPECT_TRUE(seen.insert(what).second);
                    EXPECT_EQ(graph["nodes"][what][5], d);
                    EXPECT_EQ(graph["nodes"][what][6], b);
                } else if (box[4] == 1) {
                    EXPECT_EQ(graph["drawings"][what]["parent"], d);
                }
            }
        }
        EXPECT_EQ(seen.size(), 4000u);
        EXPECT_GT(graph["drawings"].size(), 30u);
        const std::string label = data["strings"][graph["drawings"][1]["title"].get<std::size_t>()];
        EXPECT_EQ(label, has_scopes ? "layer.0" : "Nodes 1 to 100: 100 Relu");
    }
}

TEST(GraphFolding, AScopeAroundNearlyEverythingGivesWayToWhatIsInIt) {
    std::string text = "(x: f32[2]) -> (v1999)\n";
    for (int i = 0; i < 2000; ++i)
        text += "v" + std::to_string(i) + " = Relu(" +
                (i ? "v" + std::to_string(i - 1) : std::string("x")) + ") as \"" +
                (i < 3 ? "first/" : "/model/encoder/layer." + std::to_string(i / 200) + "/") +
                "Relu_" + std::to_string(i) + "\"\n";
    const Graph graph = parse_graph(text);
    const FoldedGroup root = fold_graph(graph, {graph.nodes().begin(), graph.nodes().end()});
    ASSERT_EQ(root.groups.size(), 11u);
    EXPECT_EQ(root.groups[0].label, "first");
    EXPECT_EQ(root.groups[1].label, "model/encoder/layer.0");
    EXPECT_EQ(root.groups[1].all.size(), 197u);
    EXPECT_EQ(root.groups[1].nodes.size(), 197u);
}

TEST(HtmlReport, TimelinesAreThinnedButCountEverySpan) {
    const ModelPtr model = model_of(chain_text(300, false));
    ReportContent content = content_of(model);
    content.sides[0].profile = profile_of(model->graph, 400, 1);
    const std::string page = page_of(content);
    EXPECT_LT(page.size(), 2'000'000u);
    const Json data = data_of(page);
    const Json& timeline = data["sides"][0]["timeline"];
    EXPECT_EQ(timeline["spans"], 400 * 301);
    const std::int64_t from = timeline["detail"][0], to = timeline["detail"][1];
    std::int64_t counted = 0, in_detail = 0;
    for (const Json& lane : timeline["lanes"]) {
        std::int64_t at = 0;
        for (std::size_t i = 0; i < lane["begin"].size(); ++i) {
            at += lane["begin"][i].get<std::int64_t>();
            const std::int64_t merged =
                lane.contains("merged") ? lane["merged"][i].get<std::int64_t>() : 1;
            counted += merged;
            if (lane["kind"] == 1 && at >= from && at < to) {
                EXPECT_EQ(merged, 1);
                ++in_detail;
            }
        }
    }
    EXPECT_EQ(counted, 400 * 301);
    EXPECT_EQ(in_detail, 300);
}

TEST(SideMatching, AlignsByOriginAndKeepsTheSum) {
    const ModelPtr original = model_of(small_graph);
    auto fused = std::make_shared<Model>(*original);
    const std::vector<NodeId> nodes(original->graph.nodes().begin(), original->graph.nodes().end());
    {
        GraphEdit edit(fused->graph);
        edit.set_origins(nodes[2], {nodes[1], nodes[2]});
        edit.finish();
    }
    ReportContent content = content_of(original, 2);
    content.sides[1].model = fused;
    auto profile = std::make_shared<Profile>();
    profile->runs = 1;
    profile->kernels = {kernel(*profile, fused->graph.node(nodes[0]), 0, 4),
                        kernel(*profile, fused->graph.node(nodes[2]), 4, 6)};
    profile->run_spans.push_back(kernel(*profile, fused->graph.node(nodes[0]), 0, 10));
    content.sides[1].profile = profile;
    const auto matching = match_sides(content);
    ASSERT_TRUE(matching);
    EXPECT_TRUE(matching->by_origin);
    ASSERT_EQ(matching->nodes.size(), 3u);
    double a = 0, b = 0;
    for (const MatchedNode& node : matching->nodes) {
        a += node.a_ms.value_or(0);
        b += node.b_ms.value_or(0);
        if (node.name == "/block/first") {
            EXPECT_NEAR(node.change(), 0.004 - 0.010, 1e-9);
        } else if (node.name == "last") {
            EXPECT_EQ(node.b_among, 2u);
        }
    }
    EXPECT_NEAR(a, 0.060, 1e-9);
    EXPECT_NEAR(b, 0.010, 1e-9);
    EXPECT_GE(std::abs(matching->nodes[0].change()), std::abs(matching->nodes[1].change()));

    content.original = nullptr;  // two files: by name
    const auto named = match_sides(content);
    ASSERT_TRUE(named);
    EXPECT_FALSE(named->by_origin);
    const auto relu = std::ranges::find(named->nodes, "/block/second", &MatchedNode::name);
    ASSERT_NE(relu, named->nodes.end());
    EXPECT_FALSE(relu->b_ms);
    content.sides.pop_back();
    EXPECT_FALSE(match_sides(content));
}

/// Rows of an RFC 4180 file.
std::vector<std::vector<std::string>> read_csv(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    const std::string text((std::istreambuf_iterator<char>(file)), {});
    std::vector<std::vector<std::string>> rows{{""}};
    bool is_quoted = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (is_quoted && c == '"' && i + 1 < text.size() && text[i + 1] == '"')
            rows.back().back() += text[++i];
        else if (c == '"') is_quoted = !is_quoted;
        else if (!is_quoted && c == ',') rows.back().emplace_back();
        else if (!is_quoted && c == '\r') continue;
        else if (!is_quoted && c == '\n') rows.push_back({""});
        else rows.back().back() += c;
    }
    rows.pop_back();
    return rows;
}

TEST(ReportTables, ReadBackAndAddUp) {
    const TemporaryFolder folder;
    ReportContent content = content_of(model_of(small_graph), 2);
    content.sides[0].name = "a, \"quoted\"\nname";
    content.outputs.push_back({"y", {.matches = true, .max_abs = 0.5, .magnitude = 2}});
    save_report_tables(content, folder / "new/tables");
    const auto nodes = read_csv(folder / "new/tables/nodes.csv");
    ASSERT_EQ(nodes.size(), 1 + 2 * 3u);
    EXPECT_EQ(nodes[0][0], "side");
    EXPECT_EQ(nodes[1][0], content.sides[0].name);
    const auto column = [&](const std::vector<std::vector<std::string>>& table,
                            const std::string& key) {
        return static_cast<std::size_t>(std::ranges::find(table[0], key) - table[0].begin());
    };
    double node_ms = 0, operator_ms = 0, a_ms = 0;
    for (std::size_t i = 1; i < nodes.size(); ++i)
        node_ms += std::stod(nodes[i][column(nodes, "ms")]);
    const auto operators = read_csv(folder / "new/tables/operators.csv");
    for (std::size_t i = 1; i < operators.size(); ++i)
        operator_ms += std::stod(operators[i][column(operators, "ms")]);
    EXPECT_NEAR(node_ms, 0.06 + 0.12, 1e-9);
    double wall_ms = 0;
    for (const ReportSide& side : content.sides) wall_ms += summarize(*side.profile).wall_ms;
    EXPECT_NEAR(operator_ms, wall_ms, 1e-9);  // the session overhead is among them
    EXPECT_EQ(operators.back()[column(operators, "operator")], "session overhead");
    EXPECT_NEAR(std::stod(operators.back()[column(operators, "ms")]),
                summarize(*content.sides[1].profile).wall_ms - 0.12, 1e-9);
    EXPECT_EQ(read_csv(folder / "new/tables/phases.csv")[1][1], "model load");
    const auto differences = read_csv(folder / "new/tables/differences.csv");
    for (std::size_t i = 1; i < differences.size(); ++i)
        a_ms += std::stod(differences[i][column(differences, "a_ms")]);
    EXPECT_NEAR(a_ms, 0.06, 1e-9);
    EXPECT_TRUE(std::filesystem::exists(folder / "new/tables/operator_differences.csv"));
    EXPECT_FALSE(std::filesystem::exists(folder / "new/tables/measurements.csv"));
    std::ifstream file(folder / "new/tables/report.json");
    const Json json = Json::parse(file);
    EXPECT_EQ(json["sides"][0]["name"], content.sides[0].name);
    EXPECT_NEAR(json["sides"][1]["profile"]["session_overhead_ms"].get<double>(),
                summarize(*content.sides[1].profile).wall_ms - 0.12, 1e-9);
    EXPECT_EQ(json["tables"]["nodes"].size(), 6u);
    EXPECT_EQ(json["tables"]["outputs"][0]["relative"], 0.25);
}

TEST(ReportTables, SayWhyTheyCannotBeWritten) {
    const TemporaryFolder folder;
    std::ofstream(folder / "file") << "in the way";
    const ReportContent content = content_of(model_of(small_graph));
    try {
        save_report_tables(content, folder / "file/tables");
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::io_failure);
        EXPECT_NE(std::string(error.what()).find("file/tables"), std::string::npos) << error.what();
    }
    EXPECT_THROW(save_html_report(content, folder / "missing/report.html"), Error);
    save_html_report(content, folder / "report.html");
    EXPECT_GT(std::filesystem::file_size(folder / "report.html"), 10'000u);
}

TEST(HtmlWriter, EscapesAndRepairs) {
    EXPECT_EQ(html::escaped("<a href=\"x\">'&"), "&lt;a href=&quot;x&quot;&gt;&#39;&amp;");
    EXPECT_EQ(html::escaped("\xC3\xA9\xE2\x82\xAC\xF0\x9F\x92\x8E"),
              "\xC3\xA9\xE2\x82\xAC\xF0\x9F\x92\x8E");
    EXPECT_EQ(html::escaped("\xC3"), "\xEF\xBF\xBD");
    // a surrogate is no character
    EXPECT_EQ(html::escaped("\xED\xA0\x80"), "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");
    EXPECT_EQ(html::script_json("</script>\xE2\x80\xA8"), "\"\\u003c/script\\u003e\\u2028\"");
}

TEST(ReportTable, NumbersReadAsPeopleReadThem) {
    EXPECT_EQ(cell_text(412.4, CellKind::milliseconds), "412 ms");
    EXPECT_EQ(cell_text(0.01234, CellKind::milliseconds), "12.3 µs");
    EXPECT_EQ(cell_text(0.0001, CellKind::share), "< 0.1 %");
    EXPECT_EQ(cell_text(0.713, CellKind::share), "71.3 %");
    EXPECT_EQ(cell_text(-1.5, CellKind::change), "−1.50 ms");
    EXPECT_EQ(cell_text(0.125, CellKind::share), "12.5 %");
    EXPECT_EQ(cell_text({}, CellKind::share), "–");
}

}  // namespace
}  // namespace lapidary
