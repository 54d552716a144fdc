// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/jobs/checklist.h"

#include <QLocale>

#include <algorithm>
#include <utility>

#include <lapidary/bench/bench.h>
#include <lapidary/inputs/generate_inputs.h>
#include <lapidary/inputs/usual_sizes.h>

#include "workbench/text/bounded_text.h"
#include "workbench/text/core_words.h"
#include "workbench/text/recipe.h"
#include "workbench/document/opened_model.h"
#include "workbench/document/planned_memory.h"
#include "workbench/jobs/plugin_list.h"
#include "workbench/project/project.h"
#include "workbench/document/symbolic_dimensions.h"
#include "workbench/tuning/tuning.h"
#include "worker/jobs/memory_job.h"
#include "worker/jobs/triage_job.h"

namespace lapidary::app {
namespace {

int coresOfMachine() {
    static const int cores = machine_info().cores;
    return cores;
}

bool areSame(const Recipe& a, const Recipe& b) { return a.isOriginal() ? b.isOriginal() : a == b; }

/// The name of the variant within a sentence: "level all" where it is no more than a level. The
/// sentences about checks name levels as options of commands in English, as cards do elsewhere.
std::string nameInSentence(const Variant& variant) {
    if (!variant.recipe.isPlainLevel()) return variant.name.toStdString();
    const Level level = *variant.recipe.level;
    const QLocale::Language language = QLocale().language();
    const bool isEnglish = language == QLocale::English || language == QLocale::C;
    return Checklist::tr("level %1")
        .arg(isEnglish ? exactText(name_of(level)) : nameOf(level))
        .toStdString();
}

}  // namespace

AdviceLanguage adviceLanguage() {
    return {QLocale().name().toStdString(), QLocale().decimalPoint().toStdString(),
            QLocale().groupSeparator().toStdString(),
            [](const std::string& sentence) { return inWindowLanguage(sentence).toStdString(); }};
}

TimeShares sharesOf(const Variant& variant, const RunRecordPtr& run) {
    if (!run || !run->executed || run->model != variant.model) return variant.shares;
    return measured_shares(run->summary.nodes, run->executed->graph, variant.model->graph);
}

Checklist::Checklist(const Parts& parts, QObject* parent) : QObject(parent), parts_(parts) {
    connect(&parts_.model, &OpenedModel::openedChanged, this, &Checklist::look);
    connect(&parts_.model, &OpenedModel::documentChanged, this, &Checklist::look);
    connect(&parts_.model, &OpenedModel::runChanged, this, &Checklist::changed);
    connect(&parts_.model, &OpenedModel::runSettingsChanged, this, &Checklist::changed);
    connect(&parts_.variants, &VariantStore::listChanged, this, &Checklist::changed);
    connect(&parts_.variants, &VariantStore::made, this, [this] {
        if (parts_.model.running() && std::exchange(awaitsRunning_, false)) lookAtMemory();
    });
    connect(&parts_.tuning, &Tuning::changed, this, &Checklist::changed);
    connect(&parts_.plugins, &PluginList::changed, this, &Checklist::changed);
    connect(&parts_.project, &Project::figuresChanged, this, &Checklist::changed);
    connect(&parts_.project, &Project::recipeChanged, this, &Checklist::changed);
}

bool Checklist::isLooking() const {
    return job_.isRunning() || triageJob_.isRunning() || memoryJob_.isRunning() ||
           (awaitsRunning_ && !parts_.variants.isIdle());
}

VariantPtr Checklist::judged() const {
    const DocumentPtr document = parts_.model.document();
    if (!document) return nullptr;
    if (const VariantPtr running = parts_.model.running()) return running;
    return document->variant ? document->variant : parts_.variants.original();
}

/// Analyses the graph of the variant in force.
void Checklist::look() {
    const DocumentPtr document = parts_.model.document();
    const ModelPtr model = document ? document->model : nullptr;
    if (model == model_) return emit changed();
    job_.drop();
    facts_ = nullptr;
    model_ = model;
    // the model that this one was made from; another file has weights of its own
    ModelPtr source = parts_.model.opened() ? parts_.model.opened()->model : nullptr;
    if (!source || (document && document->variant && document->variant->recipe.other_model))
        source = model;
    if (model)
        job_.start<Facts>(
            parts_.jobs, tr("Look for advice"),
            [model, source](const Progress&) {
                return std::make_shared<const ModelFacts>(facts_of(*model, *source));
            },
            [this](Facts facts) {
                facts_ = std::move(facts);
                emit changed();
            },
            [this](const Error&) { emit changed(); });
    emit changed();
}

void Checklist::lookClosely() {
    parts_.plugins.lookOnce();
    lookAtExport();
    lookAtMemory();
}

/// Where the weights are, because it compares them.
void Checklist::lookAtExport() {
    const DocumentPtr opened = parts_.model.opened();
    const ModelPtr model = opened ? opened->model : nullptr;
    if (model == triagedModel_) return;
    triageJob_.drop();
    triage_ = nullptr;
    triagedModel_ = model;
    if (!model || !opened->faults.empty()) return;
    using Triage = std::shared_ptr<const ExportTriage>;
    triageJob_.start<Triage>(
        parts_.jobs, tr("Look at the export of %1").arg(opened->title),
        [engine = &parts_.engine, job = TriageJob{opened->source}](const Progress& progress) {
            return std::make_shared<const ExportTriage>(engine->call(job, progress));
        },
        [this](Triage triage) {
            triage_ = std::move(triage);
            emit changed();
        },
        [this](const Error&) { emit changed(); });
}

void Checklist::lookAtMemory() {
    const VariantPtr variant = parts_.model.running();
    if (!variant) makeRunning();
    const ModelPtr model = variant ? variant->model : nullptr;
    const MemoryAssumptions assumptions =
        variant ? assumptionsOf(parts_.model.sourceOf(variant), parts_.model.runSettings())
                : MemoryAssumptions();
    if (model == memoryModel_ && assumptions == memoryAssumptions_) return;
    memoryJob_.drop();
    memory_ = nullptr;
    memoryModel_ = model;
    memoryAssumptions_ = assumptions;
    if (!model) return;
    using Findings = std::shared_ptr<const MemoryFindings>;
    memoryJob_.start<Findings>(
        parts_.jobs, tr("Plan the memory of %1").arg(variant->name),
        [engine = &parts_.engine, job = MemoryJob{parts_.model.sourceOf(variant), assumptions,
                                                  true}](const Progress& progress) {
            return std::make_shared<const MemoryFindings>(engine->call(job, progress).findings);
        },
        [this](Findings findings) {
            memory_ = std::move(findings);
            emit changed();
        },
        [this](const Error&) {
            // the model cannot be compiled: the first check says why
            memory_ = std::make_shared<const MemoryFindings>();
            emit changed();
        });
}

/// Requests the variant only once. A failure is shown where the user requests it.
void Checklist::makeRunning() {
    const DocumentPtr document = parts_.model.document();
    if (!document || !document->faults.empty()) return;
    const Recipe recipe = parts_.model.recipeInForce().running();
    if (!parts_.variants.failureOf(recipe).isEmpty()) return;
    awaitsRunning_ = true;
    parts_.variants.require({recipe});
}

std::map<std::string, std::int64_t> Checklist::sizesToFix() const {
    const DocumentPtr opened = parts_.model.opened();
    if (!opened) return {};
    DimensionSizes given;
    for (const auto& [name, size] : parts_.model.runSettings().dimensions)
        if (size > 0) given.emplace(name, size);
    DimensionSizes sizes = usual_sizes(*opened->model, given).all;
    const auto names = symbolicDimensions(opened->summary);
    std::erase_if(sizes, [&](const auto& entry) {
        return std::ranges::find(names, entry.first) == names.end();
    });
    return sizes;
}

/// Adds the times of all variants under the conditions in force.
void Checklist::addTimes(AdviceInput& in) const {
    const std::vector<RunFigures>& runs = parts_.project.runs();
    for (const VariantPtr& variant : parts_.variants.list()) {
        if (!variant->recipe.level) continue;  // the original runs at a level
        const RunFigures* figures = newestUnder(runs, variant->recipe, parts_.model.conditions());
        if (figures)
            in.times.push_back({nameInSentence(*variant),
                                variant->recipe == Recipe::plain(Level::disabled),
                                variant == judged(), figures->median_ms, figures->low_ms,
                                figures->high_ms, variant->recipe.quantization.has_value()});
    }
    for (const RunFigures& run : runs) {
        in.threads_tried.push_back(run.threads);
        in.batch_measured = in.batch_measured || run.batch > 1;
        for (const std::string& name : batchNames(*parts_.model.opened()->model))
            if (const auto at = run.sizes.find(name); at != run.sizes.end() && at->second > 1)
                in.batch_measured = true;
    }
    for (const GuardFigures& guard : parts_.project.guards()) {
        if (!areSame(guard.recipe, judged()->recipe)) continue;
        in.outputs_agree = guard.matches;
        in.largest_difference = guard.largest;
        in.guard_failure = guard.failure.toStdString();
    }
}

void Checklist::addChoices(AdviceInput& in) const {
    in.dimensions_fixed = !parts_.project.recipe().dimensions.empty();
    for (const VariantPtr& variant : parts_.variants.list()) {
        in.dimensions_fixed = in.dimensions_fixed || !variant->recipe.dimensions.empty();
        if (variant->recipe.quantization && in.quantized_variant.empty())
            in.quantized_variant = variant->name.toStdString();
    }
    const auto sizes = sizesToFix();
    in.sizes.assign(sizes.begin(), sizes.end());
}

void Checklist::addProviders(AdviceInput& in) const {
    const Recipe& recipe = judged()->recipe;
    if (recipe.runs_on && !recipe.runs_on->isCpuOfThisProgram())
        in.runs_on = nameOf(*recipe.runs_on).toStdString();
    const FoundPluginsPtr found = parts_.plugins.found();
    if (!found) return;
    for (const PluginProbe& plugin : found->plugins) {
        if (!plugin.info || plugin.info->provider.empty()) continue;
        const auto usable =
            std::ranges::find(plugin.info->devices, std::string(), &PluginDevice::unusable);
        in.providers.push_back(
            {plugin.info->provider, usable != plugin.info->devices.end() ? std::string()
                                    : plugin.info->devices.empty()
                                        ? plugin.info->no_device
                                        : plugin.info->devices.front().unusable});
    }
    for (const OnnxRuntimeInfo& engine : found->engines)
        for (const OnnxRuntimeProviderState& provider : engine.providers)
            if (provider.unusable.empty() && provider.name != "CPU" && provider.name != "Azure")
                in.providers.push_back(
                    {"ONNX Runtime " + engine.version + ": " + provider.name, {}});
}

AdviceInput Checklist::input() const {
    AdviceInput in;
    const VariantPtr variant = judged();
    if (!variant || !facts_) return in;
    in.model = variant->model;
    in.name = nameInSentence(*variant);
    in.is_original = variant->isOriginal() || variant->recipe == Recipe::plain(Level::disabled);
    if (!variant->isOriginal())
        in.report = std::shared_ptr<const PipelineReport>(variant, &variant->report);
    in.facts = facts_;
    if (parts_.model.opened() && parts_.model.opened()->model == triagedModel_) in.triage = triage_;
    in.memory = memory_;
    if (const RunRecordPtr run = parts_.model.run();
        run && run->model && run->model == variant->model) {
        in.nodes = run->summary.nodes;
        in.steps = run->plan.steps;
    }
    in.shares = std::make_shared<const TimeShares>(sharesOf(*variant, parts_.model.run()));
    addTimes(in);
    addChoices(in);
    addProviders(in);
    in.sweep = parts_.tuning.result();
    in.threads = parts_.model.runSettings().resources.threads;
    in.cores = coresOfMachine();
    return in;
}

std::vector<RowHelp> Checklist::helpFor(const std::vector<OperatorTotal>& rows) const {
    return help_for_rows(rows, input());
}

std::vector<Advice> Checklist::advice(const AdviceLanguage& language) const {
    return advise(input(), language);
}

}  // namespace lapidary::app
