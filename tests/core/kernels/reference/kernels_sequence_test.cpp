// SPDX-License-Identifier: Apache-2.0
// Sequences, optionals and string operators.
#include <gtest/gtest.h>

#include <lapidary/base/error.h>

#include "kernels/reference/sequence/regex_program.h"
#include "support/kernel_harness.h"

namespace lapidary::test {
namespace {

using I64 = std::vector<std::int64_t>;
using Words = std::vector<std::string>;

Tensor words(Words values) {
    return Tensor::of<std::string>({static_cast<std::int64_t>(values.size())}, values);
}
Tensor number(std::int64_t value) { return Tensor::scalar(value); }
RuntimeValue sequence_of(std::vector<Tensor> items) {
    return run_kernel("", "SequenceConstruct", 11, {items.begin(), items.end()})[0];
}
Tensor one(float value) { return Tensor::of<float>({1}, {value}); }
std::vector<float> flat(const RuntimeValue& sequence) {
    std::vector<float> all;
    for (const RuntimeValue& item : sequence.sequence().items)
        for (const float v : item.tensor().data<float>()) all.push_back(v);
    return all;
}

TEST(SequenceKernels, InsertEraseAndReadByPosition) {
    const RuntimeValue three = sequence_of({one(1), one(2), one(3)});
    EXPECT_EQ(flat(run_kernel("", "SequenceInsert", 11, {three, one(9), number(-3)})[0]),
              (std::vector<float>{9, 1, 2, 3}));
    EXPECT_EQ(flat(run_kernel("", "SequenceInsert", 11, {three, one(9), number(3)})[0]),
              (std::vector<float>{1, 2, 3, 9}));
    EXPECT_EQ(flat(run_kernel("", "SequenceInsert", 11, {three, one(9)})[0]),
              (std::vector<float>{1, 2, 3, 9}));
    EXPECT_EQ(flat(run_kernel("", "SequenceErase", 11, {three})[0]), (std::vector<float>{1, 2}));
    EXPECT_EQ(flat(run_kernel("", "SequenceErase", 11, {three, number(-3)})[0]),
              (std::vector<float>{2, 3}));
    EXPECT_EQ(values_of<float>(run_kernel_tensor("", "SequenceAt", 11, {three, number(-1)})),
              (std::vector<float>{3}));
    EXPECT_EQ(values_of<std::int64_t>(run_kernel_tensor("", "SequenceLength", 11, {three})),
              (I64{3}));
    EXPECT_THROW(run_kernel("", "SequenceAt", 11, {three, number(3)}), Error);
    EXPECT_THROW(run_kernel("", "SequenceInsert", 11, {three, one(9), number(4)}), Error);
    EXPECT_THROW(run_kernel("", "SequenceInsert", 11, {three, number(1)}), Error);
    const RuntimeValue empty = run_kernel("", "SequenceEmpty", 11, {}, {attribute("dtype", 7)})[0];
    EXPECT_EQ(empty.sequence().element_type, Type::tensor(DType::i64));
    EXPECT_THROW(run_kernel("", "SequenceErase", 11, {empty}), Error);
    EXPECT_THROW(run_kernel("", "SequenceLength", 11, {one(1)}), Error);
}

TEST(SequenceKernels, SplitsAndJoins) {
    const Tensor data = Tensor::of<float>({2, 3}, {1, 2, 3, 4, 5, 6});
    const auto split = [&](RuntimeValue sizes, int keep) {
        return run_kernel("", "SplitToSequence", 11, {data, sizes},
                          {attribute("axis", 1), attribute("keepdims", keep)})[0];
    };
    EXPECT_EQ(split({}, 0).sequence().items[1].tensor().shape(), (Shape{2}));
    EXPECT_EQ(flat(split({}, 1)), (std::vector<float>{1, 4, 2, 5, 3, 6}));
    EXPECT_EQ(split(number(2), 0).sequence().items[1].tensor().shape(), (Shape{2, 1}));
    EXPECT_EQ(split(Tensor::of<std::int64_t>({2}, {0, 3}), 0).sequence().items[0].tensor().shape(),
              (Shape{2, 0}));
    EXPECT_THROW(split(number(0), 1), Error);
    EXPECT_THROW(split(Tensor::of<std::int64_t>({2}, {1, 3}), 1), Error);
    EXPECT_TRUE(same_contents(run_kernel_tensor("", "ConcatFromSequence", 11, {split(number(2), 1)},
                                                {attribute("axis", 1)}),
                              data));
    const Tensor stacked = run_kernel_tensor("", "ConcatFromSequence", 11, {split({}, 0)},
                                             {attribute("axis", -1), attribute("new_axis", 1)});
    EXPECT_TRUE(same_contents(stacked, data));
    EXPECT_THROW(run_kernel("", "ConcatFromSequence", 11, {sequence_of({one(1), data})},
                            {attribute("axis", 0)}),
                 Error);
}

TEST(SequenceKernels, OptionalsMayBeEmpty) {
    EXPECT_TRUE(run_kernel("", "Optional", 15, {})[0].is_empty());
    EXPECT_EQ(run_kernel("", "Optional", 15, {one(1)})[0].describe(),
              RuntimeValue(one(1)).describe());
    EXPECT_TRUE(run_kernel_tensor("", "OptionalHasElement", 18, {one(1)}).data<bool>()[0]);
    EXPECT_FALSE(run_kernel_tensor("", "OptionalHasElement", 18, {}).data<bool>()[0]);
    KernelRun present;
    present.empty_optionals = {0};
    EXPECT_FALSE(run_kernel_tensor("", "OptionalHasElement", 15, {RuntimeValue()}, {}, present)
                     .data<bool>()[0]);
    EXPECT_THROW(run_kernel("", "OptionalGetElement", 18, {RuntimeValue()}, {}, present), Error);
}

TEST(StringKernels, ConcatBroadcastsAndSplitPads) {
    const Tensor left = Tensor::of<std::string>({2, 1}, {"a", "b"});
    EXPECT_EQ(values_of<std::string>(
                  run_kernel_tensor("", "StringConcat", 20, {left, words({"x", "y"})})),
              (Words{"ax", "ay", "bx", "by"}));
    KernelRun two;
    two.outputs = 2;
    const auto split = [&](Words texts, std::vector<Attribute> attributes) {
        const auto out = run_kernel("", "StringSplit", 20, {words(texts)}, attributes, two);
        return std::pair(values_of<std::string>(out[0].tensor()),
                         values_of<std::int64_t>(out[1].tensor()));
    };
    EXPECT_EQ(split({"a,b,,c", ""}, {attribute("delimiter", ",")}),
              std::pair(Words({"a", "b", "", "c", "", "", "", ""}), I64({4, 1})));
    EXPECT_EQ(split({"  a \t b ", " "}, {}), std::pair(Words({"a", "b", "", ""}), I64({2, 0})));
    EXPECT_EQ(split({"a-b-c"}, {attribute("delimiter", "-"), attribute("maxsplit", 1)}),
              std::pair(Words({"a", "b-c"}), I64({2})));
    EXPECT_EQ(split({" a  b c"}, {attribute("maxsplit", 1)}),
              std::pair(Words({"a", "b c"}), I64({2})));
}

TEST(StringKernels, NormalizerDropsStopWordsAndChangesCase) {
    const auto normalize = [](Words texts, const char* change, int sensitive) {
        return values_of<std::string>(run_kernel_tensor(
            "", "StringNormalizer", 10, {words(texts)},
            {attribute("case_change_action", change), attribute("is_case_sensitive", sensitive),
             attribute("stopwords", Words{"Monday"})}));
    };
    EXPECT_EQ(normalize({"monday", "Tag"}, "UPPER", 0), (Words{"TAG"}));
    EXPECT_EQ(normalize({"monday", "Tag"}, "LOWER", 1), (Words{"monday", "tag"}));
    EXPECT_EQ(normalize({"Monday"}, "NONE", 1), (Words{""}));
    EXPECT_EQ(normalize({"\xc3\x84 \xff"}, "LOWER", 1), (Words{"\xc3\xa4 \xff"}));
    EXPECT_THROW(normalize({"x"}, "TITLE", 1), Error);
}

TEST(StringKernels, TfIdfCountsNgramsWithSkips) {
    const auto vectorize = [](int shortest, int longest, int skips, const char* mode) {
        return values_of<float>(run_kernel_tensor(
            "", "TfIdfVectorizer", 9,
            {Tensor::of<std::int32_t>({12}, {1, 1, 3, 3, 3, 7, 8, 6, 7, 5, 6, 8})},
            {attribute("mode", mode), attribute("min_gram_length", shortest),
             attribute("max_gram_length", longest), attribute("max_skip_count", skips),
             attribute("ngram_counts", ints({0, 4})),
             attribute("ngram_indexes", ints({0, 1, 2, 3, 4, 5, 6})),
             attribute("pool_int64s", ints({2, 3, 5, 4, 5, 6, 7, 8, 6, 7})),
             attribute("weights", floats({1, 1, 1, 1, 0.5f, 2, 3}))}));
    };
    EXPECT_EQ(vectorize(2, 2, 0, "TF"), (std::vector<float>{0, 0, 0, 0, 1, 1, 1}));
    EXPECT_EQ(vectorize(2, 2, 5, "TF"), (std::vector<float>{0, 0, 0, 0, 1, 3, 1}));
    EXPECT_EQ(vectorize(1, 2, 5, "TF"), (std::vector<float>{0, 3, 1, 0, 1, 3, 1}));
    EXPECT_EQ(vectorize(1, 2, 5, "IDF"), (std::vector<float>{0, 1, 1, 0, 0.5f, 2, 3}));
    EXPECT_EQ(vectorize(1, 2, 5, "TFIDF"), (std::vector<float>{0, 3, 1, 0, 0.5f, 6, 3}));
    EXPECT_THROW(vectorize(1, 3, 0, "TF"), Error);
}

TEST(RegexProgram, MatchesAsRe2Does) {
    const auto match = [](std::string_view pattern, std::string_view text) {
        return reference::RegexProgram(pattern).full_match(text, {});
    };
    EXPECT_TRUE(match("(\\W|^)[\\w.\\-]{0,25}@(yahoo|gmail)\\.com(\\W|$)", "account@gmail.com"));
    EXPECT_FALSE(match("(\\W|^)[\\w.\\-]{0,25}@(yahoo|gmail)\\.com(\\W|$)", "account@hotmail.com"));
    EXPECT_TRUE(match("www\\.[\\w.-]+\\.\\bcom\\b", "www.google.com"));
    EXPECT_TRUE(match("a{2,3}b?", "aaa"));
    EXPECT_FALSE(match("a{2,3}b?", "aaaa"));
    EXPECT_TRUE(match("a{,2}", "a{,2}"));
    EXPECT_TRUE(match("(?i)stra\xc3\x9f(?-i:E)",
                      "STRA\xc3\x9f"
                      "E"));
    EXPECT_FALSE(match("(?i)stra(?-i:E)", "STRAe"));
    EXPECT_TRUE(match(".", "\xe2\x82\xac"));
    EXPECT_FALSE(match(".", "\n"));
    EXPECT_TRUE(match("(?s).", "\n"));
    EXPECT_TRUE(match("[^[:digit:]a-c]+", "xyz"));
    EXPECT_FALSE(match("[^[:digit:]a-c]+", "xb"));
    EXPECT_TRUE(match("[]a]\\x{20AC}\\Q.*\\E", "]\xe2\x82\xac.*"));
    EXPECT_TRUE(match("", ""));
    EXPECT_TRUE(match("(a|b)*?c", "ababc"));
    // Exponential for a backtracking matcher; also a text that would overflow the stack of a
    // recursive one.
    EXPECT_FALSE(match("(a*)*b", std::string(100'000, 'a')));
}

TEST(RegexProgram, RefusesWhatItDoesNotKnow) {
    const auto code_of = [](std::string_view pattern) {
        try {
            reference::RegexProgram program(pattern);
        } catch (const Error& e) { return name_of(e.code()); }
        return std::string_view("compiled");
    };
    for (const char* pattern : {"(?=a)", "(a)\\1", "\\pL", "(?<!a)b", "\\C"})
        EXPECT_EQ(code_of(pattern), name_of(ErrorCode::not_supported)) << pattern;
    for (const char* pattern :
         {"(", ")", "*a", "a**", "[b-a]", "[", "a{2,1}", "a{1001}", "\\", "(?z)", "[[:nope:]]"})
        EXPECT_EQ(code_of(pattern), name_of(ErrorCode::invalid_input)) << pattern;
    EXPECT_EQ(code_of("((a{1000}){1000}){1000}"), name_of(ErrorCode::limit_exceeded));
    EXPECT_EQ(code_of("(((){1000}){1000}){1000}"), "compiled");
    EXPECT_EQ(code_of(std::string(100'000, '(')), name_of(ErrorCode::invalid_input));
}

}  // namespace
}  // namespace lapidary::test
