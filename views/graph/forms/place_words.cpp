// SPDX-License-Identifier: GPL-3.0-or-later
#include "graph/forms/place_words.h"

#include <QCoreApplication>
#include <QHash>
#include <QRegularExpression>

#include <utility>

#include "graph/forms/form_parts.h"
#include "workbench/text/bounded_text.h"

namespace lapidary::views {
namespace {

class PlaceWords {
    Q_DECLARE_TR_FUNCTIONS(PlaceWords)
public:
    static QString titleOf(const QString& place) {
        const QHash<QString, QString> titles{
            {QStringLiteral("NODE"), tr("Node")},
            {QStringLiteral("NODES"), tr("Nodes")},
            {QStringLiteral("VALUE"), tr("Value")},
            {QStringLiteral("VALUES"), tr("Values")},
            {QStringLiteral("PLACE"), tr("Place")},
            {QStringLiteral("OPERATOR"), tr("Operator")},
            {QStringLiteral("NAME"), tr("Name")},
            {QStringLiteral("NAMES"), tr("Names")},
            {QStringLiteral("FILE"), tr("File")},
            {QStringLiteral("FIRST"), tr("File of the first part")},
            {QStringLiteral("SECOND"), tr("File of the second part")},
            {QStringLiteral("ATTRIBUTE"), tr("Attribute")},
            {QStringLiteral("TEXT"), tr("Text")},
            {QStringLiteral("FROM"), tr("From")},
            {QStringLiteral("TO"), tr("To")},
            {QStringLiteral("INPUT"), tr("Input")},
            {QStringLiteral("INPUTS"), tr("Inputs")},
            {QStringLiteral("OUTPUTS"), tr("Outputs")},
            {QStringLiteral("SIZE"), tr("Size")},
            {QStringLiteral("VERSION"), tr("Opset")},
            {QStringLiteral("TYPE"), tr("Type")},
            {QStringLiteral("VALUE_OR_FILE"), tr("Value or file")},
            {QStringLiteral("AXES"), tr("Order of axes")},
            {QStringLiteral("AXIS"), tr("Axis")},
            {QStringLiteral("DIMENSION"), tr("Dimension")},
            {QStringLiteral("PREFIX"), tr("Prefix")},
            {QStringLiteral("PAIRS"), tr("Pairs")},
            {QStringLiteral("MEAN"), tr("Mean")},
            {QStringLiteral("DEVIATION"), tr("Deviation")},
            {QStringLiteral("COUNT"), tr("Count")},
            {QStringLiteral("BOXES"), tr("Boxes")},
            {QStringLiteral("SCORES"), tr("Scores")},
            {QStringLiteral("OVERLAP"), tr("Overlap")},
            {QStringLiteral("SCORE"), tr("Least score")},
            {QStringLiteral("KEY"), tr("Key")},
            {QStringLiteral("BODY"), tr("Body")},
            {QStringLiteral("LABELS"), tr("File of labels")},
            {QStringLiteral("VOCABULARY"), tr("File of words")},
            {QStringLiteral("LENGTH"), tr("Length")},
            {QStringLiteral("PADDING"), tr("Word for padding")},
            {QStringLiteral("UNKNOWN"), tr("Word for unknown ones")},
            {QStringLiteral("SEPARATOR"), tr("Separator")},
            {QStringLiteral("LINE"), tr("Edit of the body")},
        };
        const auto found = titles.find(place);
        if (found != titles.end()) return *found;
        QString plain = labelText(place.toLower());
        plain.replace(u'_', u' ');
        return plain;
    }
    static QString bare() { return tr("Without a default"); }
    static QString lower() { return tr("In lower case"); }
    /// What the name is one of.
    static QString nameTitle(const QString& form, const QString& place) {
        const std::pair<const char*, QString> titles[] = {
            {"insert", tr("New name")},
            {"free", tr("New name")},
            {"replace", tr("Function")},
            {"in function", tr("Function")},
            {"dim", tr("Dimension")},
            {"constant", tr("Input")},
            {"input", tr("Constant")},
            {"weight", tr("Constant")},
            {"split", tr("Value")},
            {"remove input", tr("Inputs")},
            {"remove output", tr("Outputs")},
            {"keep outputs", tr("Outputs")},
            {"wrap NAME softmax", tr("Output")},
            {"wrap NAME topk", tr("Output")},
            {"wrap", tr("Input")},
        };
        for (const auto& [start, title] : titles)
            if (form.startsWith(QLatin1String(start))) return title;
        return titleOf(place);
    }
    static QString newName() { return tr("New name"); }
    static QString value() { return tr("Value"); }
    static QString where() { return tr("Where"); }
    static QString kind() { return tr("Kind"); }
    static QString branch() { return tr("Branch"); }
};

}  // namespace

QString placeTitle(const QString& form, const QString& place) {
    const QString verb = verbOf(form);
    if (place == QLatin1String("TO") && verb == QLatin1String("rename"))
        return PlaceWords::newName();
    if (place == QLatin1String("NAME") || place == QLatin1String("NAMES"))
        return PlaceWords::nameTitle(form, place);
    if (place == QLatin1String("TEXT") && verb == QLatin1String("set")) return PlaceWords::value();
    return PlaceWords::titleOf(place);
}

QString formHelp(const QString& form, QString help) {
    for (const FormGroup& group : formGroups(form))
        for (const FormPart& part : group.parts) {
            if (part.kind == FormPart::Kind::sign || part.kind == FormPart::Kind::choice) continue;
            for (const QString& place : part.words)
                help.replace(QRegularExpression(QStringLiteral("\\b%1\\b").arg(place)),
                             u'"' + placeTitle(form, place) + u'"');
        }
    return help.replace(u'`', u'"');
}

QString keywordTitle(const QString& keyword) {
    return keyword == QLatin1String("bare")    ? PlaceWords::bare()
           : keyword == QLatin1String("lower") ? PlaceWords::lower()
                                               : labelText(keyword);
}

QString choiceTitle(const QString& verb) {
    if (verb == QLatin1String("insert")) return PlaceWords::where();
    if (verb == QLatin1String("resolve")) return PlaceWords::branch();
    return PlaceWords::kind();
}

}  // namespace lapidary::views
