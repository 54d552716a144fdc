// SPDX-License-Identifier: Apache-2.0
// Losses and TfIdfVectorizer.
#include <algorithm>

#include <fmt/format.h>

#include "ops/rules/rule_checks.h"

namespace lapidary {

/// Scores [N, C, d...] against labels [N, d...].
void infer_loss(InferenceContext& ctx) {
    const std::string reduction = word_attribute(ctx, "reduction", "mean", {"none", "sum", "mean"});
    const InputShape *scores = shape_of_least_rank(ctx, 0, 2, "scores"),
                     *labels = ctx.input_shape(1);
    if (scores && labels) {
        if (labels->size() + 1 != scores->size()) {
            ctx.fail(fmt::format("labels of rank {} do not fit scores of rank {}", labels->size(),
                                 scores->size()));
        }
        same_dim(ctx, (*labels)[0], (*scores)[0], "batches of labels and scores");
        for (std::size_t i = 1; i < labels->size(); ++i)
            same_dim(ctx, (*labels)[i], (*scores)[i + 1], fmt::format("labels, axis {}", i));
    }
    if (scores && ctx.has_input(2)) {
        if (const InputShape* weight = shape_of_rank(ctx, 2, 1, "weight"))
            same_dim(ctx, (*weight)[0], (*scores)[1], "weight must have one element per class");
    }
    if (reduction != "none") ctx.set_output_shape(0, {});
    else if (labels) ctx.set_output_shape(0, *labels);
    copy_shape(ctx, 0, 1);  // log_prob of SoftmaxCrossEntropyLoss
}

void infer_tf_idf_vectorizer(InferenceContext& ctx) {
    word_attribute(ctx, "mode", "", {"TF", "IDF", "TFIDF"});
    const InputShape* shape = ctx.input_shape(0);
    const Ints indexes = ctx.node().ints_attribute("ngram_indexes");
    if (indexes.empty()) ctx.fail("attribute ngram_indexes is empty");
    const std::int64_t most = *std::max_element(indexes.begin(), indexes.end());
    if (*std::min_element(indexes.begin(), indexes.end()) < 0 || most == INT64_MAX)
        ctx.fail("attribute ngram_indexes is out of range");
    if (!shape) return;
    if (shape->empty() || shape->size() > 2)
        ctx.fail(fmt::format("X must have rank 1 or 2, found {}", shape->size()));
    if (shape->size() == 1) ctx.set_output_shape(0, {most + 1});
    else ctx.set_output_shape(0, {(*shape)[0], most + 1});
}

}  // namespace lapidary
