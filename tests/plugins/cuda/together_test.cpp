// SPDX-License-Identifier: Apache-2.0
// Kernels whose blocks wait for each other: the emulated device runs their blocks at once, barriers
// that are left out are found, and recurrent layers of one launch give what the reference kernels
// give.
#include <gtest/gtest.h>

#include <dlfcn.h>

#include <array>
#include <stdexcept>
#include <string>
#include <vector>

#include <lapidary/inputs/generate_inputs.h>
#include <lapidary/ops/infer.h>

#include "gpu_together.h"
#include "plugins/cuda/emulated_provider.h"
#include "support/pass_harness.h"

namespace lapidary::cuda {
namespace {

constexpr unsigned blocks = emulated::most_together, rounds = 20, threads = 64;

struct Meeting : GridMeeting {
    using GridMeeting::GridMeeting;
};
struct NoMeeting : GridMeeting {
    using GridMeeting::GridMeeting;
    void meet() { block_barrier(); }
};

/// Each block adds up what all blocks wrote in the round before; returns how many numbers are
/// wrong.
template <typename Meets>
int wrong_numbers(unsigned order) {
    std::vector<std::array<std::array<float, threads>, blocks>> said(rounds + 1);
    std::array<unsigned, 2> counters{};
    said[0].fill({});
    for (std::size_t round = 1; round <= rounds; ++round)
        for (auto& of_block : said[round]) of_block.fill(-1e6f);
    emulated::run_together({blocks, 1, 1}, threads, order, [&] {
        Meets meeting(counters.data(), grid_x());
        for (std::size_t round = 0; round < rounds; ++round) {
            float sum = 1;
            for (unsigned block = 0; block < blocks; ++block)
                sum += load_fresh(&said[round][block][(thread_index() + 1) % threads]);
            said[round + 1][block_x()][thread_index()] = sum;
            if (round + 1 < rounds) meeting.meet();
        }
        meeting.end();
    });
    EXPECT_EQ(counters[0] + counters[1], 0u);
    int wrong = 0;
    float expected = 0;
    // as far as floats are exact
    for (std::size_t round = 0; round <= 8; ++round, expected = expected * blocks + 1)
        for (const auto& of_block : said[round])
            for (float v : of_block) wrong += v == expected ? 0 : 1;
    return wrong;
}

TEST(BlocksTogether, BarriersOfAllBlocksWorkInEveryOrder) {
    for (unsigned order : {0u, 1u, 2u, 3u, 4u})
        EXPECT_EQ(wrong_numbers<Meeting>(order), 0) << "order " << order;
}

TEST(BlocksTogether, ABarrierThatIsLeftOutIsFound) {
    int wrong = 0;
    for (unsigned order : {0u, 1u, 2u, 3u, 4u}) wrong += wrong_numbers<NoMeeting>(order);
    EXPECT_GT(wrong, 0);
}

TEST(BlocksTogether, WhatNoDeviceCouldRunIsRefused) {
    static unsigned counter = 0;
    EXPECT_THROW(emulated::run_together({blocks + 1, 1, 1}, 1, 0, [] {}), std::logic_error);
    EXPECT_THROW(emulated::run({2, 1, 1}, 32, true, 0, [] { wait_for_count(&counter, 1); }),
                 std::logic_error);
}

/// The others do not wait for it for ever.
TEST(BlocksTogether, AFaultInOneBlockEndsAll) {
    static unsigned counter = 0;
    const auto launch = [] {
        emulated::run_together({3, 1, 1}, 32, 1, [] {
            if (block_x() == 1) throw std::domain_error("planted");
            wait_for_count(&counter, 1);
        });
    };
    EXPECT_THROW(launch(), std::domain_error);
}

}  // namespace
}  // namespace lapidary::cuda

namespace lapidary::test {
namespace {

struct Case {
    const char* name;
    const char* graph;
    std::uint64_t launches;  // of blocks together, a run
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

constexpr Case cases[] = {
    {"LstmOfOne",
     "(x: f32[6,1,10]) -> (y, h, c)\ny, h, c = LSTM(x, w: f32[1,80,10], r: f32[1,80,20], b: "
     "f32[1,160]) {hidden_size: "
     "20}",
     1},
    {"LstmBothWays",
     "(x: f32[5,3,6], i: f32[2,3,33], j: f32[2,3,33]) -> (y, h, c)\ny, h, c = LSTM(x, w: "
     "f32[2,132,6], r: "
     "f32[2,132,33], b: f32[2,264], _, i, j) {hidden_size: 33, direction: \"bidirectional\"}",
     2},
    {"LstmLengthsBackwards",
     "(x: f32[5,4,10], i: f32[1,4,26]) -> (y, h, c)\ny, h, c = LSTM(x, w: f32[1,104,10], r: "
     "f32[1,104,26], _, l: "
     "i32[4]{5,2,4,1}, i) {hidden_size: 26, direction: \"reverse\"}",
     1},
    {"LstmOfSixteen",
     "(x: f32[3,16,4]) -> (y)\ny = LSTM(x, w: f32[1,160,4], r: f32[1,160,40]) {hidden_size: 40}",
     1},
    {"GruResetFirst",
     "(x: f32[4,3,10]) -> (y, h)\ny, h = GRU(x, w: f32[2,90,10], r: f32[2,90,30], b: f32[2,180]) "
     "{hidden_size: 30, "
     "direction: \"bidirectional\"}",
     2},
    {"GruLengths",
     "(x: f32[6,5,3], i: f32[1,5,17]) -> (y, h)\ny, h = GRU(x, w: f32[1,51,3], r: f32[1,51,17], b: "
     "f32[1,102], l: "
     "i32[5]{6,1,3,2,6}, i) {hidden_size: 17}",
     1},
    {"GruLinear",
     "(x: f32[4,1,10]) -> (y, h)\ny, h = GRU(x, w: f32[1,84,10], r: f32[1,84,28], b: f32[1,168]) "
     "{hidden_size: 28, "
     "linear_before_reset: 1}",
     1},
    {"RnnTanh",
     "(x: f32[4,2,10]) -> (y, h)\ny, h = RNN(x, w: f32[1,19,10], r: f32[1,19,19], b: f32[1,38]) "
     "{hidden_size: 19}",
     1},
    {"RnnRelu",
     "(x: f32[4,6,10]) -> (y, h)\ny, h = RNN(x, w: f32[1,5,10], r: f32[1,5,5]) {hidden_size: 5, "
     "activations: "
     "[\"Relu\"]}",
     1},
    {"OneStep",
     "(x: f32[1,2,10]) -> (y)\ny = LSTM(x, w: f32[1,80,10], r: f32[1,80,20]) {hidden_size: 20}", 0},
    {"ManySequences",
     "(x: f32[3,17,4]) -> (y)\ny = LSTM(x, w: f32[1,80,4], r: f32[1,80,20]) {hidden_size: 20}", 0},
    {"TooLarge",
     "(x: f32[2,12,2]) -> (y)\ny = LSTM(x, w: f32[1,400,2], r: f32[1,400,100]) {hidden_size: 100}",
     0},
};

std::uint64_t launches_together() {
    void* const plugin = ::dlopen(path_of_plugin(), RTLD_NOW | RTLD_NOLOAD);
    if (!plugin) return 0;
    return reinterpret_cast<std::uint64_t (*)()>(
        ::dlsym(plugin, "lapidary_emulated_launches_together"))();
}

class RecurrentLayer : public testing::TestWithParam<Case> {};

TEST_P(RecurrentLayer, OfOneLaunchGiveWhatTheReferenceGives) {
    Model made = model_of(GetParam().graph);
    infer_types(made);
    const auto model = std::make_shared<const Model>(std::move(made));
    const NamedValues inputs = generate_inputs(*model, {}, {.seed = 6});
    const NamedValues expected = Session::compile(model, reference_options()).run(inputs).outputs;
    for (int order : {0, 1, 2, 3}) {
        const EmulatedRun run{.order = order};
        emulated_options(run);  // opens it
        const std::uint64_t before = is_on_gpu() ? 0 : launches_together();
        EXPECT_EQ(compare_with(expected, model, inputs, run, exact_arithmetic), "")
            << "order " << order;
        // it runs twice
        if (!is_on_gpu()) EXPECT_EQ(launches_together() - before, 2 * GetParam().launches);
    }
}

TEST_P(RecurrentLayer, StepByStepWhereTheOptionIsOff) {
    Model made = model_of(GetParam().graph);
    infer_types(made);
    const auto model = std::make_shared<const Model>(std::move(made));
    const NamedValues inputs = generate_inputs(*model, {}, {.seed = 6});
    const EmulatedRun run{.order = 2, .is_together = false};
    emulated_options(run);  // opens it
    const std::uint64_t before = is_on_gpu() ? 0 : launches_together();
    EXPECT_EQ(compare_with_reference(model, inputs, run, exact_arithmetic), "");
    if (!is_on_gpu()) EXPECT_EQ(launches_together(), before);
}

INSTANTIATE_TEST_SUITE_P(All, RecurrentLayer, testing::ValuesIn(cases),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace lapidary::test
