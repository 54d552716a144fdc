// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/text/job_command.h"

#include <QFileInfo>
#include <QStringList>

#include "workbench/text/recipe.h"
#include "workbench/document/run_conditions.h"
#include "workbench/text/bounded_text.h"

namespace lapidary::app {
namespace {

QString modelWord(const ModelSource& model) {
    return model.sample.empty() ? QString::fromStdString(model.file.string())
                                : QStringLiteral("sample:") + QString::fromStdString(model.sample);
}

QStringList recipeWords(const Recipe& recipe);

/// `--level ...` if that is enough, else the whole recipe, and what it runs on.
QStringList recipeWords(const ModelSource& model) {
    Recipe recipe = model.recipe.value_or(Recipe()).running();
    QStringList on;
    if (recipe.runs_on) on = runsOnWords(*recipe.runs_on);
    const bool theirs = recipe.runsInOtherEngine();
    recipe.runs_on.reset();
    if (!theirs) on << recipeWords(recipe);
    else on << QStringLiteral("--level") << exactText(name_of(recipe.runLevel()));
    return on;
}

QStringList recipeWords(const Recipe& recipe) {
    if (!recipe.enabled_passes.empty() || recipe.stop_after || !recipe.dimensions.empty() ||
        !recipe.rules.empty() || !recipe.edits_after.empty() || !recipe.base().isOriginal())
        return {QStringLiteral("--recipe"), exactText(recipe_text(recipe))};
    QStringList words{QStringLiteral("--level"), exactText(name_of(recipe.runLevel()))};
    for (const std::string& pass : recipe.disabled_passes)
        words << QStringLiteral("--disable-pass") << exactText(pass);
    if (recipe.session_passes) words << sessionWords(*recipe.session_passes);
    return words;
}

QString joined(QStringList words) {
    for (QString& word : words) word = shellWord(word);
    return words.join(u' ');
}

/// Includes default sizes, so that the command does not depend on defaults; without the sizes that
/// given inputs fix.
InputSizes sizesOf(const ModelSource& model, const RunSettings& settings) {
    if (model.model && settings.given.isEmpty()) return conditionsOf(*model.model, settings).sizes;
    InputSizes sizes;
    for (const auto& [name, size] : settings.dimensions)
        if (size > 0) sizes.emplace(name, size);
    return sizes;
}

QStringList settingWords(const ModelSource& model, const RunSettings& settings) {
    QStringList words;
    if (settings.resources.threads > 0)
        words << QStringLiteral("--intra") << QString::number(settings.resources.threads);
    for (const auto& [name, size] : sizesOf(model, settings))
        words << QStringLiteral("--dim")
              << shellWord(QStringLiteral("%1=%2").arg(exactText(name)).arg(size));
    for (const auto& [name, file] : settings.given.files)
        words << QStringLiteral("--input")
              << shellWord(QStringLiteral("%1=%2").arg(exactText(name), exactText(file)));
    return words;
}

}  // namespace

QString profileCommand(const ModelSource& model, const RunSettings& settings) {
    // no command takes a line of text
    if (!model.in_other_process() || settings.given.isText()) return {};
    QStringList words{QStringLiteral("lapidary-cli"), QStringLiteral("profile"), modelWord(model)};
    words << recipeWords(model) << QStringLiteral("--intra")
          << QString::number(settings.resources.threads) << QStringLiteral("--runs")
          << QString::number(settings.repetitions) << QStringLiteral("--warmup")
          << QString::number(settings.warmups) << QStringLiteral("--seed")
          << QString::number(quint64(settings.seed));
    for (const auto& [name, size] : sizesOf(model, settings))
        words << QStringLiteral("--dim") << QStringLiteral("%1=%2").arg(exactText(name)).arg(size);
    for (const auto& [name, file] : settings.given.files)
        words << QStringLiteral("--input")
              << QStringLiteral("%1=%2").arg(exactText(name), exactText(file));
    for (const auto& [key, value] : settings.resources.config)
        words << QStringLiteral("--config")
              << QStringLiteral("%1=%2").arg(exactText(key), exactText(value));
    return joined(words);
}

QString inspectCommand(const InspectJob& job) {
    // no command takes a line of text
    if (!job.model.in_other_process() || job.settings.given.isText()) return {};
    if (job.model.recipe && *job.model.recipe != Recipe()) return {};
    QStringList words{QStringLiteral("lapidary-cli"), QStringLiteral("inspect"),
                      modelWord(job.model), QStringLiteral("--value"),
                      exactText(job.body + job.value)};
    if (!job.slice.empty()) words << QStringLiteral("--slice=") + exactText(job.slice);
    for (const std::string& name : job.also)
        words << QStringLiteral("--value") << exactText(job.body + name);
    if (!job.saved.empty()) words << QStringLiteral("--save") << exactText(job.saved.string());
    words << QStringLiteral("--seed") << QString::number(quint64(job.settings.seed));
    return joined(words) + u' ' + settingWords(job.model, job.settings).join(u' ');
}

QString generateCommand(const GenerateJob& job) {
    if (job.models.empty() || !job.models[0].in_other_process()) return {};
    // the command has no devices
    if (const auto on = job.models[0].runs_on(); on && !on->isCpuOfThisProgram()) return {};
    const auto list = [](const std::vector<std::int64_t>& tokens) {
        QStringList words;
        for (const std::int64_t token : tokens) words << QString::number(token);
        return words.join(u',');
    };
    QStringList words{QStringLiteral("lapidary-cli"), QStringLiteral("generate"),
                      modelWord(job.models[0])};
    // a text that begins with a dash is no option
    if (!job.text.empty()) words << QStringLiteral("--prompt=") + exactText(job.text);
    else words << QStringLiteral("--prompt-tokens") << list(job.prompt);
    if (!job.tokenizer.empty())
        words << QStringLiteral("--tokenizer") << exactText(job.tokenizer.string());
    words << QStringLiteral("--new-tokens") << QString::number(job.new_tokens);
    words << recipeWords(job.models[0]);
    if (job.resources.threads > 0)
        words << QStringLiteral("--intra") << QString::number(job.resources.threads);
    if (job.storage != CacheStorage::automatic)
        words << QStringLiteral("--caches")
              << (job.storage == CacheStorage::fixed ? QStringLiteral("fixed")
                                                     : QStringLiteral("growing"));
    if (job.capacity > 0) words << QStringLiteral("--capacity") << QString::number(job.capacity);
    if (!job.stop_tokens.empty()) words << QStringLiteral("--stop") << list(job.stop_tokens);
    else if (!job.finds_stop_tokens) words << QStringLiteral("--ignore-eos");
    const SamplingOptions& sampling = job.sampling;
    if (sampling.temperature > 0)
        words << QStringLiteral("--temperature") << QString::number(sampling.temperature)
              << QStringLiteral("--top-k") << QString::number(sampling.top_k)
              << QStringLiteral("--top-p") << QString::number(sampling.top_p)
              << QStringLiteral("--seed") << QString::number(quint64(sampling.seed));
    for (const auto& [key, value] : job.resources.config)
        words << QStringLiteral("--config")
              << QStringLiteral("%1=%2").arg(exactText(key), exactText(value));
    return joined(words);
}

QString bisectCommand(const ModelSource& model, const Recipe& recipe, const GuardOptions& options) {
    if (!model.in_other_process()) return {};
    QString first, searched = modelWord(model);
    if (const Recipe base = recipe.base(); !base.isOriginal()) {
        const QString made = QStringLiteral("base.onnx");
        first = commandLine(base, searched, made) + u'\n';
        searched = made;
    }
    QStringList words{QStringLiteral("lapidary-cli"), QStringLiteral("bisect"), searched,
                      QStringLiteral("--level"),
                      exactText(name_of(recipe.level.value_or(Level::disabled)))};
    for (const std::string& pass : recipe.disabled_passes)
        words << QStringLiteral("--disable-pass") << exactText(pass);
    for (const std::string& pass : recipe.enabled_passes)
        words << QStringLiteral("--enable-pass") << exactText(pass);
    words << ruleWords(recipe);
    if (recipe.session_passes) words << sessionWords(*recipe.session_passes);
    words << QStringLiteral("--rtol") << QString::number(options.tolerance.rtol)
          << QStringLiteral("--atol") << QString::number(options.tolerance.atol);
    words << QStringLiteral("--seed")
          << QString::number(quint64(options.seeds.empty() ? 0 : options.seeds.front()));
    for (const auto& [name, size] : options.dimensions)
        words << QStringLiteral("--dim") << QStringLiteral("%1=%2").arg(exactText(name)).arg(size);
    if (options.threads > 0) words << QStringLiteral("--intra") << QString::number(options.threads);
    return first + joined(words);
}

QString comparisonCommand(const ModelSource& source, const Variant& a, const Variant& b,
                          const RunSettings& settings) {
    if (!source.in_other_process() || settings.given.isText()) return {};
    const QString model = modelWord(source);
    const QStringList words = settingWords(source, settings);
    const auto line = [&](const QStringList& models) {
        return (QStringList{QStringLiteral("lapidary-cli"), QStringLiteral("compare")} + models +
                words)
            .join(u' ');
    };
    const auto each = [&] {
        QStringList lines;
        for (const auto* variant : {&a, &b}) {
            ModelSource side = source;
            side.recipe = variant->recipe;
            lines << profileCommand(side, settings);
        }
        return lines.join(u'\n');
    };
    // no command compares engines and devices
    if (a.recipe.runs_on || b.recipe.runs_on) return each();
    // The level of a variant that is only the model or another file at a level.
    const auto levelOf = [](const Variant& v) {
        Recipe rest = v.recipe.running();
        rest.other_model.reset();
        return rest.isPlainLevel() ? rest.level : std::nullopt;
    };
    const auto fileOf = [&](const Variant& v) {
        return shellWord(v.recipe.other_model ? exactText(v.recipe.other_model->file) : model);
    };
    if (levelOf(a) && levelOf(b)) {
        QStringList models{fileOf(a)};
        if (fileOf(a) != fileOf(b)) models << fileOf(b);
        for (const auto* variant : {&a, &b})
            models << QStringLiteral("--level") << exactText(name_of(*levelOf(*variant)));
        for (const auto& other : {a.recipe.other_model, b.recipe.other_model})
            if (other && other->channel_block != 0)
                models << QStringLiteral("--channel-block")
                       << QString::number(other->channel_block);
        return line(models);
    }
    // Each variant is written to a file first and runs unchanged, with the session passes of both.
    const SessionPasses::Set fused = a.recipe.sessionPasses().set;
    if (fused != b.recipe.sessionPasses().set) return each();
    QStringList lines, models;
    for (const auto* variant : {&a, &b}) {
        const QString file =
            QFileInfo(model).completeBaseName() +
            (variant == &a ? QStringLiteral(".a.onnx") : QStringLiteral(".b.onnx"));
        lines << commandLine(variant->recipe, model, file);
        models << shellWord(file);
    }
    models << QStringLiteral("--level") << exactText(name_of(Level::disabled))
           << sessionWords(fused == SessionPasses::Set::all);
    lines << line(models);
    return lines.join(u'\n');
}

QString differenceCommand(const ModelSource& source, const Variant& a, const Variant& b,
                          const RunSettings& settings, const std::string& output) {
    if (!source.in_other_process() || settings.given.isText()) return {};
    QStringList files, levels;
    for (const auto* variant : {&a, &b}) {
        Recipe rest = variant->recipe.running();
        if (rest.runs_on) return {};
        files << (rest.other_model ? exactText(rest.other_model->file) : modelWord(source));
        rest.other_model.reset();
        if (!rest.isPlainLevel() || !rest.level) return {};
        levels << QStringLiteral("--level") << exactText(name_of(*rest.level));
    }
    if (files[0] == files[1]) files.removeLast();
    QStringList words{QStringLiteral("lapidary-cli"), QStringLiteral("diverge")};
    words << files << levels;
    if (!output.empty()) words << QStringLiteral("--of-output") << exactText(output);
    for (QString& word : words) word = shellWord(word);
    return (words + settingWords(source, settings)).join(u' ');
}

}  // namespace lapidary::app
