// SPDX-License-Identifier: Apache-2.0
#include "worker/jobs/variant_job.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include <lapidary/base/error.h>
#include <lapidary/internal/edit_members.h>
#include <lapidary/ops/infer.h>
#include <lapidary/passes/device_passes.h>

#include "worker/jobs/job_kind.h"
#include "worker/jobs/weight_job.h"
#include "worker/protocol/bytes/model_bytes.h"
#include "worker/models/edited_model.h"
#include "worker/models/quantized_file.h"
#include "worker/protocol/report_members.h"
#include "worker/protocol/bytes/byte_stream.h"

namespace lapidary {

template <>
struct Members<app::VariantJob> {
    using T = app::VariantJob;
    static constexpr auto list =
        members<T>(member<&T::model>("model").required(), unsent<&T::base>());
};

}  // namespace lapidary

namespace lapidary::app {
namespace {

bool is_original(const ModelSource& source) {
    return !source.recipe || source.recipe->isOriginal();
}

/// A model in place of the opened one: what a level is applied to.
bool is_base(const Recipe& recipe) { return recipe.isBase(); }

/// With types inferred; nothing where they fit nowhere.
std::optional<Model> typed(const Model& opened, const Progress& progress) {
    progress.step("infer types");
    try {
        Model model = opened;
        infer_types(model, {}, progress);
        return model;
    } catch (const Error& error) {
        if (error.code() == ErrorCode::cancelled) throw;
        return std::nullopt;
    }
}

/// With functions expanded too, as the first pass does.
Model expanded(const Model& opened, const Progress& progress) {
    OptimizeOptions options;
    options.level = Level::basic;
    options.only_passes = {"inline_functions"};
    options.near_misses = false;
    return optimize(opened, options, progress).model;
}

/// Of a model that no pass ran on.
MadeVariant look_at(ModelPtr base, ModelPtr model, const Progress& progress) {
    MadeVariant made;
    std::optional<Model> with_types = typed(*model, progress);
    if (with_types) made.activations = estimate_activations(*with_types);
    else made.activations.unknown = model->graph.values().size();
    if (!model->functions.empty()) with_types = expanded(*model, progress);
    // one that cannot be typed is shown all the same
    made.typed = with_types ? std::make_shared<const Model>(std::move(*with_types)) : model;
    made.shares = estimated_shares(*model, {}, progress);
    made.base = std::move(base);
    made.model = std::move(model);
    return made;
}

/// Takes away near misses at nodes that the model of the variant does not have.
void drop_gone(std::vector<NearMiss>& misses, const Graph& graph) {
    const auto is_gone = [&](NodeId id) { return !graph.is_alive(id); };
    std::erase_if(misses, [&](const NearMiss& miss) {
        return miss.place.is_main() && std::ranges::any_of(miss.nodes, is_gone);
    });
}

/// Applies the lines after the level, which are rewrites behind those of its passes.
void add_edits_after(MadeVariant& made, const std::string& script, const Progress& progress) {
    const std::size_t before = made.model->graph.history().size();
    made.model = edited_after_level(made.model, script, progress);
    std::ranges::move(rewrites_of_edits(*made.model, script, before),
                      std::back_inserter(made.report.rewrites));
    made.report.nodes_after = count_nodes(made.model->graph);
    drop_gone(made.report.near_misses, made.model->graph);
}

/// What sessions of the variant do to their copy of it; near misses as far as the variant has their
/// nodes.
void add_session_passes(MadeVariant& made, const Recipe& recipe, const Progress& progress) {
    progress.step("session passes");
    Model copy = *made.model;
    PipelineReport session =
        apply_session_passes_for(recipe.options().provider, copy, recipe.sessionPasses(), progress);
    made.session_nodes = session.nodes_after;
    drop_gone(session.near_misses, made.model->graph);
    made.session_rewrites = session.rewrites.size();
    add_session_report(made.report, std::move(session));
}

MadeVariant optimized(ModelPtr base, const Recipe& recipe, const Progress& progress) {
    OptimizeResult result = optimize(*base, recipe.options(), progress);
    MadeVariant made;
    made.base = std::move(base);
    made.report = std::move(result.report);
    made.model = std::make_shared<const Model>(std::move(result.model));
    if (!recipe.edits_after.empty()) add_edits_after(made, recipe.edits_after, progress);
    progress.step("summarize");
    made.activations = estimate_activations(*made.model, recipe.dimensions);
    made.shares = estimated_shares(*made.model, recipe.dimensions, progress);
    if (recipe.level) add_session_passes(made, recipe, progress);
    return made;
}

/// In this process, which has no cache.
ModelPtr made_base(const ModelSource& source, const ModelPtr& opened, const Progress& progress) {
    const Recipe& recipe = *source.recipe;
    progress.step("load");
    ModelPtr model = opened;
    if (recipe.other_model)
        model = std::make_shared<const Model>(load_other(*recipe.other_model, *opened, progress));
    model = edited_model(model, recipe.edits, progress);
    if (!recipe.quantization) return model;
    return std::make_shared<const Model>(
        source.quantized.empty() ? quantized_model(model, *recipe.quantization, progress)
                                 : load_quantized(source.quantized, *model, progress));
}

/// An edited model: its lines are its rewrites.
MadeVariant with_edits(MadeVariant made, const ModelPtr& opened, const Recipe& recipe) {
    if (!recipe.isEditedAlone()) return made;
    made.report.nodes_before = count_nodes(opened->graph);
    made.report.nodes_after = count_nodes(made.model->graph);
    made.report.rewrites = rewrites_of_edits(*made.model, recipe.edits);
    return made;
}

}  // namespace

ModelSource base_of(const ModelSource& variant) {
    ModelSource base = variant;
    base.model = nullptr;
    base.recipe.reset();
    if (is_original(variant) || is_base(*variant.recipe)) return base;
    if (Recipe recipe = variant.recipe->base(); !recipe.isOriginal())
        base.recipe = std::move(recipe);
    return base;
}

std::string VariantJob::title() const {
    return (is_original(model) ? "a look at " : "the optimization of ") + model.title();
}

MadeVariant VariantJob::run(const JobContext& context) const {
    try {
        return make(context);
    } catch (const Error& error) {
        if (error.code() != ErrorCode::invalid_input) throw;
        if (std::optional<MadeVariant> invalid = make_invalid(context)) return std::move(*invalid);
        throw;
    }
}

/// Of edits alone that leave nodes invalid.
std::optional<MadeVariant> VariantJob::make_invalid(const JobContext& context) const {
    if (!model.recipe || !model.recipe->isEditedAlone() || model.recipe->edits.empty())
        return std::nullopt;
    ModelSource opened = model;
    opened.model = nullptr;
    opened.recipe.reset();
    MadeVariant made;
    made.base = context.cache ? context.cache->look(opened, context.progress) : base;
    if (!made.base) return std::nullopt;
    std::vector<EditProblem> problems;
    made.model = edited_model_as_it_is(made.base, model.recipe->edits, problems, context.progress);
    std::ranges::copy_if(problems, std::back_inserter(made.problems),
                         [](const EditProblem& problem) { return problem.node_id >= 0; });
    if (made.problems.empty()) return std::nullopt;  // nothing that a node can show
    const ModelPtr opened_model = made.base;
    return with_edits(std::move(made), opened_model, *model.recipe);
}

MadeVariant VariantJob::make(const JobContext& context) const {
    const Progress& progress = context.progress;
    const ModelPtr from = !context.cache       ? base
                          : is_original(model) ? context.cache->look(base_of(model), progress)
                                               : context.cache->get(base_of(model), progress);
    if (!from) fail(ErrorCode::internal, "there is no model to make a variant of");
    if (is_original(model)) return look_at(from, from, progress);
    if (is_base(*model.recipe))
        return with_edits(look_at(from,
                                  context.cache ? context.cache->get(model, progress)
                                                : made_base(model, from, progress),
                                  progress),
                          from, *model.recipe);
    MadeVariant made = optimized(from, *model.recipe, progress);
    if (context.cache) context.cache->keep(model, made.model);
    return made;
}

SharedMemory VariantJob::block_of(const MadeVariant& made) {
    const ModelBytes model(*made.model, made.base.get());
    std::optional<ModelBytes> with_types;
    if (made.typed) with_types.emplace(*made.typed, made.model.get(), false);
    return written_block([&](ByteWriter& out) {
        model.write(out);
        out.number(std::uint8_t(with_types.has_value()));
        if (with_types) with_types->write(out);
        write_described(out, made.report);
        out.number(std::uint64_t(made.session_rewrites));
        out.number(std::uint64_t(made.session_nodes));
        write_described(out, made.activations);
        write_described(out, made.shares);
        write_described(out, made.problems);
    });
}

MadeVariant VariantJob::complete(ByteReader& block, const Progress& progress,
                                 const EngineHandlePtr& engine) const {
    MadeVariant made;
    made.base = base;
    made.model = std::make_shared<const Model>(
        read_model(block, base.get(), weights_of(engine, model), progress.cancel));
    if (block.number<std::uint8_t>() != 0)
        made.typed =
            std::make_shared<const Model>(read_model(block, made.model.get(), {}, progress.cancel));
    made.report = read_described<PipelineReport>(block);
    made.session_rewrites = block.number<std::uint64_t>();
    made.session_nodes = block.number<std::uint64_t>();
    made.activations = read_described<ActivationEstimate>(block);
    made.shares = read_described<TimeShares>(block);
    made.problems = read_described<std::vector<EditProblem>>(block);
    return made;
}

template <>
const JobKind& kind_of<VariantJob>() {
    static const KindOf<VariantJob> kind;
    return kind;
}

}  // namespace lapidary::app
