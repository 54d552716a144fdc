// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/document/variant.h"

#include <QCoreApplication>

#include "worker/jobs/variant_job.h"

namespace lapidary::app {
namespace {

/// The report of a model on which no pass ran. `why`: the reason for each pass.
PipelineReport reportOfNone(const Model& model, const QString& why) {
    PipelineReport report;
    report.nodes_before = report.nodes_after = count_nodes(model.graph);
    for (const PassInfo& pass : all_passes())
        report.passes.push_back(
            {std::string(pass.name), pass.level, why.toStdString(), 0, 0, 0, 0});
    return report;
}

/// Why no pass ran on what the recipe makes; empty: some may have.
QString whyNone(const Variant& variant) {
    if (!variant.faults.empty())
        return QCoreApplication::translate("Variant", "the edited model is not valid");
    const Recipe& recipe = variant.recipe;
    if (recipe.isOriginal())
        return QCoreApplication::translate("Variant", "the original is left as it is");
    if (recipe.isQuantizedAlone())
        return QCoreApplication::translate("Variant", "the quantized model is left as it is");
    if (recipe.isOtherAlone())
        return QCoreApplication::translate("Variant", "the second model is left as it is");
    if (recipe.isBase())
        return QCoreApplication::translate("Variant", "the edited model is left as it is");
    return {};
}

}  // namespace

const Variant& originalOf(const Variant& variant) {
    const Variant* original = &variant;
    while (original->parent) original = original->parent.get();
    return *original;
}

VariantPtr makeVariant(Engine& engine, const ModelSource& source, VariantPtr parent,
                       const Progress& progress) {
    auto variant = std::make_shared<Variant>();
    variant->recipe = source.recipe.value_or(Recipe());
    variant->name = nameOf(variant->recipe);
    MadeVariant made =
        engine.call(VariantJob{source, parent ? parent->model : source.model}, progress);
    progress.step("summarize");
    variant->activations = std::move(made.activations);
    variant->shares = std::move(made.shares);
    variant->model = parent ? made.model : source.model;
    variant->typed = made.typed;
    variant->summary = summarize(*variant->model);
    variant->report = std::move(made.report);
    for (EditProblem& problem : made.problems)
        variant->faults.push_back(
            {NodeId{std::uint32_t(problem.node_id)}, std::move(problem.reason)});
    if (const QString why = whyNone(*variant); !why.isEmpty()) {
        PipelineReport none = reportOfNone(*variant->model, why);
        if (!variant->report.rewrites.empty()) {  // edits, which no pass made
            none.nodes_before = variant->report.nodes_before;
            none.rewrites = std::move(variant->report.rewrites);
        }
        variant->report = std::move(none);
    }
    variant->sessionRewrites = made.session_rewrites;
    variant->sessionNodes = made.session_nodes;
    variant->quantized = source.quantized;
    variant->parent = std::move(parent);
    return variant;
}

}  // namespace lapidary::app
