// SPDX-License-Identifier: GPL-3.0-or-later
// How a measured setting is applied to the window, and the command line of the sweep.
#include <algorithm>

#include "workbench/tuning/tuning.h"
#include "workbench/document/opened_model.h"
#include "workbench/text/bounded_text.h"

namespace lapidary::app {
TuneChoice Tuning::choice() const {
    TuneChoice choice;
    choice.run = opened_.runSettings();
    if (const DocumentPtr shown = opened_.document(); shown && shown->variant)
        choice.shown = shown->variant->recipe;
    choice.configuration = applied_;
    return choice;
}

TuneChoice Tuning::choiceOf(std::size_t cell) const {
    TuneChoice choice = this->choice();
    if (!result_ || cell >= result_->cells.size()) return choice;
    const RunConfiguration& configuration = result_->cells[cell].configuration;
    choice.configuration = configuration;
    choice.run.resources.threads = std::clamp(configuration.resources.threads, 0, most_run_threads);
    const auto entry = [&](const char* key, bool usual, const std::string& value) {
        if (usual) choice.run.resources.config.erase(key);
        else choice.run.resources.config[key] = value;
    };
    const bool parallel = configuration.resources.mode == ExecutionMode::parallel;
    entry("execution_mode", !parallel, "ORT_PARALLEL");
    entry("inter_op_num_threads", !parallel, std::to_string(configuration.resources.inter_threads));
    entry("session.intra_op.allow_spinning", configuration.resources.spinning, "0");
    choice.shown = recipe_;
    choice.shown.level = configuration.level;
    if (configuration.batch > 0)
        for (const std::string& name : batch_dimensions(*opened_.opened()->model))
            choice.run.dimensions[name] = configuration.batch;
    return choice;
}

void Tuning::setChoice(const TuneChoice& choice) {
    if (!opened_.opened()) return;
    opened_.setRunSettings(choice.run);
    if (applied_ != choice.configuration) {
        applied_ = choice.configuration;
        emit appliedChanged();
    }
    VariantStore& variants = variants_;
    const DocumentPtr shown = opened_.document();
    awaited_.reset();
    if (const Recipe now = shown && shown->variant ? shown->variant->recipe : Recipe();
        now == choice.shown)
        return;
    if (const VariantPtr variant =
            choice.shown.isOriginal() ? variants.original() : variants.find(choice.shown)) {
        opened_.showVariant(variant);
        return;
    }
    awaited_ = choice.shown;
    variants.request({choice.shown});
}

QStringList Tuning::sweepOptions() const {
    QStringList words;
    const auto add = [&words](const char* option, const QString& value) {
        words << QLatin1String(option) << value;
    };
    for (const int threads : space_.intra) add("--intra", QString::number(threads));
    if (space_.inter != std::vector<int>{1})
        for (const int threads : space_.inter) add("--inter", QString::number(threads));
    if (space_.batches != std::vector<std::int64_t>{0})
        for (const std::int64_t batch : space_.batches) add("--batch", QString::number(batch));
    for (const ExecutionMode mode : space_.modes)
        if (space_.modes.size() > 1 || mode != ExecutionMode::sequential)
            add("--execution", mode == ExecutionMode::sequential ? QStringLiteral("sequential")
                                                                 : QStringLiteral("parallel"));
    for (const bool spinning : space_.spinning)
        if (space_.spinning.size() > 1 || !spinning)
            add("--spinning", spinning ? QStringLiteral("on") : QStringLiteral("off"));
    if (options_.budget_seconds > 0) add("--budget", QString::number(options_.budget_seconds));
    add("--goal", options_.goal == SweepGoal::latency ? QStringLiteral("latency")
                                                      : QStringLiteral("throughput"));
    if (options_.latency_cap_ms > 0) add("--latency-cap", QString::number(options_.latency_cap_ms));
    const bool asGiven = space_.batches == std::vector<std::int64_t>{0};
    for (const auto& [name, size] : asGiven ? opened_.conditions().sizes : sizesBesidesBatch())
        add("--dim", QStringLiteral("%1=%2").arg(exactText(name)).arg(size));
    if (!machine_.isHere()) add("--on", machine_.host);
    return words;
}

QString Tuning::commandLine() const {
    const DocumentPtr opened = opened_.opened();
    if (!opened) return {};
    const ModelSource& source = opened->source;
    QString model = source.file.empty() ? QStringLiteral("model.onnx")
                                        : QString::fromStdU16String(source.file.u16string());
    QStringList commands;
    if (!source.sample.empty()) {
        model = exactText(source.sample) + QStringLiteral(".onnx");
        commands << QStringLiteral("lapidary-cli sample %1 -o %2")
                        .arg(shellWord(exactText(source.sample)), shellWord(model));
    }
    const auto sweep = [&](const QString& file, const std::vector<Level>& levels) {
        QStringList words{QStringLiteral("lapidary-cli"), QStringLiteral("sweep"), file};
        for (const Level level : levels)
            words << QStringLiteral("--level")
                  << QString::fromUtf8(name_of(level).data(), qsizetype(name_of(level).size()));
        if (recipe_.runs_on) words << runsOnWords(*recipe_.runs_on);
        words << sweepOptions();
        for (QString& word : words) word = shellWord(word);
        commands << words.join(u' ');
    };
    Recipe plain = recipe_;
    plain.runs_on.reset();
    if (plain.isPlainLevel()) sweep(model, space_.levels);
    else
        // the sweep command has no options for passes
        for (const Level level : space_.levels) {
            Recipe one = plain;
            // the other engine optimizes the model itself
            const bool theirs = recipe_.runsInOtherEngine();
            one.level = theirs ? Level::disabled : level;
            const QString variant = QStringLiteral("variant-%1.onnx")
                                        .arg(QString::fromUtf8(name_of(level).data(),
                                                               qsizetype(name_of(level).size())));
            commands << lapidary::app::commandLine(one, model, variant);
            sweep(variant, {theirs ? level : Level::disabled});
        }
    QString line = commands.join(QStringLiteral(" && "));
    if (!opened_.runSettings().given.isEmpty())
        line += QStringLiteral("  # ") + tr("with generated inputs");
    return line;
}

/// The best cells: the recommended one first, then ordered by the goal.
std::vector<std::size_t> Tuning::best(int count) const {
    std::vector<std::size_t> cells;
    for (std::size_t i = 0; i < result_->cells.size(); ++i)
        if (result_->cells[i].state == CellState::done) cells.push_back(i);
    const auto cost = [this](std::size_t i) {
        const Measurement& measured = result_->cells[i].measurement;
        const bool over =
            options_.latency_cap_ms > 0 && measured.wall.median.median > options_.latency_cap_ms;
        const double value = options_.goal == SweepGoal::latency ? measured.wall.median.median
                                                                 : -measured.per_second;
        return std::tuple(std::ptrdiff_t(i) != result_->recommendation.cell, over, value);
    };
    std::ranges::sort(cells, {}, cost);
    cells.resize(std::min(cells.size(), std::size_t(std::max(0, count))));
    return cells;
}

}  // namespace lapidary::app
