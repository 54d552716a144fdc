// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/recipe.h"

#include <QCoreApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QStringList>

#include <algorithm>

#include <lapidary/error.h>

namespace lapidary::app {
namespace {

QString text(std::string_view s) { return QString::fromUtf8(s.data(), static_cast<qsizetype>(s.size())); }
QString tr(const char* s) { return QCoreApplication::translate("Recipe", s); }

void include(std::vector<std::string>& names, std::string_view name, bool listed) {
    const auto at = std::lower_bound(names.begin(), names.end(), name);
    const bool there = at != names.end() && *at == name;
    if (listed && !there) names.insert(at, std::string(name));
    if (!listed && there) names.erase(at);
}

QJsonArray array(const std::vector<std::string>& names) {
    QJsonArray list;
    for (const std::string& name : names) list.append(text(name));
    return list;
}

std::vector<std::string> names(const QJsonValue& value, const char* member) {
    std::vector<std::string> result;
    if (value.isUndefined()) return result;
    if (!value.isArray()) fail(ErrorCode::invalid_input, std::string("recipe: \"") + member + "\" must be a list of pass names");
    for (const QJsonValue& name : value.toArray()) {
        if (!name.isString()) fail(ErrorCode::invalid_input, std::string("recipe: \"") + member + "\" must hold strings only");
        result.push_back(name.toString().toStdString());
    }
    std::sort(result.begin(), result.end());
    return result;
}

}  // namespace

void Recipe::setPass(const PassInfo& pass, bool on) {
    include(disabled_passes, pass.name, pass.on_by_default && !on);
    include(enabled_passes, pass.name, !pass.on_by_default && on);
}

bool Recipe::isOn(const PassInfo& pass) const {
    const auto& names = pass.on_by_default ? disabled_passes : enabled_passes;
    return std::binary_search(names.begin(), names.end(), pass.name) != pass.on_by_default;
}

OptimizeOptions Recipe::options() const {
    OptimizeOptions options;
    options.level = level;
    options.disabled_passes = disabled_passes;
    options.enabled_passes = enabled_passes;
    options.stop_after = stop_after;
    options.free_dimensions = dimensions;
    return options;
}

QString toJson(const Recipe& recipe) {
    QJsonObject object;
    object[QStringLiteral("level")] = text(name_of(recipe.level));
    if (!recipe.disabled_passes.empty()) object[QStringLiteral("disabled_passes")] = array(recipe.disabled_passes);
    if (!recipe.enabled_passes.empty()) object[QStringLiteral("enabled_passes")] = array(recipe.enabled_passes);
    if (recipe.stop_after) object[QStringLiteral("stop_after")] = static_cast<qint64>(*recipe.stop_after);
    if (!recipe.dimensions.empty()) {
        QJsonObject dimensions;
        for (const auto& [name, size] : recipe.dimensions) dimensions[text(name)] = static_cast<qint64>(size);
        object[QStringLiteral("dimensions")] = dimensions;
    }
    return QString::fromUtf8(QJsonDocument(object).toJson(QJsonDocument::Compact));
}

Recipe recipeFromJson(const QString& source) {
    QJsonParseError problem;
    const QJsonDocument document = QJsonDocument::fromJson(source.toUtf8(), &problem);
    if (!document.isObject()) fail(ErrorCode::invalid_input, "recipe: " + problem.errorString().toStdString());
    const QJsonObject object = document.object();
    Recipe recipe;
    const std::string level = object[QStringLiteral("level")].toString().toStdString();
    const auto known = level_from_name(level);
    if (!known) fail(ErrorCode::invalid_input, "recipe: \"level\" must be disabled, basic, extended or all, found \"" + level + "\"");
    recipe.level = *known;
    recipe.disabled_passes = names(object[QStringLiteral("disabled_passes")], "disabled_passes");
    recipe.enabled_passes = names(object[QStringLiteral("enabled_passes")], "enabled_passes");
    if (const QJsonValue stop = object[QStringLiteral("stop_after")]; !stop.isUndefined()) {
        if (!stop.isDouble() || stop.toDouble() < 0) fail(ErrorCode::invalid_input, "recipe: \"stop_after\" must be a number of rewrites");
        recipe.stop_after = static_cast<std::size_t>(stop.toInteger());
    }
    const QJsonObject dimensions = object[QStringLiteral("dimensions")].toObject();
    for (auto it = dimensions.begin(); it != dimensions.end(); ++it) recipe.dimensions[it.key().toStdString()] = it.value().toInteger();
    return recipe;
}

QString nameOf(Level level) {
    switch (level) {
    case Level::disabled: return tr("Original");
    case Level::basic: return tr("Basic");
    case Level::extended: return tr("Extended");
    case Level::all: break;
    }
    return tr("All");
}

QString nameOf(const Recipe& recipe) {
    QString name = nameOf(recipe.level);
    const auto off = recipe.disabled_passes.size(), on = recipe.enabled_passes.size();
    if (off > 0) name += off == 1 ? tr(" without ") + text(recipe.disabled_passes.front()) : tr(" without %1 passes").arg(off);
    if (on > 0) name += on == 1 ? tr(" with ") + text(recipe.enabled_passes.front()) : tr(" with %1 more passes").arg(on);
    if (recipe.stop_after) name += tr(", first %1 rewrites").arg(*recipe.stop_after);
    for (const auto& [dimension, size] : recipe.dimensions) name += QStringLiteral(", %1=%2").arg(text(dimension)).arg(size);
    return name;
}

QString shellWord(const QString& word) {
    const bool plain = !word.isEmpty() && std::all_of(word.begin(), word.end(), [](QChar c) {
        return c.unicode() < 128 ? c.isLetterOrNumber() || QStringLiteral("_-./=:,+@%").contains(c) : c.isLetterOrNumber();
    });
    if (plain) return word;
    QString quoted = word;
    return u'\'' + quoted.replace(u'\'', QStringLiteral("'\\''")) + u'\'';
}

QString commandLine(const Recipe& recipe, const QString& model, const QString& output, const QStringList& extra) {
    QStringList words{QStringLiteral("lapidary-cli"), QStringLiteral("optimize"), model, QStringLiteral("-o"), output,
                      QStringLiteral("--level"), text(name_of(recipe.level))};
    for (const std::string& pass : recipe.disabled_passes) words << QStringLiteral("--disable-pass") << text(pass);
    for (const std::string& pass : recipe.enabled_passes) words << QStringLiteral("--enable-pass") << text(pass);
    if (recipe.stop_after) words << QStringLiteral("--stop-after") << QString::number(*recipe.stop_after);
    for (const auto& [name, size] : recipe.dimensions) words << QStringLiteral("--dim") << QStringLiteral("%1=%2").arg(text(name)).arg(size);
    words << extra;
    for (QString& word : words) word = shellWord(word);
    return words.join(u' ');
}

}  // namespace lapidary::app
