// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/document/variant.h"

#include <QCoreApplication>

#include <algorithm>

#include <lapidary/passes/device_passes.h>
#include <lapidary/base/error.h>
#include <lapidary/ops/infer.h>

#include "worker/protocol/quantized_file.h"

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

}  // namespace

const Variant& originalOf(const Variant& variant) {
    const Variant* original = &variant;
    while (original->parent) original = original->parent.get();
    return *original;
}

VariantPtr makeOriginal(ModelPtr model, const ModelSummary& summary, const Progress& progress) {
    auto variant = std::make_shared<Variant>();
    variant->name = nameOf(variant->recipe);
    variant->summary = summary;
    progress.step("infer types");
    auto typed = std::make_shared<Model>(*model);
    try {
        infer_types(*typed, {}, progress);
        variant->activations = estimateActivations(*typed);
    } catch (const Error& error) {  // a model whose types cannot be inferred is shown nevertheless
        if (error.code() == ErrorCode::cancelled) throw;
        variant->activations.unknown = model->graph.values().size();
    }
    variant->shares = estimated_shares(*model, {}, progress);
    variant->report = reportOfNone(
        *model, QCoreApplication::translate("Variant", "the original is left as it is"));
    variant->model = std::move(model);
    return variant;
}

namespace {

/// Adds the rewrites of sessions on their own copy of the variant, and the near misses whose nodes
/// the variant has.
void addSessionPasses(Variant& variant, const Progress& progress) {
    const Graph& graph = variant.model->graph;
    PipelineReport session;
    Model copy = *variant.model;
    const std::string provider = variant.recipe.options().provider;
    session = apply_session_passes_for(provider, copy, variant.recipe.sessionPasses(), progress);
    variant.sessionNodes = session.nodes_after;
    const auto isGone = [&](NodeId id) { return !graph.is_alive(id); };
    std::erase_if(session.near_misses, [&](const NearMiss& miss) {
        return miss.place.is_main() && std::ranges::any_of(miss.nodes, isGone);
    });
    variant.sessionRewrites = session.rewrites.size();
    add_session_report(variant.report, std::move(session));
}

}  // namespace

VariantPtr makeVariant(VariantPtr parent, const Recipe& recipe, const Progress& progress) {
    auto variant = std::make_shared<Variant>();
    variant->name = nameOf(recipe);
    variant->recipe = recipe;
    OptimizeResult result = optimize(*parent->model, recipe.options(), progress);
    progress.step("summarize");
    auto model = std::make_shared<const Model>(std::move(result.model));
    variant->summary = summarize(*model);
    variant->activations = estimateActivations(*model, recipe.dimensions);
    variant->shares = estimated_shares(*model, recipe.dimensions, progress);
    variant->model = std::move(model);
    variant->report = std::move(result.report);
    if (recipe.level) {
        progress.step("session passes");
        addSessionPasses(*variant, progress);
    }
    variant->quantized = parent->quantized;
    variant->parent = std::move(parent);
    return variant;
}

VariantPtr makeQuantized(VariantPtr original, const Quantization& quantization,
                         const std::filesystem::path& file, const Progress& progress) {
    auto variant = std::make_shared<Variant>();
    variant->recipe.quantization = quantization;
    variant->name = nameOf(variant->recipe);
    progress.step("load");
    auto model = std::make_shared<const Model>(load_quantized(file, *original->model, progress));
    variant->summary = summarize(*model);
    variant->activations = estimateActivations(*model);
    variant->shares = estimated_shares(*model, {}, progress);
    variant->report = reportOfNone(
        *model, QCoreApplication::translate("Variant", "the quantized model is left as it is"));
    variant->model = std::move(model);
    variant->quantized = file;
    variant->parent = std::move(original);
    return variant;
}

VariantPtr makeOther(VariantPtr original, const OtherModel& other, const Progress& progress) {
    auto variant = std::make_shared<Variant>();
    variant->recipe.other_model = other;
    variant->name = nameOf(variant->recipe);
    auto model = std::make_shared<const Model>(load_other(other, *original->model, progress));
    variant->summary = summarize(*model);
    variant->activations = estimateActivations(*model);
    variant->shares = estimated_shares(*model, {}, progress);
    variant->report = reportOfNone(
        *model, QCoreApplication::translate("Variant", "the second model is left as it is"));
    variant->model = std::move(model);
    variant->parent = std::move(original);
    return variant;
}

}  // namespace lapidary::app
