// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/text/recipe.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QStringList>

#include "workbench/text/bounded_text.h"
#include "workbench/text/quantize_text.h"
#include "worker/protocol/runs_on.h"

namespace lapidary::app {
namespace {

constexpr qsizetype most_of_a_name = 40;
constexpr std::size_t most_named = 8;

}  // namespace

QString toJson(const Recipe& recipe) { return QString::fromStdString(recipe_text(recipe)); }
Recipe recipeFromJson(const QString& source) { return parse_recipe(source.toStdString()); }

QString nameOf(Level level) {
    switch (level) {
    case Level::disabled: return QCoreApplication::translate("Recipe", "Disabled");
    case Level::basic: return QCoreApplication::translate("Recipe", "Basic");
    case Level::extended: return QCoreApplication::translate("Recipe", "Extended");
    case Level::session: return QCoreApplication::translate("Recipe", "Session");
    case Level::all: break;
    }
    return QCoreApplication::translate("Recipe", "All");
}

Recipe onnxRuntimeRecipe() {
    Recipe recipe;
    recipe.level = Level::all;
    recipe.runs_on.emplace().onnxruntime = true;
    return recipe;
}

QString nameOf(const RunsOn& on) {
    QStringList providers;
    for (const ProviderChoice& choice : on.providers)
        providers << labelText(choice.name, most_of_a_name);
    const QString list = providers.join(QStringLiteral(", "));
    if (on.plugin_engine) return labelText(on.plugin_engine->name, most_of_a_name);
    if (on.compute != Compute::exact)
        return QCoreApplication::translate("Recipe", "CPU, weights in %1")
            .arg(exactText(name_of(on.compute)));
    if (!on.onnxruntime) return list.isEmpty() ? QStringLiteral("CPU") : list;
    return list.isEmpty() ? QStringLiteral("ONNX Runtime")
                          : QCoreApplication::translate("Recipe", "ONNX Runtime with %1").arg(list);
}

QStringList runsOnWords(const RunsOn& on) {
    QStringList words;
    if (on.onnxruntime) words << QStringLiteral("--engine") << QStringLiteral("onnxruntime");
    if (on.plugin_engine)
        words << QStringLiteral("--engine") << exactText(text_of(*on.plugin_engine));
    if (!on.place.empty()) words << QStringLiteral("--onnxruntime") << exactText(on.place.string());
    for (const ProviderChoice& choice : on.providers)
        words << QStringLiteral("--provider") << exactText(text_of(choice));
    if (on.compute != Compute::exact)
        words << QStringLiteral("--compute") << exactText(name_of(on.compute));
    if (on.fallback != Fallback::allow)
        words << QStringLiteral("--fallback")
              << (on.fallback == Fallback::forbid ? QStringLiteral("forbid")
                                                  : QStringLiteral("shapes"));
    return words;
}

QString runNameOf(const Recipe& recipe) {
    if (recipe.level) return nameOf(recipe);
    return QCoreApplication::translate("Recipe", "%1, run at level %2")
        .arg(nameOf(recipe), exactText(name_of(recipe.runLevel())));
}

QString nameOf(const Recipe& recipe) {
    QString name =
        recipe.level ? nameOf(*recipe.level) : QCoreApplication::translate("Recipe", "Original");
    QString base;  // what the level is applied to, if that is not the model as opened
    if (recipe.quantization) base = nameOf(recipe.quantization->options);
    else if (recipe.other_model)
        base = labelText(QFileInfo(exactText(recipe.other_model->file)).fileName(), most_of_a_name);
    if (!base.isEmpty()) name = recipe.level ? base + QStringLiteral(" · ") + name : base;
    const auto off = recipe.disabled_passes.size(), on = recipe.enabled_passes.size();
    if (off > 0)
        name += off == 1 ? QCoreApplication::translate("Recipe", " without ") +
                               labelText(recipe.disabled_passes.front(), most_of_a_name)
                         : QCoreApplication::translate("Recipe", " without %1 passes").arg(off);
    if (on > 0)
        name += on == 1 ? QCoreApplication::translate("Recipe", " with ") +
                              labelText(recipe.enabled_passes.front(), most_of_a_name)
                        : QCoreApplication::translate("Recipe", " with %1 more passes").arg(on);
    if (recipe.stop_after)
        name += QCoreApplication::translate("Recipe", ", first %n rewrite(s)", nullptr,
                                            int(*recipe.stop_after));
    if (recipe.session_passes)
        name += *recipe.session_passes
                    ? QCoreApplication::translate("Recipe", ", nodes fused")
                    : QCoreApplication::translate("Recipe", ", one kernel per node");
    std::size_t named = 0;
    for (const auto& [dimension, size] : recipe.dimensions) {
        if (++named > most_named) {
            name += QStringLiteral(", …");
            break;
        }
        name += QStringLiteral(", %1=%2").arg(labelText(dimension, most_of_a_name)).arg(size);
    }
    if (recipe.runs_on)
        name = recipe.runsInOtherEngine() ? nameOf(*recipe.runs_on) + QStringLiteral(" · ") + name
                                          : QCoreApplication::translate("Recipe", "%1 on %2")
                                                .arg(name, nameOf(*recipe.runs_on));
    return name;
}

QString fileNameOf(const Recipe& recipe, const QString& title) {
    const QString of = recipe.other_model ? exactText(recipe.other_model->file) : title;
    QStringList parts{QFileInfo(of).completeBaseName()};
    if (recipe.quantization) parts << wordOf(recipe.quantization->options);
    else if (!recipe.isOtherAlone())
        parts << exactText(name_of(recipe.level.value_or(Level::disabled)));
    return parts.join(u'.') + QStringLiteral(".onnx");
}

QStringList sessionWords(bool fused) {
    return {QStringLiteral("--session-passes"),
            fused ? QStringLiteral("on") : QStringLiteral("off")};
}

QString commandLine(const Recipe& recipe, const QString& model, const QString& output,
                    const QStringList& extra) {
    if (recipe.other_model) {
        Recipe rest = recipe;
        rest.other_model.reset();
        QStringList more = extra;
        if (const std::int64_t block = recipe.other_model->channel_block; block != 0)
            more << QStringLiteral("--channel-block") << QString::number(block);
        return commandLine(rest, exactText(recipe.other_model->file), output, more);
    }
    if (recipe.quantization) {  // quantizes first; the rest is applied to the result
        const bool alone = recipe.isQuantizedAlone() && extra.isEmpty();
        QStringList words = quantizeWords(
            *recipe.quantization, model,
            alone ? output : QFileInfo(output).completeBaseName() + QStringLiteral(".qdq.onnx"));
        const QString between = words[4];
        for (QString& word : words) word = shellWord(word);
        if (alone) return words.join(u' ');
        Recipe rest = recipe;
        rest.quantization.reset();
        return words.join(u' ') + u'\n' + commandLine(rest, between, output, extra);
    }
    QStringList words{QStringLiteral("lapidary-cli"),
                      QStringLiteral("optimize"),
                      model,
                      QStringLiteral("-o"),
                      output,
                      QStringLiteral("--level"),
                      exactText(name_of(recipe.level.value_or(Level::disabled)))};
    for (const std::string& pass : recipe.disabled_passes)
        words << QStringLiteral("--disable-pass") << exactText(pass);
    for (const std::string& pass : recipe.enabled_passes)
        words << QStringLiteral("--enable-pass") << exactText(pass);
    if (recipe.session_passes) words << sessionWords(*recipe.session_passes);
    if (recipe.stop_after)
        words << QStringLiteral("--stop-after") << QString::number(*recipe.stop_after);
    for (const auto& [name, size] : recipe.dimensions)
        words << QStringLiteral("--dim") << QStringLiteral("%1=%2").arg(exactText(name)).arg(size);
    if (recipe.runsInOtherEngine()) words << runsOnWords(*recipe.runs_on);
    words << extra;
    for (QString& word : words) word = shellWord(word);
    return words.join(u' ');
}

}  // namespace lapidary::app
