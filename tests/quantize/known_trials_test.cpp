// SPDX-License-Identifier: Apache-2.0
// A search whose recipes were tried in parts decides as one that tries them all.
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>

#include <lapidary/base/error.h>
#include <lapidary/graph/graph_text.h>
#include <lapidary/ops/infer.h>
#include <lapidary/quantize/known_trials.h>

namespace lapidary {
namespace {

TEST(KnownTrials, OfAllPartsGiveTheSameSearch) {
    Model model;
    model.opset_imports[""] = 17;
    model.graph = parse_graph(
        "(x: f32[n,8]) -> (y)\nh = MatMul(x, w: f32[8,16])\nr = Relu(h)\n"
        "y = MatMul(r, v: f32[16,4])");
    infer_types(model);
    for (const std::size_t count : {4, 10}) {  // without and with several splits
        const auto samples = generated_samples(std::make_shared<const Model>(model), count, 1);
        const QuantizeOptions options{.mode = QuantizeMode::static_qdq};
        const SearchResult whole = search_recipes(model, options, samples, 0, {});
        std::vector<KnownTrial> known;
        for (const std::size_t shard : {2, 0, 1}) {
            auto part = try_recipes(model, options, samples, shard, 3);
            std::move(part.begin(), part.end(), std::back_inserter(known));
        }
        const SearchResult shared = search_known_recipes(model, options, samples, 0, known, {});
        ASSERT_EQ(shared.trials.size(), whole.trials.size());
        EXPECT_EQ(shared.best_trial, whole.best_trial);
        EXPECT_EQ(shared.best.quantized, whole.best.quantized);
        EXPECT_EQ(constant_bytes(shared.best.model), constant_bytes(whole.best.model));
        for (std::size_t i = 0; i < whole.trials.size(); ++i) {
            EXPECT_EQ(shared.trials[i].name, whole.trials[i].name);
            EXPECT_EQ(shared.trials[i].failure, whole.trials[i].failure);
            EXPECT_EQ(shared.trials[i].splits, whole.trials[i].splits);
            EXPECT_EQ(shared.trials[i].weight_bytes, whole.trials[i].weight_bytes);
            if (whole.trials[i].failure.empty())
                EXPECT_EQ(shared.trials[i].sqnr_db, whole.trials[i].sqnr_db)
                    << whole.trials[i].name;
        }
        known.push_back({"no such recipe", 0, "because", {}});
        EXPECT_THROW(search_known_recipes(model, options, samples, 0, known, {}), Error);
    }
    EXPECT_THROW(
        try_recipes(model, {}, generated_samples(std::make_shared<const Model>(model), 4, 1), 3, 3),
        Error);
}

}  // namespace
}  // namespace lapidary
