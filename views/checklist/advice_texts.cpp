// SPDX-License-Identifier: GPL-3.0-or-later
#include "checklist/advice_texts.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

namespace lapidary::views {

QHash<QString, AdviceText> loadAdviceTexts(const QString& locale) {
    QFile file(QStringLiteral(":/advice.json"));
    QHash<QString, AdviceText> texts;
    if (!file.open(QIODevice::ReadOnly)) return texts;
    const QJsonArray checks = QJsonDocument::fromJson(file.readAll()).object()[QLatin1String("checks")].toArray();
    for (const QJsonValue& value : checks) {
        const QJsonObject check = value.toObject();
        const auto text = [&](const char* member) {
            const QJsonObject languages = check[QLatin1String(member)].toObject();
            for (const QString& language : {locale, locale.section(QLatin1Char('_'), 0, 0), QStringLiteral("en")})
                if (languages.contains(language)) return languages[language].toString();
            return QString();
        };
        const QString severity = check[QLatin1String("severity")].toString();
        texts.insert(check[QLatin1String("id")].toString(),
                     {severity == QLatin1String("important") ? AdviceSeverity::important
                      : severity == QLatin1String("minor")   ? AdviceSeverity::minor
                                                             : AdviceSeverity::useful,
                      text("title"), text("why"), text("how"), text("button"), int(texts.size())});
    }
    return texts;
}

}  // namespace lapidary::views
