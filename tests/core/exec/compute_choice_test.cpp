// SPDX-License-Identifier: Apache-2.0
// The choice of the numbers that weights are held in, and what it is made by.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <map>

#include <lapidary/base/error.h>
#include <lapidary/cost/product_roofs.h>
#include <lapidary/exec/session.h>
#include <lapidary/graph/graph_text.h>
#include <lapidary/proof/choose_compute.h>

#include "kernels/vector/convolution/bf16_convolution.h"
#include "ops/channel_block.h"
#include "proof/changed_answers.h"
#include "support/kernel_compare.h"

namespace lapidary {
namespace {

Tensor tensor_of(const Shape& shape, const std::vector<float>& values) {
    Tensor tensor(DType::f32, shape);
    std::ranges::copy(values, tensor.mutable_data<float>().begin());
    return tensor;
}

/// Rates by which rounded weights are so many times as fast as exact ones, with any rows.
ProductRoofs roofs_of(double fp16, double bf16) {
    ProductRoofs roofs;
    roofs.gflops[0].fill(10);
    roofs.gflops[1].fill(10 * fp16);
    roofs.gflops[2].fill(10 * bf16);
    return roofs;
}

/// Takes and answers what it is made to.
class Made : public ComputeSubject {
public:
    std::map<Compute, double> ms{{Compute::exact, 8}, {Compute::fp16, 4}, {Compute::bf16, 4}};
    std::map<Compute, float> error;  // added to the first of the outputs
    std::vector<RoundedProduct> products{{1, 6}};
    std::vector<Compute> opened;

    double bf16_convolutions_ms = 0;

    ExactRun measure_exact(const Progress&) override {
        return {8, products, 1 << 22, 1, 0, bf16_convolutions_ms};
    }
    std::function<TimedRun()> open(Compute compute, const Progress&) override {
        if (ms.at(compute) == 0) fail_input("there is no such session");
        opened.push_back(compute);
        return [compute, this] {
            const float first = 1 + error[compute];
            return TimedRun{{{"y", tensor_of({2, 2}, {first, 0.5f, 1, 2})}}, ms.at(compute)};
        };
    }
};

ComputeChoice chosen(Made& subject, const ProductRoofs& roofs) {
    return choose_compute(subject, {}, {}, roofs);
}

TEST(ComputeChoice, TakesWhatIsFasterWithinTheLimits) {
    Made subject;
    subject.error = {{Compute::fp16, 0.001f}, {Compute::bf16, 0.01f}};
    const ComputeChoice equal = chosen(subject, roofs_of(2, 2));
    EXPECT_EQ(equal.compute, Compute::fp16) << "both are as fast: the one that loses less";
    ASSERT_TRUE(equal.chosen());
    EXPECT_DOUBLE_EQ(*equal.chosen()->speedup, 2);
    EXPECT_DOUBLE_EQ(equal.chosen()->promised, 8.0 / 5) << "6 of 8 ms take half as long";
    EXPECT_TRUE(equal.reason.empty());
    EXPECT_EQ(lines_of(equal)[0], "fp16: 2.00 x as fast, SQNR 68 dB, no answer changed (2)");
    EXPECT_EQ(lines_of(equal).size(), 3u);
    subject.ms[Compute::bf16] = 2;
    EXPECT_EQ(chosen(subject, roofs_of(2, 2)).compute, Compute::bf16);
}

TEST(ComputeChoice, StaysExactWhereLittleIsGained) {
    Made subject;
    const ComputeChoice by_rates = chosen(subject, roofs_of(1.01, 0.5));
    EXPECT_EQ(by_rates.compute, Compute::exact);
    EXPECT_FALSE(by_rates.chosen());
    EXPECT_FALSE(by_rates.reason.empty());
    ASSERT_EQ(by_rates.trials.size(), 3u);
    EXPECT_FALSE(by_rates.trials[0].loss);
    EXPECT_TRUE(subject.opened.empty()) << "the rates say enough";
    EXPECT_NE(lines_of(by_rates)[1].find("promise 1.01 x"), std::string::npos);
    subject.ms = {{Compute::exact, 8}, {Compute::fp16, 7.9}, {Compute::bf16, 9}};
    const ComputeChoice by_runs = chosen(subject, roofs_of(2, 2));
    EXPECT_EQ(by_runs.compute, Compute::exact);
    EXPECT_EQ(by_runs.trials[1].refusal, "it gains too little");
    subject.products.clear();
    const ComputeChoice nothing = chosen(subject, roofs_of(2, 2));
    EXPECT_TRUE(nothing.trials.empty());
    EXPECT_EQ(lines_of(nothing), std::vector<std::string>{"exact: " + nothing_rounded_text()});
}

TEST(ComputeChoice, ConvolutionsThatAreRoundedCount) {
    Made subject;
    subject.products.clear();
    subject.bf16_convolutions_ms = 6;
    const ComputeChoice choice = chosen(subject, roofs_of(4, 2));
    EXPECT_EQ(choice.compute, Compute::bf16);
    EXPECT_DOUBLE_EQ(choice.chosen()->promised, 8.0 / 5) << "6 of 8 ms take half as long";
    EXPECT_DOUBLE_EQ(choice.trials[0].promised, 1) << "nothing is rounded to fp16";
}

TEST(ComputeChoice, StaysExactWhereTooMuchIsLost) {
    Made subject;
    subject.error = {{Compute::fp16, 0.2f}, {Compute::bf16, -0.6f}};
    const ComputeChoice choice = chosen(subject, roofs_of(2, 2));
    EXPECT_EQ(choice.compute, Compute::exact);
    EXPECT_NE(choice.trials[0].refusal.find("dB SQNR, and 30 are the limit"), std::string::npos);
    ComputeLimits lax;
    lax.least_sqnr_db = 0;
    const ComputeChoice by_answers = choose_compute(subject, lax, {}, roofs_of(1, 2));
    EXPECT_EQ(by_answers.trials[1].refusal, "1 of 2 answers changed, and 1 % are the limit");
    EXPECT_EQ(lines_of(by_answers)[2],
              "not bf16: 2.00 x as fast, SQNR 12 dB, 1 of 2 answers changed, and 1 % are the limit")
        << "said once";
    lax.most_changed = 1;
    EXPECT_EQ(choose_compute(subject, lax, {}, roofs_of(1, 2)).compute, Compute::bf16);
}

TEST(ComputeChoice, OneThatFailsSaysWhy) {
    Made subject;
    subject.ms[Compute::fp16] = 0;
    const ComputeChoice choice = chosen(subject, roofs_of(2, 2));
    EXPECT_EQ(choice.compute, Compute::bf16);
    EXPECT_NE(choice.trials[0].refusal.find("there is no such session"), std::string::npos);
}

TEST(ComputeChoice, OfAModel) {
    const auto model = std::make_shared<Model>();
    model->opset_imports[""] = 20;
    model->graph = parse_graph(
        "(x: f32[2,5,300]) -> (y)\na = MatMul(x, w: f32[300,400])\nb = Relu(a)\n"
        "y = MatMul(b, s: f32[400,20])\n",
        {.opset = 20});
    const auto subject = subject_of(model, {}, {{"x", test::noise({2, 5, 300}, 1)}});
    const ExactRun exact = subject->measure_exact({});
    EXPECT_GT(exact.ms, 0);
    ASSERT_EQ(exact.products.size(), 1u) << "the other weight is small";
    EXPECT_EQ(exact.products[0].rows, 10);
    EXPECT_GT(exact.products[0].ms, 0);
    EXPECT_EQ(exact.weight_bytes, 300u * 400 * 4);
    ComputeLimits any;
    any.least_speedup = 0;
    const ComputeChoice choice = choose_compute(*subject, any, {}, roofs_of(2, 2));
    ASSERT_EQ(choice.trials.size(), 3u);
    for (const ComputeTrial& trial : choice.trials) {
        ASSERT_TRUE(trial.loss && trial.speedup) << trial.refusal;
        EXPECT_GT(*trial.speedup, 0);
        EXPECT_GT(trial.loss->worst()->comparison.sqnr_db, 30);
        EXPECT_EQ(trial.loss->answers().all, 10);
    }
    EXPECT_NE(choice.compute, Compute::exact);
}

TEST(ComputeChoice, OfAModelOfConvolutions) {
    const auto model = std::make_shared<Model>();
    model->opset_imports[""] = 20;
    model->opset_imports["com.microsoft.nchwc"] = 1;
    model->metadata.emplace_back(std::string(channel_block_key), "16");
    model->graph = parse_graph(
        "(x: f32[1,32,20,20]) -> (y)\n"
        "a = com.microsoft.nchwc::Conv(x, w: f32[64,32,3,3]) {activation: \"Relu\"}\n"
        "y = com.microsoft.nchwc::Conv(a, v: f32[32,64,3,3])\n",
        {.opset = 20});
    const ExactRun exact =
        subject_of(model, {}, {{"x", test::noise({1, 32, 20, 20}, 1)}})->measure_exact({});
    EXPECT_TRUE(exact.products.empty());
    if (bf16_convolution_kernels()) {
        EXPECT_GT(exact.bf16_convolutions_ms, 0);
        EXPECT_LT(exact.bf16_convolutions_ms, exact.ms);
        EXPECT_EQ(exact.weight_bytes, 2u * 64 * 32 * 9 * 4);
    } else {
        EXPECT_EQ(exact.bf16_convolutions_ms, 0);
    }
}

TEST(ComputeChoice, AModelWithoutLargeWeightsIsNotRounded) {
    for (const int width : {20, 400}) {
        const auto model = std::make_shared<Model>();
        model->opset_imports[""] = 20;
        model->graph = parse_graph(
            "(x: f32[2,300]) -> (y)\ny = MatMul(x, w: f32[300," + std::to_string(width) + "])\n",
            {.opset = 20});
        const NamedValues inputs{{"x", test::noise({2, 300}, 1)}};
        SessionOptions options;
        options.resources.config[std::string(compute_key)] = "bf16";
        Session session = Session::compile(model, options);
        const auto loss = measure_lowered_precision(model, options, inputs,
                                                    session.run(inputs, RunOptions{}).outputs);
        ASSERT_TRUE(loss);
        EXPECT_EQ(rounds_nothing(*loss), width == 20) << text_of(*loss);
        EXPECT_EQ(text_of(*loss) == nothing_rounded_text(), width == 20);
    }
}

TEST(ComputeChoice, RoundingExplainsTenTimesItsError) {
    EXPECT_NEAR(least_rounded_sqnr_db(Compute::fp16), 46.2, 0.05);
    EXPECT_NEAR(least_rounded_sqnr_db(Compute::bf16), 28.2, 0.05);
    EXPECT_NEAR(least_rounded_sqnr_db(Compute::int8), 16.1, 0.05);
    EXPECT_EQ(least_rounded_sqnr_db(Compute::exact), std::numeric_limits<double>::infinity());
}

TEST(ProductRoofs, GainIsThatOfTheLargestRowsNotAbove) {
    ProductRoofs roofs = roofs_of(2, 1);
    EXPECT_EQ(ProductRoofs{}.gain(Compute::fp16, 7), 1) << "not measured";
    roofs.gflops[1][2] = 5;  // of 16 rows
    for (const auto& [rows, gain] : {std::pair{1, 2.0}, std::pair{15, 2.0}, std::pair{16, 0.5},
                                     std::pair{63, 0.5}, std::pair{64, 2.0}, std::pair{4000, 2.0}})
        EXPECT_EQ(roofs.gain(Compute::fp16, rows), gain) << rows;
}

TEST(ProductRoofs, AreMeasuredOnce) {
    const ProductRoofs roofs = product_roofs(1, 1);
    EXPECT_EQ(roofs.threads, 1);
    EXPECT_EQ(roofs.weight_bytes, std::uint64_t{4} << 20);
    for (const auto& of_compute : roofs.gflops)
        for (const double rate : of_compute) EXPECT_GT(rate, 0);
    EXPECT_EQ(product_roofs(1, 3 << 20).gflops, roofs.gflops);
}

TEST(ChangedAnswers, AreRowsWithAnotherLargest) {
    const Tensor exact = tensor_of({3, 3}, {1, 2, 3, 3, 2, 1, 5, 5, 1});
    const Tensor other = tensor_of({3, 3}, {1, 4, 3, 3, 2, 1, 4, 5, 1});
    EXPECT_EQ(count_answers(exact, exact).changed, 0);
    const AnswerCounts counts = count_answers(other, exact);
    EXPECT_EQ(counts.all, 3);
    EXPECT_EQ(counts.changed, 2);
    const float nan = std::numeric_limits<float>::quiet_NaN();
    EXPECT_EQ(count_answers(exact, tensor_of({3, 3}, {nan, 2, 3, 3, 2, 1, 5, 4, 1})).all, 2);
    EXPECT_EQ(count_answers(tensor_of({2, 1}, {1, 2}), tensor_of({2, 1}, {2, 1})).all, 0);
}

TEST(ChangedAnswers, AreThoseOfClasses) {
    const Tensor rows = tensor_of({1, 2, 2}, {1, 2, 3, 4});
    for (const char* name : {"logits", "logits of token 1", "y", "output_0", "probabilities",
                             "StatefulPartitionedCall:0", "pooled_logits"})
        EXPECT_TRUE(holds_answers(name, rows)) << name;
    for (const char* name : {"present.0.key", "past_key_values.1.value", "last_hidden_state",
                             "lastHiddenState", "pooler_output", "sentence_embedding", "boxes"})
        EXPECT_FALSE(holds_answers(name, rows)) << name;
    EXPECT_FALSE(holds_answers("y", tensor_of({1, 1, 1, 2}, {1, 2}))) << "a picture or a cache";
    EXPECT_FALSE(holds_answers("y", tensor_of({2, 1}, {1, 2})));
    EXPECT_FALSE(holds_answers("y", Tensor(DType::i64, {2, 2})));
    const Tensor other = tensor_of({1, 2, 2}, {2, 1, 3, 4});
    EXPECT_EQ(count_answers("logits", other, rows).changed, 1);
    EXPECT_EQ(count_answers("present.0.key", other, rows).all, 0);
    const std::vector<OutputComparison> outputs = compare_outputs(
        {{"logits", other}, {"present.0.key", other}}, {{"logits", rows}, {"present.0.key", rows}});
    EXPECT_EQ(price_of({}, outputs).answers, 2);
    EXPECT_EQ(price_of({}, outputs).changed_answers, 1);
}

}  // namespace
}  // namespace lapidary
