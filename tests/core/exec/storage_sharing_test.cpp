// SPDX-License-Identifier: Apache-2.0
// Values in the storage of others: which offers of kernels are taken, and that nothing is
// overwritten while it is read.
#include <gtest/gtest.h>

#include <random>

#include "exec/memory/storage_sharing.h"

namespace lapidary {
namespace {

SharingStep step_of(std::size_t step, StorageSharing sharing, std::vector<std::size_t> inputs,
                    std::vector<std::size_t> outputs, std::span<const Lifetime> values) {
    SharingStep s{step, sharing, std::move(inputs), std::move(outputs), {}};
    for (std::size_t v : s.inputs)
        s.input_bytes.push_back(v == no_value ? SharingStep::unknown_bytes : values[v].bytes);
    return s;
}

constexpr StorageSharing view{StorageSharing::view}, join{StorageSharing::join},
    split{StorageSharing::split};
constexpr StorageSharing over(std::uint32_t inputs) { return {StorageSharing::overwrite, inputs}; }

TEST(StorageSharing, AViewJoinsTheLifetimes) {
    const std::vector<Lifetime> values{{0, 1, 128}, {1, 5, 128}};
    const std::vector<SharingStep> steps{step_of(1, view, {0}, {1}, values)};
    const SharedStorage s = share_storage(values, steps);
    EXPECT_EQ(s.places[1].block, s.places[0].block);
    EXPECT_EQ(s.blocks[s.places[0].block].first, 0u);
    EXPECT_EQ(s.blocks[s.places[0].block].last, 5u);
}

TEST(StorageSharing, AViewOfSomethingUnplannedFollowsIt) {
    const std::vector<Lifetime> values{{1, 5, 128}, {2, 6, 128}};
    const std::vector<SharingStep> steps{step_of(1, view, {no_value}, {0}, values),
                                         step_of(2, view, {0}, {1}, values)};
    const SharedStorage s = share_storage(values, steps);
    EXPECT_EQ(s.places[0].block, no_value);
    EXPECT_EQ(s.places[1].block, no_value);
}

TEST(StorageSharing, OnlyValuesReadForTheLastTimeAreOverwritten) {
    const std::vector<Lifetime> values{{0, 2, 128}, {1, 3, 128}, {2, 4, 128}, {3, 4, 64}};
    const std::vector<SharingStep> steps{
        step_of(1, over(1), {0}, {1}, values),     // 0 is read again at step 2
        step_of(2, over(3), {1, 0}, {2}, values),  // 1 lives on, 0 dies: the second one
        step_of(3, over(1), {1}, {3}, values),     // other size
    };
    const SharedStorage s = share_storage(values, steps);
    EXPECT_NE(s.places[1].block, s.places[0].block);
    EXPECT_EQ(s.places[2].block, s.places[0].block);
    EXPECT_NE(s.places[3].block, s.places[1].block);
}

TEST(StorageSharing, AViewThatIsStillReadProtectsItsSource) {
    const std::vector<Lifetime> values{{0, 2, 128}, {1, 3, 128}, {2, 3, 128}};
    const std::vector<SharingStep> steps{step_of(1, view, {0}, {1}, values),
                                         step_of(2, over(1), {0}, {2}, values)};
    const SharedStorage s = share_storage(values, steps);
    EXPECT_NE(s.places[2].block, s.places[0].block);
}

TEST(StorageSharing, AnInputThatIsReadInAnyOrderIsNotOverwrittenAsAnotherInput) {
    // x + f(x): the sum may lie on its first input only, which is also the input that is read in
    // any order.
    const std::vector<Lifetime> values{{0, 1, 128}, {1, 2, 128}};
    EXPECT_NE(share_storage(values, std::vector{step_of(1, over(1), {0, 0}, {1}, values)})
                  .places[1]
                  .block,
              0u);
    EXPECT_EQ(share_storage(values, std::vector{step_of(1, over(3), {0, 0}, {1}, values)})
                  .places[1]
                  .block,
              0u);
}

TEST(StorageSharing, JoinedInputsLieInTheOutput) {
    const std::vector<Lifetime> values{
        {0, 2, 128}, {1, 2, 192}, {2, 4, 320}, {3, 4, 64}, {4, 5, 384}};
    const std::vector<SharingStep> steps{step_of(2, join, {0, 1}, {2}, values),
                                         step_of(4, join, {2, 3}, {4}, values)};
    const SharedStorage s = share_storage(values, steps);
    for (std::size_t v = 0; v < 5; ++v) EXPECT_EQ(s.places[v].block, s.places[4].block);
    EXPECT_EQ(s.places[1].offset, 128u);
    EXPECT_EQ(s.places[3].offset, 320u);
    EXPECT_EQ(s.blocks[s.places[4].block].first, 0u);
}

TEST(StorageSharing, ConstantsRepeatedInputsAndMisalignedOffsetsAreCopied) {
    const std::vector<Lifetime> values{{0, 2, 68}, {1, 2, 128}, {2, 4, 328}};
    SharingStep step = step_of(2, join, {0, 1, no_value, 1}, {2}, values);
    step.input_bytes[2] = 4;
    const SharedStorage s = share_storage(values, std::vector{step});
    EXPECT_EQ(s.places[0].block, s.places[2].block);
    EXPECT_NE(s.places[1].block, s.places[2].block) << "offset 68, then after 200 bytes";
    const std::vector<Lifetime> twins{{0, 1, 64}, {1, 2, 128}};
    const SharedStorage t = share_storage(twins, std::vector{step_of(1, join, {0, 0}, {1}, twins)});
    EXPECT_EQ(t.places[0].offset, 0u);
}

TEST(StorageSharing, PartsOfASplitLieInTheInput) {
    const std::vector<Lifetime> values{{0, 1, 256}, {1, 2, 128}, {1, 3, 128}, {2, 4, 128}};
    const std::vector<SharingStep> steps{step_of(1, split, {0}, {1, 2}, values),
                                         step_of(2, over(1), {1}, {3}, values)};
    const SharedStorage s = share_storage(values, steps);
    EXPECT_EQ(s.places[2].offset, 128u);
    EXPECT_EQ(s.places[3].block, 0u) << "its neighbour is no hindrance";
    EXPECT_EQ(s.places[3].offset, 0u);
}

TEST(StorageSharing, OnlyValuesInTheSameBytesConflict) {
    // The second part of a split is overwritten while the first one lives on.
    const std::vector<Lifetime> behind{{0, 1, 256}, {1, 3, 128}, {1, 2, 128}, {2, 4, 128}};
    const std::vector<SharingStep> second{step_of(1, split, {0}, {1, 2}, behind),
                                          step_of(2, over(1), {2}, {3}, behind)};
    EXPECT_EQ(share_storage(behind, second).places[3].block, 0u);
    EXPECT_EQ(share_storage(behind, second).places[3].offset, 128u);
    // Either part, where the same step reads the other one in any order.
    const std::vector<Lifetime> both{{0, 1, 256}, {1, 2, 128}, {1, 2, 128}, {2, 4, 128}};
    for (const bool first : {true, false}) {
        const std::vector<std::size_t> inputs =
            first ? std::vector<std::size_t>{1, 2} : std::vector<std::size_t>{2, 1};
        const std::vector<SharingStep> steps{step_of(1, split, {0}, {1, 2}, both),
                                             step_of(2, over(1), inputs, {3}, both)};
        EXPECT_EQ(share_storage(both, steps).places[3].block, 0u);
        EXPECT_EQ(share_storage(both, steps).places[3].offset, first ? 0u : 128u);
    }
    const std::vector<Lifetime> apart{{0, 2, 128}, {1, 2, 128}, {2, 4, 128}};
    EXPECT_EQ(
        share_storage(apart, std::vector{step_of(2, over(1), {0, 1}, {2}, apart)}).places[2].block,
        0u);
}

TEST(StorageSharing, APartIsNotJoinedWithTheWholeOfItsBlock) {
    // The second part goes to the front of the join, while the first one is read later.
    const std::vector<Lifetime> values{
        {0, 1, 256}, {1, 4, 128}, {1, 2, 128}, {0, 2, 128}, {2, 4, 256}};
    const std::vector<SharingStep> steps{step_of(1, split, {0}, {1, 2}, values),
                                         step_of(2, join, {2, 3}, {4}, values)};
    const SharedStorage s = share_storage(values, steps);
    EXPECT_EQ(s.places[2].block, 0u);
    EXPECT_NE(s.places[4].block, 0u);
    EXPECT_EQ(s.places[3].block, s.places[4].block);
    EXPECT_EQ(s.places[3].offset, 128u);
}

TEST(StorageSharing, AnOutputSharesNoStorageWithOtherValues) {
    const std::vector<Lifetime> values{
        {0, 1, 256}, {1, never_dies, 128}, {1, 3, 128}, {2, 3, 128}, {3, never_dies, 128}};
    const std::vector<SharingStep> steps{step_of(1, split, {0}, {1, 2}, values),
                                         step_of(3, over(1), {3}, {4}, values)};
    const SharedStorage s = share_storage(values, steps);
    EXPECT_NE(s.places[1].block, s.places[0].block);
    EXPECT_EQ(s.places[2].block, s.places[0].block);
    EXPECT_EQ(s.places[4].block, s.places[3].block) << "written straight into what is handed out";
}

// Random programs, run on a model of memory: each value is a number, and each read must find the
// number written.
TEST(StorageSharing, RandomProgramsReadWhatTheyWrote) {
    std::mt19937 random(11);
    for (int round = 0; round < 3000; ++round) {
        struct Op {
            StorageSharing sharing;
            std::vector<std::size_t> in, out;
        };
        std::vector<Op> ops;
        std::vector<Lifetime> values;
        const auto make = [&](std::uint64_t bytes) {
            values.push_back({ops.size(), ops.size(), bytes});
            return values.size() - 1;
        };
        ops.push_back({{}, {}, {make(256)}});
        const int count = 3 + static_cast<int>(random() % 14);
        while (static_cast<int>(ops.size()) < count) {
            Op op;
            const auto any = [&] {
                const std::size_t v = random() % values.size();
                values[v].last = ops.size();
                return v;
            };
            switch (random() % 5) {
            case 0: op = {{}, {any()}, {make(64 * (1 + random() % 4))}}; break;
            case 1: {
                const std::size_t v = any();
                op = {view, {v}, {make(values[v].bytes)}};
                break;
            }
            case 2: {
                const std::size_t v = any(), w = any();
                op = {over(1 + random() % 3), {v, w}, {make(values[v].bytes)}};
                break;
            }
            case 3: {
                const std::size_t v = any(), w = any();
                op = {join, {v, w}, {make(values[v].bytes + values[w].bytes)}};
                break;
            }
            default: {
                const std::size_t v = any();
                if (values[v].bytes < 128) continue;
                const std::uint64_t first = values[v].bytes / 128 * 64;
                const std::size_t a = make(first), b = make(values[v].bytes - first);
                op = {split, {v}, {a, b}};
            }
            }
            ops.push_back(op);
        }
        for (std::size_t v = 0; v < values.size(); ++v)
            if (random() % 8 == 0) values[v].last = never_dies;
        std::vector<SharingStep> steps;
        for (std::size_t i = 0; i < ops.size(); ++i)
            steps.push_back(step_of(i, ops[i].sharing, ops[i].in, ops[i].out, values));
        const SharedStorage s = share_storage(values, steps);
        // 64-byte cells by block; `meant` is what each value's cells should hold.
        std::vector<std::vector<int>> memory, meant(values.size());
        for (const Lifetime& block : s.blocks) memory.emplace_back(block.bytes / 64, -1);
        int next = 0;
        const auto cell = [&](std::size_t v, std::size_t i) -> int& {
            return memory[s.places[v].block].at(s.places[v].offset / 64 + i);
        };
        const auto check = [&](std::size_t v) {
            for (std::size_t i = 0; i < meant[v].size(); ++i)
                ASSERT_EQ(cell(v, i), meant[v][i]) << "round " << round << " value " << v;
        };
        for (std::size_t i = 0; i < ops.size(); ++i) {
            for (std::size_t v : ops[i].in) ASSERT_NO_FATAL_FAILURE(check(v));
            const Op& op = ops[i];
            if (op.sharing.kind == StorageSharing::view) meant[op.out[0]] = meant[op.in[0]];
            else if (op.sharing.kind == StorageSharing::join) {
                for (std::size_t v : op.in)
                    meant[op.out[0]].insert(meant[op.out[0]].end(), meant[v].begin(),
                                            meant[v].end());
            } else if (op.sharing.kind == StorageSharing::split) {
                const auto& whole = meant[op.in[0]];
                const auto middle =
                    whole.begin() + static_cast<std::ptrdiff_t>(values[op.out[0]].bytes / 64);
                meant[op.out[0]].assign(whole.begin(), middle);
                meant[op.out[1]].assign(middle, whole.end());
            } else {
                for (std::uint64_t c = 0; c < values[op.out[0]].bytes / 64; ++c)
                    meant[op.out[0]].push_back(next++);
            }
            for (std::size_t v : op.out)
                for (std::size_t c = 0; c < meant[v].size(); ++c) cell(v, c) = meant[v][c];
            for (std::size_t v = 0; v < values.size(); ++v)
                if (values[v].first <= i && values[v].last > i) {
                    ASSERT_NO_FATAL_FAILURE(check(v));
                }
        }
    }
}

}  // namespace
}  // namespace lapidary
