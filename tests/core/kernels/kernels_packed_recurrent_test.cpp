// SPDX-License-Identifier: Apache-2.0
// RNN, GRU and LSTM on packed weights against the reference kernels, on every instruction set.
#include <gtest/gtest.h>

#include <limits>

#include <lapidary/base/error.h>

#include "support/kernel_compare.h"

namespace lapidary {
namespace {

using namespace test;

const RuntimeValue none;

struct Case {
    const char* op;
    const char* kernel;
    std::int64_t gates;
    std::size_t outputs;
};
const Case cases[] = {{"RNN", "recurrent.rnn", 1, 2},
                      {"GRU", "recurrent.gru", 3, 2},
                      {"LSTM", "recurrent.lstm", 4, 3}};

void check(const Case& c, std::int64_t directions, std::int64_t steps, std::int64_t batch,
           std::int64_t hidden, std::vector<Attribute> attributes,
           std::vector<RuntimeValue> more = {}, KernelRun run = {}, bool batch_first = false) {
    const std::int64_t inputs = 5;
    std::vector<RuntimeValue> all{
        noise(batch_first ? Shape{batch, steps, inputs} : Shape{steps, batch, inputs}, 1),
        noise({directions, c.gates * hidden, inputs}, 2, 0.8f),
        noise({directions, c.gates * hidden, hidden}, 3,
              1.5f / std::sqrt(static_cast<float>(hidden)))};
    all.insert(all.end(), more.begin(), more.end());
    attributes.push_back(attribute("hidden_size", static_cast<int>(hidden)));
    if (directions == 2) attributes.push_back(attribute("direction", "bidirectional"));
    if (batch_first) attributes.push_back(attribute("layout", 1));
    run.outputs = c.outputs;
    run.constants = {1, 2};
    expect_as_reference("", c.op, 14, c.kernel, all, attributes, 2e-5, run);
}

TEST(PackedRecurrent, AllSizes) {
    for (const Case& c : cases)
        for (const std::int64_t hidden : {1, 3, 7, 8, 9, 15, 16, 17, 33, 64})
            for (const std::int64_t batch : {1, 2, 3, 7, 13}) {
                const Tensor bias = noise({2, 2 * c.gates * hidden}, 4);
                check(c, 2, 6, batch, hidden, {}, {bias});
                if (std::string(c.op) == "GRU")
                    check(c, 2, 6, batch, hidden, {attribute("linear_before_reset", 1)}, {bias});
            }
}

TEST(PackedRecurrent, SharesALargeStep) {
    for (const Case& c : cases) {
        check(c, 1, 5, 1, 400, {});
        check(c, 1, 5, 3, 230, {attribute("direction", "reverse")});
    }
}

TEST(PackedRecurrent, StatesLengthsAndLayouts) {
    for (const Case& c : cases)
        for (const std::int64_t directions : {1, 2})
            for (const bool batch_first : {false, true}) {
                const std::int64_t batch = 4, hidden = 10;
                const Shape states = batch_first ? Shape{batch, directions, hidden}
                                                 : Shape{directions, batch, hidden};
                std::vector<RuntimeValue> more{noise({directions, 2 * c.gates * hidden}, 4),
                                               Tensor::of<std::int32_t>({batch}, {3, 0, 6, 1}),
                                               noise(states, 5)};
                if (c.gates == 4) more.push_back(noise(states, 6));
                check(c, directions, 6, batch, hidden, {}, more, {}, batch_first);
                KernelRun no_y;
                no_y.unwanted_outputs = {0};
                check(c, directions, 6, batch, hidden, {}, more, no_y, batch_first);
                check(c, directions, 5, batch, hidden, {}, {none, none, more[2]}, no_y,
                      batch_first);
                KernelRun only_y;
                only_y.unwanted_outputs = {1};
                check(c, directions, 6, batch, hidden, {}, {none, more[1]}, only_y, batch_first);
                if (directions == 1)
                    check(c, directions, 6, batch, hidden, {attribute("direction", "reverse")},
                          more, {}, batch_first);
            }
}

TEST(PackedRecurrent, Variants) {
    const std::int64_t hidden = 19;
    const auto names = [](std::vector<std::string> n) {
        return attribute("activations", std::move(n));
    };
    const Case &rnn = cases[0], &gru = cases[1], &lstm = cases[2];
    const Tensor bias = noise({1, 8 * hidden}, 4), peepholes = noise({1, 3 * hidden}, 5);
    check(lstm, 1, 5, 3, hidden, {}, {bias, none, none, none, peepholes});
    check(lstm, 1, 5, 3, hidden, {attribute("input_forget", 1), attribute("clip", 0.4f)},
          {bias, none, none, none, peepholes});
    check(lstm, 1, 5, 3, hidden,
          {names({"HardSigmoid", "Relu", "LeakyRelu"}),
           attribute("activation_alpha", floats({0.3f, 0.2f})),
           attribute("activation_beta", floats({0.4f}))},
          {bias});
    check(gru, 1, 5, 3, hidden, {attribute("clip", 0.3f)});
    check(gru, 1, 5, 3, hidden,
          {attribute("clip", 0.3f), attribute("linear_before_reset", 1), names({"Tanh", "Elu"})});
    check(rnn, 1, 5, 3, hidden, {names({"Softplus"})});
    check(rnn, 1, 5, 3, hidden, {names({"Relu"}), attribute("clip", 0.3f)});
    KernelRun run;
    run.constants = {1, 2};
    run.kernel = "recurrent.rnn";
    const std::vector<RuntimeValue> inputs{noise({5, 3, 5}, 1), noise({1, hidden, 5}, 2),
                                           noise({1, hidden, hidden}, 3)};
    EXPECT_THROW(run_kernel("", "RNN", 14, inputs, {names({"Softsign"})}, run), Error);  // declined
    auto wrong = inputs;
    wrong.push_back(noise({1, hidden}, 4));
    EXPECT_THROW(run_kernel("", "RNN", 14, wrong, {}, run), Error);
    wrong = inputs;
    wrong[0] = noise({5, 3, 4}, 1);
    EXPECT_THROW(run_kernel("", "RNN", 14, wrong, {}, run), Error);
    wrong = inputs;
    wrong.push_back(none);
    wrong.push_back(Tensor::of<std::int32_t>({3}, {1, 6, 2}));
    EXPECT_THROW(run_kernel("", "RNN", 14, wrong, {}, run), Error);
}

TEST(PackedRecurrent, WithoutStepsOrSequences) {
    for (const Case& c : cases) {
        check(c, 1, 0, 3, 8, {});
        check(c, 1, 4, 0, 8, {});
    }
}

}  // namespace
}  // namespace lapidary
