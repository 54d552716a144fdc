// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/document/opened_model.h"

#include <algorithm>
#include <utility>

#include "workbench/text/bounded_text.h"

namespace lapidary::app {
namespace {

/// Shown graphs that run as the same variant share its runs.
std::string runKey(const Recipe& recipe) { return recipe_text(recipe.running()); }

}  // namespace

QString Document::faultText() const {
    if (faults.empty()) return {};
    return sentenceText(model->graph.node(faults.front().node).describe() + ": " +
                        faults.front().message);
}

OpenedModel::OpenedModel(JobRunner& jobs, VariantStore& variants, RunSettings settings,
                         QObject* parent)
    : QObject(parent), jobs_(jobs), variants_(variants), runSettings_(std::move(settings)) {
    connect(&variants_, &VariantStore::listChanged, this, &OpenedModel::forgetRuns);
}

/// Removes runs of variants that no longer exist.
void OpenedModel::forgetRuns() {
    std::erase_if(otherRuns_, [this](const auto& entry) {
        return entry.first != runKey({}) &&
               std::ranges::none_of(variants_.list(), [&](const VariantPtr& v) {
                   return runKey(v->recipe) == entry.first;
               });
    });
}

void OpenedModel::protectFiles() {
    openedFiles_.reset();
    if (!opened_) return;
    openedFiles_.emplace(InputProtection::Of::named_files);
    protect_input(opened_->model->path);
    for (const std::filesystem::path& file : opened_->model->external_files) protect_input(file);
}

void OpenedModel::open(DocumentPtr document) {
    runSettings_.dimensions.clear();
    runSettings_.given = {};
    if (document) runSettings_.resources.config.clear();
    if (document) runSettings_ = withUsualSizes(*document->model, std::move(runSettings_));
    conditions_.reset();
    machine_ = {};
    const auto old = std::exchange(opened_, document);
    // variants, opened() and document() change together
    const auto oldShown = std::exchange(document_, document);
    protectFiles();
    for (auto& [ran, run] : std::exchange(otherRuns_, {})) retire(std::move(run));
    if (document)
        emit logged(tr("Opened %1: %n node(s).", nullptr, int(document->summary.nodes))
                        .arg(document->title));
    variants_.open(document ? document->source : ModelSource());
    emit openedChanged();
    focus_ = {};
    show(std::move(document), nullptr);
    emit runSettingsChanged();
    retire(old);
    retire(oldShown);
}

void OpenedModel::show(DocumentPtr document, RunRecordPtr run) {
    emit documentLeft();
    const auto old = std::exchange(document_, std::move(document));
    const auto oldRun = std::exchange(run_, std::move(run));
    if (!document_ || focus_.body ||
        (focus_.node && !document_->model->graph.is_alive(focus_.node)) ||
        (focus_.value && !document_->model->graph.is_alive(focus_.value)))
        focus_ = {};
    focus_.beginNs = focus_.endNs = -1;
    emit documentChanged();
    emit runChanged();
    emit focusChanged(focus_);
    retire(old);
    retire(oldRun);
}

ModelSource OpenedModel::sourceOf(const Variant& variant) const {
    if (!opened_) return {};
    ModelSource source = opened_->source;
    if (variant.isOriginal()) return source;
    source.model = variant.model;
    source.recipe = variant.recipe;
    source.quantized = variant.quantized;
    return source;
}

ModelSource OpenedModel::sourceOf(const VariantPtr& variant) const {
    if (variant) return sourceOf(*variant);
    return opened_ ? opened_->source : ModelSource();
}

Recipe OpenedModel::recipeInForce() const {
    return document_ && document_->variant ? document_->variant->recipe : Recipe();
}

VariantPtr OpenedModel::running() const {
    return opened_ ? variants_.find(recipeInForce().running()) : nullptr;
}

/// True if the graph that ran is the shown one, so that both have the same nodes.
bool OpenedModel::isShownGraph(const Model& ran) const {
    return document_ && (document_->model.get() == &ran || recipeInForce().level);
}

NodeId OpenedModel::shownNode(const Model& ran, NodeId node) const {
    if (!document_ || !node) return {};
    const Graph& shown = document_->model->graph;
    if (!isShownGraph(ran) && ran.graph.is_alive(node)) {
        const std::vector<NodeId>& origins = ran.graph.node(node).origins;
        const auto first =
            std::ranges::find_if(origins, [&](NodeId id) { return shown.is_alive(id); });
        const bool isOne =
            std::ranges::find(origins, node) != origins.end() && shown.is_alive(node);
        if (!isOne && first != origins.end()) return *first;
    }
    return shown.is_alive(node) ? node : NodeId();
}

NodeId OpenedModel::ranNode(const Model& ran, NodeId shown) const {
    if (!document_ || !shown) return {};
    const bool isAlive = ran.graph.is_alive(shown);
    std::vector<NodeId> origins{shown};
    if (isShownGraph(ran)) {
        if (isAlive || !document_->model->graph.is_alive(shown)) return shown;
        origins = document_->model->graph.node(shown).origins;
    }
    for (const NodeId id : ran.graph.nodes())
        if (std::ranges::find_first_of(ran.graph.node(id).origins, origins) !=
            ran.graph.node(id).origins.end())
            return id;
    return isAlive ? shown : NodeId();
}

void OpenedModel::showVariant(const VariantPtr& variant) {
    if (!variant || !opened_ || document_->variant == variant ||
        (variant->isOriginal() && !document_->variant))
        return;
    if (run_ && document_) otherRuns_[runKey(recipeInForce())] = run_;
    DocumentPtr shown = opened_;
    if (!variant->isOriginal())
        shown = std::make_shared<const Document>(
            Document{variant->model,
                     variant->summary,
                     tr("%1 · %2").arg(opened_->title, variant->name),
                     variant,
                     sourceOf(variant),
                     {},
                     variant->faults});
    variants_.setInUse(variant);
    const auto run = otherRuns_.find(runKey(variant->recipe));
    emit logged(
        tr("Showing %1: %n node(s).", nullptr, int(shown->summary.nodes)).arg(shown->title));
    show(std::move(shown), run == otherRuns_.end() ? nullptr : run->second);
}

void OpenedModel::publishRun(RunRecordPtr run) {
    const auto old = std::exchange(run_, std::move(run));
    emit runChanged();
    retire(old);
}

void OpenedModel::setRunSettings(const RunSettings& settings) {
    if (settings == runSettings_) return;
    conditions_.reset();
    runSettings_ = settings;
    emit runSettingsChanged();
}

void OpenedModel::setMachine(const Machine& machine) {
    if (machine == machine_) return;
    conditions_.reset();
    machine_ = machine;
    emit runSettingsChanged();
}

const RunConditions& OpenedModel::conditions() const {
    if (conditions_) return *conditions_;
    conditions_ = opened_ ? conditionsOf(*opened_->model, runSettings_) : RunConditions();
    if (opened_ && !machine_.isHere()) {
        conditions_->cpu = machine_.text();
        if (runSettings_.resources.threads <= 0 && machine_.cores > 0)
            conditions_->threads = machine_.cores;
    }
    return *conditions_;
}

void OpenedModel::setFocus(const Focus& focus) {
    if (focus == focus_) return;
    focus_ = focus;
    emit focusChanged(focus_);
}

/// Releases a result on a worker thread, because freeing large results takes long.
void OpenedModel::retire(std::shared_ptr<const void> result) {
    if (result) jobs_.releaseLater(std::move(result));
}

}  // namespace lapidary::app
