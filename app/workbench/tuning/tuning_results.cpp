// SPDX-License-Identifier: GPL-3.0-or-later
// Chooses the variant that is measured, and keeps results of earlier ones by model and recipe.
#include <algorithm>
#include <utility>

#include <lapidary/base/error.h>

#include "workbench/tuning/tuning.h"
#include "workbench/document/opened_model.h"
#include "workbench/document/run_conditions.h"

namespace lapidary::app {
namespace {

constexpr std::size_t most_kept = 64;     // models and variants whose results are remembered
constexpr char end_of_conditions = '\0';  // in a key, behind the model, its sizes and its inputs

/// Before a sweep has said where it ran.
MachineInfo infoOf(const Machine& machine) {
    MachineInfo info = machine_info();
    if (machine.isHere()) return info;
    const std::string date = info.date;
    info = {};
    info.date = date;
    info.cpu = machine.text().toStdString();
    info.cores = machine.cores;
    return info;
}

}  // namespace

/// The key under which results are kept: an unchanged file is the same model when it is opened
/// again; results also depend on sizes and inputs, and behind end_of_conditions on variant and
/// machine.
std::string Tuning::keyOf(const Recipe& recipe) const {
    const ModelSource& source = opened_.opened()->source;
    std::string key;
    for (const auto& [name, size] : sizesBesidesBatch())
        key += '\n' + name + '=' + std::to_string(size);
    const GivenInputs& given = opened_.runSettings().given;
    for (const auto& [name, file] : given.files) key += '\n' + name + '<' + file;
    if (given.isText()) key += '\n' + given.vocabulary + '\n' + given.text;
    key += end_of_conditions + recipe_text(recipe);
    if (!machine_.isHere()) key += "\non " + machine_.host.toStdString();
    if (!source.sample.empty()) return "sample " + source.sample + key;
    if (source.file.empty())
        return "model " + std::to_string(reinterpret_cast<std::uintptr_t>(source.model.get())) +
               key;
    return source.file.string() + '\n' + std::to_string(source.file_bytes) + '\n' +
           std::to_string(source.file_modified) + key;
}

/// Sizes without the batch if the model has a free batch dimension, because cells have their own.
InputSizes Tuning::sizesBesidesBatch() const {
    InputSizes sizes = opened_.conditions().sizes;
    if (opened_.opened() && batchRefusal_.isEmpty())
        for (const std::string& name : batch_dimensions(*opened_.opened()->model))
            sizes.erase(name);
    return sizes;
}

QString Tuning::inputsText() const {
    const bool asGiven = space_.batches == std::vector<std::int64_t>{0};
    return lapidary::app::inputsText(asGiven ? opened_.conditions().sizes : sizesBesidesBatch(),
                                     opened_.runSettings().given);
}

std::vector<int> Tuning::threadChoices() const {
    if (machine_.isHere() || machine_.cores < 1) return thread_choices();
    std::vector<int> choices;
    for (int threads = 1; threads < machine_.cores; threads *= 2) choices.push_back(threads);
    choices.push_back(machine_.cores);
    return choices;
}

struct Tuning::Kept {
    QString name;  // of what was measured, and where
    std::shared_ptr<const SweepResult> result;
    SweepSpace space;
    SweepOptions options;
    std::vector<std::size_t> verified;
    std::vector<std::pair<RunConfiguration, std::vector<OperatorScaling>>> scaling;
    std::optional<RunConfiguration> applied;
    double correction = 1;
};

void Tuning::keep() {
    if (!result_ || key_.empty()) return;
    SweepResult quiet = *result_;
    for (SweepCell& cell : quiet.cells)
        if (cell.state == CellState::running) cell.state = CellState::waiting;
    if (kept_.size() >= most_kept && !kept_.contains(key_)) kept_.erase(kept_.begin());
    QString name = measuredName();
    if (!machine_.isHere()) name += QStringLiteral(", ") + machine_.text();
    kept_[key_] = std::make_shared<Kept>(
        Kept{std::move(name), std::make_shared<const SweepResult>(std::move(quiet)), space_,
             options_, verified_, scaling_, applied_, correction_});
}

std::vector<OtherSweep> Tuning::otherSweeps() const {
    std::vector<OtherSweep> others;
    const std::string conditions = key_.substr(0, key_.find(end_of_conditions) + 1);
    if (!result_ || conditions.empty()) return others;
    for (const auto& [key, kept] : kept_) {
        if (key == key_ || !key.starts_with(conditions)) continue;
        if (std::ranges::find(kept->result->cells, CellState::done, &SweepCell::state) !=
            kept->result->cells.end())
            others.push_back({kept->name, kept->result});
    }
    std::ranges::sort(others, {}, &OtherSweep::name);
    return others;
}

void Tuning::openModel() {
    keep();
    job_.drop();
    const DocumentPtr opened = opened_.opened();
    recipe_ = followed_ = Recipe().running();
    batchRefusal_ =
        opened
            ? QString::fromStdString(lapidary::app::batchRefusal(*opened->model, opened->summary))
            : QString();
    space_ = {};
    space_.levels = {recipe_.runLevel()};
    machine_ = opened_.machine();
    space_.intra = threadChoices();
    if (opened && batchRefusal_.isEmpty()) space_.batches = {1, 2, 4};
    options_ = {};
    applied_.reset();
    awaited_.reset();
    key_ = opened ? keyOf(recipe_) : std::string();
    restore();
    emit appliedChanged();
}

/// Restores the kept results of key_, or cells of space_ that are not measured.
void Tuning::restore() {
    queue_.clear();
    measuring_.clear();
    notice_.clear();
    if (const auto kept = kept_.find(key_); kept != kept_.end()) {
        const Kept& before = *kept->second;
        space_ = before.space;
        options_ = before.options;
        verified_ = before.verified;
        scaling_ = before.scaling;
        applied_ = before.applied;
        correction_ = before.correction;
        result_ = before.result;
        emit changed();
        return;
    }
    verified_.clear();
    scaling_.clear();
    correction_ = 1;
    if (!opened_.opened()) {
        result_ = nullptr;
        emit changed();
        return;
    }
    SweepResult fresh;
    fresh.cells = cellsOf(space_, {});
    fresh.machine = infoOf(machine_);
    publish(std::move(fresh));
}

void Tuning::followShown() {
    const DocumentPtr opened = opened_.opened(), shown = opened_.document();
    if (!result_ || !opened || !shown || job_) return;
    const Recipe recipe = (shown->variant ? shown->variant->recipe : Recipe()).running();
    if (recipe == followed_) return;
    followed_ = recipe;
    Recipe asMeasured = recipe_;
    asMeasured.level = recipe.level;
    if (asMeasured == recipe &&
        std::ranges::find(space_.levels, recipe.runLevel()) != space_.levels.end()) {
        recipe_ = recipe;
        return;
    }
    keep();
    recipe_ = recipe;
    space_.levels = {recipe.runLevel()};
    key_ = keyOf(recipe);
    const auto applied = applied_;
    restore();
    applied_ = applied;  // the applied configuration belongs to runs and does not change
}

/// Replaces results for other sizes, inputs or another machine by those for the ones in force.
void Tuning::followInputs() {
    if (!result_ || !opened_.opened() || job_) return;
    const bool isElsewhere = machine_.host != opened_.machine().host;
    const Machine before = std::exchange(machine_, opened_.machine());
    const std::string key = keyOf(recipe_);
    if (key == key_) return;
    const Machine now = std::exchange(machine_, before);  // results are kept with the old one
    keep();
    machine_ = now;
    key_ = key;
    if (isElsewhere) space_.intra = threadChoices();
    const auto applied = applied_;
    restore();
    applied_ = applied;
}

QString Tuning::measuredName() const {
    QStringList names;
    for (const Level level : space_.levels) {
        Recipe one = recipe_;
        one.level = level;
        names << nameOf(one);
    }
    return names.join(QStringLiteral(", "));
}

void Tuning::forget() {
    if (!result_ || job_) return;
    queue_.clear();
    verified_.clear();
    scaling_.clear();
    notice_.clear();
    correction_ = 1;
    SweepResult fresh;
    fresh.cells = cellsOf(space_, {});
    fresh.machine = result_->machine;
    publish(std::move(fresh));
}

void Tuning::adopt(const SweepResult& result, const Recipe& recipe) {
    if (!result_ || job_ || result.cells.empty()) return;
    recipe_ = recipe.running();
    SweepSpace space{{}, {}, {}, {}, {}, {}};
    const auto add = [](auto& values, const auto& value) {
        if (std::ranges::find(values, value) == values.end()) values.push_back(value);
    };
    for (const SweepCell& cell : result.cells) {
        add(space.levels, cell.configuration.level);
        add(space.intra, cell.configuration.resources.threads);
        add(space.inter, cell.configuration.resources.inter_threads);
        add(space.batches, cell.configuration.batch);
        add(space.modes, cell.configuration.resources.mode);
        add(space.spinning, cell.configuration.resources.spinning);
    }
    queue_.clear();
    verified_.clear();
    scaling_.clear();
    if (result.recommendation.cell >= 0 && !result.scaling.empty())
        scaling_.emplace_back(result.cells[std::size_t(result.recommendation.cell)].configuration,
                              result.scaling);
    space_ = space;
    key_ = keyOf(recipe_);
    SweepResult next = result;
    next.cells = cellsOf(space_, result.cells);
    publish(std::move(next));
}

}  // namespace lapidary::app
