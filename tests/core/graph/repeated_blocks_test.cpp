// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

#include <lapidary/graph/repeated_blocks.h>

#include "drawing/repetitions.h"
#include "support/cpu_clock.h"
#include "support/time_budget.h"

namespace lapidary {
namespace {

using drawing::find_repetitions;
using drawing::Repetition;
using Symbols = std::vector<std::uint32_t>;

/// The definition, read off.
std::vector<Repetition> by_definition(const Symbols& text) {
    const auto count = static_cast<std::uint32_t>(text.size());
    std::vector<Repetition> found;
    std::set<std::pair<std::uint32_t, std::uint32_t>> stretches;
    for (std::uint32_t p = 1; 2 * p <= count; ++p) {
        for (std::uint32_t first = 0; first + 2 * p <= count;) {
            std::uint32_t end = first + p;
            while (end < count && text[end] == text[end - p]) ++end;
            if (end - first >= 2 * p && stretches.emplace(first, end).second)
                found.push_back({first, end, p});
            first = std::max(first + 1, end - p + 1);
        }
    }
    return found;
}

TEST(Repetitions, AreThoseOfTheDefinition) {
    std::mt19937 random(7);
    for (int turn = 0; turn < 400; ++turn) {
        Symbols text(1 + random() % 40);
        const unsigned symbols = 1 + random() % 4;
        for (auto& c : text) c = random() % symbols;
        if (turn % 4 == 0)  // what repeats on purpose
            for (std::size_t i = 5; i < text.size(); ++i) text[i] = text[i - 5];
        ASSERT_EQ(find_repetitions(text), by_definition(text)) << "turn " << turn;
    }
    EXPECT_TRUE(find_repetitions({}).empty());
}

constexpr std::uint64_t input = 1, relu = 2, conv = 3, add = 4, mask = 5, head = 6;

struct Builder {
    std::vector<BlockVertex> vertices;
    std::uint32_t node(std::uint64_t label, std::vector<std::uint32_t> reads) {
        BlockVertex v{label, label != input, {}};
        for (const std::uint32_t r : reads) v.inputs.push_back({r, 0});
        vertices.push_back(v);
        return static_cast<std::uint32_t>(vertices.size() - 1);
    }
    /// x + conv(relu(conv(relu(x)))) with a value from outside, and a result of its own where
    /// `second`.
    std::uint32_t block(std::uint32_t x, std::uint32_t shared, bool second = false) {
        std::uint32_t v = node(relu, {x});
        v = node(conv, {v, BlockInput::outside});
        v = node(mask, {v, shared});
        if (second) node(head, {v});
        v = node(relu, {v});
        v = node(conv, {v, BlockInput::outside, BlockInput::absent});
        return node(add, {v, x});
    }
};

TEST(RepeatedBlocks, AreFoundBetweenWhatComesBeforeAndAfter) {
    Builder b;
    const std::uint32_t x = b.node(input, {}), m = b.node(input, {});
    std::uint32_t v = b.node(conv, {x, BlockInput::outside});
    const std::uint32_t shared = b.node(relu, {m}), entry = v;
    std::vector<std::uint32_t> ends;
    for (int i = 0; i < 12; ++i) ends.push_back(v = b.block(v, shared, true));
    v = b.node(head, {v});
    const auto found = find_repeated_blocks(b.vertices);
    ASSERT_EQ(found.size(), 1u);
    ASSERT_EQ(found[0].blocks.size(), 12u);
    std::set<std::uint32_t> all;
    for (std::size_t i = 0; i < 12; ++i) {
        EXPECT_EQ(found[0].blocks[i].size(), 7u) << "with its second result";
        EXPECT_EQ(std::ranges::count(found[0].blocks[i], ends[i]), 1) << i;
        for (std::size_t k = 0; k < 7; ++k)
            EXPECT_EQ(b.vertices[found[0].blocks[i][k]].label,
                      b.vertices[found[0].blocks[0][k]].label);
        all.insert(found[0].blocks[i].begin(), found[0].blocks[i].end());
    }
    EXPECT_EQ(all.size(), 12u * 7u);
    EXPECT_FALSE(all.contains(entry) || all.contains(shared) || all.contains(v));
}

TEST(RepeatedBlocks, DifferInOperatorsOrWiring) {
    const auto blocks_of = [](auto change) {
        Builder b;
        const std::uint32_t x = b.node(input, {}), m = b.node(input, {});
        std::uint32_t v = b.node(conv, {x});
        for (int i = 0; i < 6; ++i) v = b.block(v, m);
        b.node(head, {v});
        change(b.vertices);
        const auto found = find_repeated_blocks(b.vertices);
        return found.empty() ? std::size_t{0} : found[0].blocks.size();
    };
    EXPECT_EQ(blocks_of([](auto&) {}), 6u);
    const std::size_t fourth = 3 + 3 * 6;  // its first node
    EXPECT_EQ(blocks_of([&](auto& v) { v[fourth].label = head; }), 3u) << "another operator";
    EXPECT_EQ(
        blocks_of([&](auto& v) { std::swap(v[fourth + 5].inputs[0], v[fourth + 5].inputs[1]); }),
        3u)
        << "inputs in another order";
    EXPECT_EQ(blocks_of([&](auto& v) { v[fourth + 1].inputs[1].vertex = BlockInput::absent; }), 3u)
        << "an input that is left out";
    EXPECT_EQ(blocks_of([&](auto& v) { v[fourth + 4].inputs[0].output = 1; }), 3u)
        << "another result";
}

TEST(RepeatedBlocks, SmallOnesAndNoneAreLeftAlone) {
    Builder chain;
    std::uint32_t v = chain.node(input, {});
    for (int i = 0; i < 500; ++i) v = chain.node(relu, {v});
    EXPECT_TRUE(find_repeated_blocks(chain.vertices).empty()) << "single operators are no blocks";
    Builder mixed;
    v = mixed.node(input, {});
    for (int i = 0; i < 500; ++i) v = mixed.node(100 + std::uint64_t(i), {v});
    EXPECT_TRUE(find_repeated_blocks(mixed.vertices).empty());
    EXPECT_TRUE(find_repeated_blocks({}).empty());
    mixed.vertices[10].inputs[0].vertex = 20;  // a circle
    EXPECT_TRUE(find_repeated_blocks(mixed.vertices).empty());
    mixed.vertices[10].inputs[0].vertex = 4000;  // of no vertex
    EXPECT_TRUE(find_repeated_blocks(mixed.vertices).empty());
}

TEST(RepeatedBlocks, TwoStacksOfOneGraphAreBothFound) {
    Builder b;
    const std::uint32_t x = b.node(input, {}), y = b.node(input, {});
    std::uint32_t encoded = b.node(conv, {x}), v = b.node(conv, {y});
    for (int i = 0; i < 5; ++i) encoded = b.block(encoded, BlockInput::outside);
    // a decoder that looks at what was encoded
    for (int i = 0; i < 7; ++i) v = b.block(v, encoded);
    b.node(head, {v});
    const auto found = find_repeated_blocks(b.vertices);
    ASSERT_EQ(found.size(), 2u);
    EXPECT_EQ(found[0].blocks.size(), 7u);
    EXPECT_EQ(found[1].blocks.size(), 5u);
}

TEST(RepeatedBlocks, MostBlocksComeFirst) {
    Builder b;
    std::uint32_t v = b.node(input, {});
    // twice the same: a head, then four blocks; four are more than two
    for (int stage = 0; stage < 2; ++stage) {
        v = b.node(head, {v});
        for (int i = 0; i < 4; ++i) v = b.block(v, BlockInput::outside);
    }
    b.node(conv, {v});
    const auto found = find_repeated_blocks(b.vertices);
    ASSERT_EQ(found.size(), 2u);
    EXPECT_EQ(found[0].blocks.size(), 4u);
    EXPECT_EQ(found[1].blocks.size(), 4u);
}

TEST(RepeatedBlocks, GrowWithTheGraph) {
    const auto seconds = [](int blocks) {
        Builder b;
        const std::uint32_t x = b.node(input, {}), m = b.node(input, {});
        std::uint32_t v = b.node(conv, {x});
        for (int i = 0; i < blocks; ++i) v = b.block(v, m, true);
        const double start = test::thread_cpu_seconds();
        const auto found = find_repeated_blocks(b.vertices);
        EXPECT_EQ(found.size(), 1u);
        EXPECT_EQ(found[0].blocks.size(), static_cast<std::size_t>(blocks));
        return test::thread_cpu_seconds() - start;
    };
    EXPECT_LT(seconds(20'000), 4 * wall_factor) << "140,000 nodes";
}

}  // namespace
}  // namespace lapidary
