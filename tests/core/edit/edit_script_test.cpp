// SPDX-License-Identifier: Apache-2.0
// Edit scripts as text, and what their selections name.
#include <gtest/gtest.h>

#include <lapidary/base/error.h>
#include <lapidary/edit/edit_script.h>
#include <lapidary/edit/edit_select.h>
#include <lapidary/edit/edit_verbs.h>
#include <lapidary/graph/graph_edit.h>
#include <lapidary/graph/graph_text.h>

#include "edit/edit_words.h"

namespace lapidary {
namespace {

TEST(EditScript, ReadsLinesWithoutComments) {
    const EditScript script = parse_edit_script(
        "# all of it\n\n  delete   Dropout_*  # trained\r\nset a.b=3\nrename value x \u2192 y");
    ASSERT_EQ(script.lines.size(), 3u);
    EXPECT_EQ(script.lines[0].text, "delete Dropout_*");
    EXPECT_EQ(script.lines[0].line, 3);
    EXPECT_EQ(script.lines[1].text, "set a.b = 3");
    EXPECT_EQ(script.lines[2].text, "rename value x -> y");
    EXPECT_EQ(parse_edit_script(to_string(script)).lines[2].text, script.lines[2].text);
}

TEST(EditScript, NormalFormReadsAsItself) {
    for (const char* text :
         {"insert Clip( min=0,max = 6 ) on \"odd name\" as clip", "keep outputs a ,b,c",
          "delete op:Cast&scope:encoder/* cut", "set \"a b\".axes = [0, 1 ,2]",
          "set n.mode = \"two words\"", "connect v -> node.0", "dim batch=4", "opset 21"}) {
        const EditLine line = parse_edit_line(text);
        const EditLine again = parse_edit_line(line.text);
        EXPECT_EQ(again.text, line.text);
        EXPECT_EQ(again.arguments, line.arguments) << text;
    }
    EXPECT_EQ(parse_edit_line("insert Clip( min=0,max = 6 ) on x").text,
              "insert Clip(min=0, max=6) on x");
}

TEST(EditScript, OddNamesSurviveAsWords) {
    for (const char* name :
         {"plain", "",        "a b",   "a\"b",     "a\\b", "two\nlines", "tab\t",       "#1",
          "x#1",   "op:Cast", "a->b",  "a\u2192b", "f(x)", "a[0]",       "a,b",         "a=b",
          "p*",    "q?",      "foo:0", "end:",     "&",    "!x",         "\u00e4\u00f6"}) {
        const std::string word = edit_word(name);
        const std::vector<std::string> words = split_edit_words("x " + word + " y");
        ASSERT_EQ(words.size(), 3u) << name;
        EXPECT_EQ(unquoted_word(words[1]), name);
    }
}

TEST(EditScript, MistakesNameTheLine) {
    const auto message = [](const char* text) {
        try {
            parse_edit_script(text);
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), ErrorCode::invalid_input);
            return std::string(error.what());
        }
        ADD_FAILURE() << text << " was read";
        return std::string();
    };
    EXPECT_NE(message("opset 17\ndelet x").find("line 2"), std::string::npos);
    EXPECT_NE(message("delet x").find("did you mean \"delete\""), std::string::npos);
    EXPECT_NE(message("delete").find("delete NODES [bridge|cut]"), std::string::npos);
    EXPECT_NE(message("delete \"a").find("not closed"), std::string::npos);
    EXPECT_NE(message("insert Clip(min=0 on x").find("not closed"), std::string::npos);
}

TEST(EditScript, VerbsAreDescribed) {
    for (const EditVerb& verb : edit_verbs()) {
        EXPECT_TRUE(verb.form.starts_with(verb.verb)) << verb.form;
        EXPECT_TRUE(verb.help.ends_with('.')) << verb.form;
    }
}

class EditSelection : public testing::Test {
protected:
    EditSelection() {
        graph_ = parse_graph(
            "(x: f32[2], c: i64[2]) -> (z)\na = Relu(x) as \"/enc/layer.0/relu\"\n"
            "b = Relu(a) as \"/enc/layer.1/relu\"\nd = Cast(c) {to: 1} as \"cast*\"\n"
            "z = Add(b, d)");
    }
    std::size_t nodes(const char* selection) const {
        return select_nodes(graph_, selection).size();
    }
    std::string refusal(const char* selection) const {
        try {
            select_nodes(graph_, selection);
        } catch (const Error& error) { return error.message(); }
        return {};
    }
    Graph graph_;
};

TEST_F(EditSelection, NamesNodesByTheirProperties) {
    EXPECT_EQ(nodes("/enc/layer.0/relu"), 1u);
    EXPECT_EQ(nodes("*relu"), 2u);
    EXPECT_EQ(nodes("op:Relu"), 2u);
    EXPECT_EQ(nodes("op:*"), 4u);
    EXPECT_EQ(nodes("scope:enc"), 2u);
    EXPECT_EQ(nodes("scope:/enc/layer.1/*"), 1u);
    EXPECT_EQ(nodes("op:Relu & writes:b"), 1u);
    EXPECT_EQ(nodes("op:Relu & !writes:b"), 1u);
    EXPECT_EQ(nodes("reads:x"), 1u);
    EXPECT_EQ(nodes("index:3"), 1u);
    EXPECT_EQ(nodes("\"cast*\""), 1u) << "no pattern in quotes";
    EXPECT_EQ(select_values(graph_, "of:op:Relu").size(), 2u);
    EXPECT_EQ(graph_.value(select_value(graph_, "z")).name, "z");
}

TEST_F(EditSelection, CommasListWhatIsNamed) {
    EXPECT_EQ(nodes("/enc/layer.0/relu, index:3"), 2u);
    EXPECT_EQ(nodes("op:Relu & writes:b, op:Add, *relu"), 3u) << "each node once";
    EXPECT_EQ(select_nodes(graph_, "op:Add, op:Relu & writes:a").front(), graph_.nodes().front())
        << "in the order of the graph";
    EXPECT_EQ(select_values(graph_, "a, b, of:op:Relu").size(), 2u);
    EXPECT_NE(refusal("op:Relu, op:Rely").find("did you mean \"Relu\""), std::string::npos);
    EXPECT_FALSE(refusal("op:Relu,").empty());
    EXPECT_THROW(select_node(graph_, "/enc/layer.0/relu, index:3"), Error);
    EXPECT_EQ(parse_edit_line("delete /enc/layer.0/relu , \"cast*\" cut").text,
              "delete /enc/layer.0/relu, \"cast*\" cut");
    EXPECT_EQ(parse_edit_line("set a, b.axis = 1").text, "set a, b.axis = 1");
}

TEST_F(EditSelection, SaysWhatWasFound) {
    EXPECT_NE(refusal("op:Rely").find("did you mean \"Relu\""), std::string::npos);
    EXPECT_NE(refusal("z").find("writes:z"), std::string::npos);
    EXPECT_FALSE(refusal("op:Relu &").empty());
    EXPECT_FALSE(refusal("\"*relu\"").empty());
    EXPECT_THROW(select_node(graph_, "op:Relu"), Error);
    EXPECT_THROW(select_values(graph_, "zz*"), Error);
}

}  // namespace
}  // namespace lapidary
