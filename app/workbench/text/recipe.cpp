// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/text/recipe.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QStringList>

#include <algorithm>

#include <lapidary/edit/edit_script.h>

#include "workbench/text/bounded_text.h"
#include "workbench/text/quantize_text.h"
#include "worker/protocol/runs_on.h"

namespace lapidary::app {
namespace {

constexpr qsizetype most_of_a_name = 40;
constexpr std::size_t most_named = 8;

/// Tells edited variants apart by the last line of a script and how many others there are.
struct LastLine {
    QString text;
    int others = -1;  // -1: there is no line
};

LastLine lastLineOf(std::string_view script) {
    std::string_view last;
    LastLine found;
    while (!script.empty()) {
        const std::size_t end = std::min(script.find('\n'), script.size());
        std::string_view line = script.substr(0, end);
        script.remove_prefix(std::min(end + 1, script.size()));
        line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
        if (line.empty() || line.front() == '#' || line == "\r") continue;
        last = line;
        ++found.others;
    }
    found.text = labelText(last, most_of_a_name);
    return found;
}

/// "edited: delete relu_1 (+2)".
QString nameOfEdits(std::string_view script) {
    const auto [text, others] = lastLineOf(script);
    if (others < 0) return QCoreApplication::translate("Recipe", "edited");
    return others == 0 ? QCoreApplication::translate("Recipe", "edited: %1").arg(text)
                       : QCoreApplication::translate("Recipe", "edited: %1 (+%2)")
                             .arg(text, QString::number(others));
}

/// "then edited: delete relu_1 (+2)", of lines after a level.
QString nameOfEditsAfter(std::string_view script) {
    const auto [text, others] = lastLineOf(script);
    return others <= 0 ? QCoreApplication::translate("Recipe", "then edited: %1").arg(text)
                       : QCoreApplication::translate("Recipe", "then edited: %1 (+%2)")
                             .arg(text, QString::number(others));
}

/// Edited, without a level or quantization whose name would stand first.
bool isNamedAfterEdits(const Recipe& recipe) {
    return !recipe.edits.empty() && !recipe.level && !recipe.quantization;
}

}  // namespace

QString toJson(const Recipe& recipe) { return QString::fromStdString(recipe_text(recipe)); }
Recipe recipeFromJson(const QString& source) { return parse_recipe(source.toStdString()); }

QString nameOf(Level level) {
    switch (level) {
    case Level::disabled: return QCoreApplication::translate("Recipe", "Disabled");
    case Level::basic: return QCoreApplication::translate("Recipe", "Basic");
    case Level::extended: return QCoreApplication::translate("Recipe", "Extended");
    case Level::session: return QCoreApplication::translate("Recipe", "Session");
    case Level::user: return QCoreApplication::translate("Recipe", "User");
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
        .arg(nameOf(recipe), nameOf(recipe.runLevel()));
}

QString nameOf(const Recipe& recipe) {
    QString name =
        recipe.level ? nameOf(*recipe.level) : QCoreApplication::translate("Recipe", "Original");
    QStringList base;  // what the level is applied to, if that is not the model as opened
    if (recipe.other_model)
        base << labelText(QFileInfo(exactText(recipe.other_model->file)).fileName(),
                          most_of_a_name);
    // edits stand last: a list that is cut shows the level first
    const bool beginsWithEdits = isNamedAfterEdits(recipe);
    if (beginsWithEdits) base << nameOfEdits(recipe.edits);
    if (recipe.quantization) base << nameOf(recipe.quantization->options);
    if (!base.isEmpty() && !recipe.level) name = base.join(QStringLiteral(" · "));
    else if (!base.isEmpty()) name = (base << name).join(QStringLiteral(" · "));
    const auto off = recipe.disabled_passes.size(), on = recipe.enabled_passes.size();
    if (off > 0)
        name += off == 1 ? QCoreApplication::translate("Recipe", " without ") +
                               labelText(recipe.disabled_passes.front(), most_of_a_name)
                         : QCoreApplication::translate("Recipe", " without %1 passes").arg(off);
    if (on > 0)
        name += on == 1 ? QCoreApplication::translate("Recipe", " with ") +
                              labelText(recipe.enabled_passes.front(), most_of_a_name)
                        : QCoreApplication::translate("Recipe", " with %1 more passes").arg(on);
    if (recipe.rules.size() == 1)
        name += QCoreApplication::translate("Recipe", ", rules of %1")
                    .arg(labelText(QFileInfo(exactText(recipe.rules.front().file)).fileName(),
                                   most_of_a_name));
    else if (!recipe.rules.empty())
        name +=
            QCoreApplication::translate("Recipe", ", rules of %1 files").arg(recipe.rules.size());
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
    if (!recipe.edits.empty() && !beginsWithEdits)
        name += QStringLiteral(" · ") + nameOfEdits(recipe.edits);
    if (!recipe.edits_after.empty())
        name += QStringLiteral(" · ") + nameOfEditsAfter(recipe.edits_after);
    return name;
}

QString fileNameOf(const Recipe& recipe, const QString& title) {
    const QString of = recipe.other_model ? exactText(recipe.other_model->file) : title;
    QStringList parts{QFileInfo(of).completeBaseName()};
    if (!recipe.edits.empty()) parts << QStringLiteral("edited");
    if (recipe.quantization) parts << wordOf(recipe.quantization->options);
    else if (!recipe.isBase()) parts << exactText(name_of(recipe.level.value_or(Level::disabled)));
    if (!recipe.edits_after.empty()) parts << QStringLiteral("edited");
    return parts.join(u'.') + QStringLiteral(".onnx");
}

QStringList sessionWords(bool fused) {
    return {QStringLiteral("--session-passes"),
            fused ? QStringLiteral("on") : QStringLiteral("off")};
}

QStringList ruleWords(const Recipe& recipe) {
    QStringList words;
    for (const RuleText& rules : recipe.rules)
        words << QStringLiteral("--rules") << exactText(rules.file);
    return words;
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
    if (!recipe.edits.empty()) {  // edits first; the rest is applied to the result
        Recipe rest = recipe;
        rest.edits.clear();
        const bool alone = rest.isOriginal() && extra.isEmpty();
        const QString between =
            QFileInfo(output).completeBaseName() + QStringLiteral(".edited.onnx");
        QStringList words{QStringLiteral("lapidary-cli"), QStringLiteral("edit"), model};
        for (const EditLine& line : parse_edit_script(recipe.edits).lines)
            words << QStringLiteral("-e") << exactText(line.text);
        words << QStringLiteral("-o") << (alone ? output : between);
        for (QString& word : words) word = shellWord(word);
        if (alone) return words.join(u' ');
        return words.join(u' ') + u'\n' + commandLine(rest, between, output, extra);
    }
    if (recipe.quantization) {  // then quantizes; the rest is applied to the result
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
    words << ruleWords(recipe);
    if (recipe.session_passes) words << sessionWords(*recipe.session_passes);
    if (recipe.stop_after)
        words << QStringLiteral("--stop-after") << QString::number(*recipe.stop_after);
    for (const auto& [name, size] : recipe.dimensions)
        words << QStringLiteral("--dim") << QStringLiteral("%1=%2").arg(exactText(name)).arg(size);
    if (recipe.runsInOtherEngine()) words << runsOnWords(*recipe.runs_on);
    for (const EditLine& line : parse_edit_script(recipe.edits_after).lines)
        words << QStringLiteral("--edit-after") << exactText(line.text);
    words << extra;
    for (QString& word : words) word = shellWord(word);
    return words.join(u' ');
}

}  // namespace lapidary::app
