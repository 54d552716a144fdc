// SPDX-License-Identifier: Apache-2.0
// ai.onnx.ml: trees, linear models, encoders.
#include <algorithm>

#include <fmt/format.h>

#include "ops/rules/rule_checks.h"

namespace lapidary {
namespace {

/// Rows of X: a list is one row.
Dim rows_of(const InferenceContext& ctx) {
    const InputShape* x = ctx.input_shape(0);
    if (!x) return {};
    return x->size() < 2 ? Dim(1) : (*x)[0];
}

void label_dtype(InferenceContext& ctx, std::string_view strings) {
    set_dtype(ctx, 0, ctx.node().strings_attribute(strings).empty() ? DType::i64 : DType::string);
}

void classifier_outputs(InferenceContext& ctx, std::string_view strings, std::string_view ints,
                        Dim scores) {
    label_dtype(ctx, strings);
    if (scores.is_unknown()) {
        const std::size_t labels = std::max(ctx.node().strings_attribute(strings).size(),
                                            ctx.node().ints_attribute(ints).size());
        if (labels > 0) scores = static_cast<std::int64_t>(labels);
    }
    const Dim rows = rows_of(ctx);
    ctx.set_output_shape(0, {rows});
    ctx.set_output_shape(1, {rows, scores});
}

void check_post_transform(const InferenceContext& ctx) {
    word_attribute(ctx, "post_transform", "NONE",
                   {"NONE", "SOFTMAX", "LOGISTIC", "SOFTMAX_ZERO", "PROBIT"});
}

}  // namespace

void infer_array_feature_extractor(InferenceContext& ctx) {
    const InputShape *x = shape_of_least_rank(ctx, 0, 1, "X"), *y = ctx.input_shape(1);
    if (const auto indices = ctx.constant_ints(1); indices && x && x->back().is_known()) {
        for (std::int64_t index : *indices) {
            if (index < 0 || index >= x->back().value())
                ctx.fail(
                    fmt::format("index {} is out of range [0, {}]", index, x->back().value() - 1));
        }
    }
    if (!x || !y) return;
    SymbolicShape result = *x;
    if (result.size() == 1) result.insert(result.begin(), 1);
    result.back() = product(*y);
    ctx.set_output_shape(0, std::move(result));
}

void infer_linear_classifier(InferenceContext& ctx) {
    check_post_transform(ctx);
    if (ctx.node().floats_attribute("coefficients").empty())
        ctx.fail("attribute coefficients is empty");
    classifier_outputs(ctx, "classlabels_strings", "classlabels_ints", {});
}

void infer_svm_classifier(InferenceContext& ctx) {
    check_post_transform(ctx);
    classifier_outputs(ctx, "classlabels_strings", "classlabels_ints", {});
    const bool votes = ctx.node().floats_attribute("prob_a").empty() &&
                       !ctx.node().ints_attribute("vectors_per_class").empty();
    const auto classes =
        static_cast<std::int64_t>(ctx.node().ints_attribute("vectors_per_class").size());
    // Without probabilities the scores are one vote for each pair of classes.
    if (votes && classes > 2)
        ctx.set_output_shape(1, {rows_of(ctx), Dim(classes * (classes - 1) / 2)});
}

void infer_tree_classifier(InferenceContext& ctx) {
    check_post_transform(ctx);
    classifier_outputs(ctx, "classlabels_strings", "classlabels_int64s", {});
}

void infer_linear_regressor(InferenceContext& ctx) {
    check_post_transform(ctx);
    ctx.set_output_shape(0, {rows_of(ctx), positive_attribute(ctx, "targets", 1)});
}

void infer_svm_regressor(InferenceContext& ctx) {
    check_post_transform(ctx);
    ctx.set_output_shape(0, {rows_of(ctx), 1});
}

void infer_tree_regressor(InferenceContext& ctx) {
    if (ctx.node().op_type == "TreeEnsembleRegressor") check_post_transform(ctx);
    ctx.set_output_shape(0, {rows_of(ctx), ctx.node().has_attribute("n_targets")
                                               ? Dim(positive_attribute(ctx, "n_targets", 1))
                                               : Dim()});
}

void infer_label_encoder(InferenceContext& ctx) {
    const Node& node = ctx.node();
    if (const Tensor* values = node.tensor_attribute("values_tensor"))
        set_dtype(ctx, 0, values->dtype());
    else if (node.has_attribute("values_strings")) set_dtype(ctx, 0, DType::string);
    else if (node.has_attribute("values_int64s")) set_dtype(ctx, 0, DType::i64);
    else if (node.has_attribute("values_floats")) set_dtype(ctx, 0, DType::f32);
    else if (node.has_attribute("classes_strings"))
        set_dtype(ctx, 0, ctx.input_type(0).dtype == DType::string ? DType::i64 : DType::string);
    infer_same_shape(ctx);
}

void infer_category_mapper(InferenceContext& ctx) {
    set_dtype(ctx, 0, ctx.input_type(0).dtype == DType::string ? DType::i64 : DType::string);
    infer_same_shape(ctx);
}

void infer_feature_vectorizer(InferenceContext& ctx) {
    Dim rows = rows_of(ctx), columns = 0;
    const Ints sizes = ctx.node().ints_attribute("inputdimensions");
    if (!sizes.empty() && sizes.size() != ctx.input_count())
        ctx.fail(fmt::format("inputdimensions has {} entries for {} inputs", sizes.size(),
                             ctx.input_count()));
    for (std::size_t i = 0; i < ctx.input_count(); ++i) {
        const InputShape* shape = ctx.input_shape(i);
        Dim width = shape && !shape->empty() ? shape->back() : Dim();
        if (!sizes.empty()) {
            if (sizes[i] < 0)
                ctx.fail(fmt::format("inputdimensions must not be negative, found {}", sizes[i]));
            width = sizes[i];
        }
        columns = add(columns, width);
    }
    ctx.set_output_shape(0, {rows, columns});
}

void infer_one_hot_encoder(InferenceContext& ctx) {
    const std::size_t categories = std::max(ctx.node().strings_attribute("cats_strings").size(),
                                            ctx.node().ints_attribute("cats_int64s").size());
    if (categories == 0) ctx.fail("needs cats_strings or cats_int64s");
    const InputShape* x = ctx.input_shape(0);
    if (!x) return;
    SymbolicShape result = *x;
    result.push_back(static_cast<std::int64_t>(categories));
    ctx.set_output_shape(0, std::move(result));
}

void infer_dict_vectorizer(InferenceContext& ctx) {
    const std::size_t words = std::max(ctx.node().strings_attribute("string_vocabulary").size(),
                                       ctx.node().ints_attribute("int64_vocabulary").size());
    const Type& map = ctx.input_type(0);
    if (map.kind == Type::Kind::map && map.dtype != DType::undefined) set_dtype(ctx, 0, map.dtype);
    ctx.set_output_shape(0, {1, static_cast<std::int64_t>(words)});
}

void infer_cast_map(InferenceContext& ctx) {
    const std::string to =
        word_attribute(ctx, "cast_to", "TO_FLOAT", {"TO_FLOAT", "TO_INT64", "TO_STRING"});
    const std::string form = word_attribute(ctx, "map_form", "DENSE", {"DENSE", "SPARSE"});
    set_dtype(ctx, 0,
              to == "TO_FLOAT"   ? DType::f32
              : to == "TO_INT64" ? DType::i64
                                 : DType::string);
    ctx.set_output_shape(
        0, {1, form == "SPARSE" ? Dim(positive_attribute(ctx, "max_map", 1)) : Dim()});
}

void infer_normalizer(InferenceContext& ctx) {
    word_attribute(ctx, "norm", "MAX", {"MAX", "L1", "L2"});
    infer_same_shape(ctx);
}

void infer_zip_map(InferenceContext& ctx) {
    const std::vector<std::string> strings = ctx.node().strings_attribute("classlabels_strings");
    const Ints ints = ctx.node().ints_attribute("classlabels_int64s");
    if (strings.empty() == ints.empty())
        ctx.fail("needs one of classlabels_strings and classlabels_int64s");
    const InputShape* x = ctx.input_shape(0);
    if (x && !x->empty()) {
        same_dim(ctx, x->back(), static_cast<std::int64_t>(std::max(strings.size(), ints.size())),
                 "X must have one column per class");
    }
    Type map;
    map.kind = Type::Kind::map;
    map.key = strings.empty() ? DType::i64 : DType::string;
    map.dtype = DType::f32;
    map.element = std::make_shared<const Type>(Type::tensor(DType::f32));
    ctx.output_type(0) = Type::sequence(map);
}

}  // namespace lapidary
