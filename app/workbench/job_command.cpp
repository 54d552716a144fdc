// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/job_command.h"

#include <QFileInfo>
#include <QStringList>

#include "workbench/recipe.h"

namespace lapidary::app {
namespace {

QString text(std::string_view s) { return QString::fromUtf8(s.data(), qsizetype(s.size())); }

QString modelWord(const ModelSource& model) {
    return model.sample.empty() ? QString::fromStdString(model.file.string())
                                : QStringLiteral("sample:") + QString::fromStdString(model.sample);
}

QStringList recipeWords(const Recipe& recipe);

/// `--level ...` where that says it all, else the whole recipe, and what it runs on.
QStringList recipeWords(const ModelSource& model) {
    if (!model.recipe) return sessionWords(false);  // which the command line would fuse
    Recipe recipe = *model.recipe;
    QStringList on;
    if (recipe.runs_on) on = runsOnWords(*recipe.runs_on);
    const bool theirs = recipe.runsInOtherEngine();
    recipe.runs_on.reset();
    if (!theirs) on << recipeWords(recipe);
    else on << QStringLiteral("--level") << text(name_of(recipe.level));
    return on;
}

QStringList recipeWords(const Recipe& recipe) {
    if (!recipe.enabled_passes.empty() || recipe.stop_after || !recipe.dimensions.empty() || recipe.quantization ||
        recipe.other_model)
        return {QStringLiteral("--recipe"), text(recipe_text(recipe))};
    QStringList words{QStringLiteral("--level"), text(name_of(recipe.level))};
    for (const std::string& pass : recipe.disabled_passes) words << QStringLiteral("--disable-pass") << text(pass);
    if (recipe.session_passes) words << sessionWords(*recipe.session_passes);
    return words;
}

QString joined(QStringList words) {
    for (QString& word : words) word = shellWord(word);
    return words.join(u' ');
}

QStringList settingWords(const RunSettings& settings) {
    QStringList words;
    if (settings.threads > 0) words << QStringLiteral("--intra") << QString::number(settings.threads);
    for (const auto& [name, size] : settings.dimensions)
        if (size > 0) words << QStringLiteral("--dim") << shellWord(QStringLiteral("%1=%2").arg(text(name)).arg(size));
    for (const auto& [name, file] : settings.given.files)
        words << QStringLiteral("--input") << shellWord(QStringLiteral("%1=%2").arg(text(name), text(file)));
    return words;
}

}  // namespace

QString profileCommand(const ModelSource& model, const RunSettings& settings) {
    if (!model.in_other_process() || settings.given.isText()) return {};  // no command takes a line of text
    QStringList words{QStringLiteral("lapidary-cli"), QStringLiteral("profile"), modelWord(model)};
    words << recipeWords(model) << QStringLiteral("--intra") << QString::number(settings.threads)
          << QStringLiteral("--runs") << QString::number(settings.repetitions) << QStringLiteral("--warmup")
          << QString::number(settings.warmups) << QStringLiteral("--seed") << QString::number(quint64(settings.seed));
    for (const auto& [name, size] : settings.dimensions)
        if (size > 0) words << QStringLiteral("--dim") << QStringLiteral("%1=%2").arg(text(name)).arg(size);
    for (const auto& [name, file] : settings.given.files)
        words << QStringLiteral("--input") << QStringLiteral("%1=%2").arg(text(name), text(file));
    for (const auto& [key, value] : settings.config)
        words << QStringLiteral("--config") << QStringLiteral("%1=%2").arg(text(key), text(value));
    return joined(words);
}

QString bisectCommand(const ModelSource& model, const Recipe& recipe, const GuardOptions& options) {
    if (!model.in_other_process()) return {};
    QStringList words{QStringLiteral("lapidary-cli"), QStringLiteral("bisect"), modelWord(model),
                      QStringLiteral("--level"), text(name_of(recipe.level))};
    for (const std::string& pass : recipe.disabled_passes) words << QStringLiteral("--disable-pass") << text(pass);
    for (const std::string& pass : recipe.enabled_passes) words << QStringLiteral("--enable-pass") << text(pass);
    if (recipe.session_passes) words << sessionWords(*recipe.session_passes);
    words << QStringLiteral("--rtol") << QString::number(options.tolerance.rtol) << QStringLiteral("--atol")
          << QString::number(options.tolerance.atol);
    words << QStringLiteral("--seed") << QString::number(quint64(options.seeds.empty() ? 0 : options.seeds.front()));
    for (const auto& [name, size] : options.dimensions)
        words << QStringLiteral("--dim") << QStringLiteral("%1=%2").arg(text(name)).arg(size);
    if (options.threads > 0) words << QStringLiteral("--intra") << QString::number(options.threads);
    return joined(words);
}

QString comparisonCommand(const ModelSource& source, const Variant& a, const Variant& b, const RunSettings& settings) {
    if (!source.in_other_process() || settings.given.isText()) return {};
    const QString model = modelWord(source);
    const QStringList words = settingWords(settings);
    const auto line = [&](const QStringList& models) {
        return (QStringList{QStringLiteral("lapidary-cli"), QStringLiteral("compare")} + models + words).join(u' ');
    };
    // Each by itself: no command compares engines and devices.
    if (a.recipe.runs_on || b.recipe.runs_on) {
        QStringList lines;
        for (const auto* variant : {&a, &b}) {
            ModelSource side = source;
            if (!variant->isOriginal()) side.recipe = variant->recipe;
            lines << profileCommand(side, settings);
        }
        return lines.join(u'\n');
    }
    const auto plain = [](const Variant& v) { return v.isOriginal() || v.recipe.isPlainLevel(); };
    if (a.recipe.other_model || b.recipe.other_model) {  // two files, each as it is or at one level
        const auto isFile = [&](const Variant& v) { return v.recipe.isOtherAlone() || plain(v); };
        const auto word = [&](const Variant& v) {
            return shellWord(v.recipe.other_model ? text(v.recipe.other_model->file) : model);
        };
        if (isFile(a) && isFile(b))
            return line({word(a), word(b), QStringLiteral("--level"), text(name_of(a.recipe.level)),
                         QStringLiteral("--level"), text(name_of(b.recipe.level))});
    }
    if (plain(a) && plain(b))
        return line({shellWord(model), QStringLiteral("--level"), text(name_of(a.recipe.level)),
                     QStringLiteral("--level"), text(name_of(b.recipe.level))});
    QStringList lines, models;
    for (const auto* variant : {&a, &b}) {
        if (variant->isOriginal()) {
            models << shellWord(model);
            continue;
        }
        const QString file = QFileInfo(model).completeBaseName() +
                             (variant == &a ? QStringLiteral(".a.onnx") : QStringLiteral(".b.onnx"));
        lines << commandLine(variant->recipe, model, file);
        models << shellWord(file);
    }
    lines << line(models);
    return lines.join(u'\n');
}

}  // namespace lapidary::app
