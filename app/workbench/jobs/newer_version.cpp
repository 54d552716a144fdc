// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/jobs/newer_version.h"

#include <QRegularExpression>
#include <QSettings>
#include <QVersionNumber>

#include <lapidary/base/error.h>
#include <lapidary/internal/text_file.h>

namespace lapidary::app {
namespace {

constexpr std::uint64_t most_bytes = std::uint64_t{4} << 20;

}  // namespace

NewerVersionSettings loadNewerVersionSettings() {
    const QSettings settings;
    return {settings.value(QStringLiteral("newerVersion/look"), false).toBool(),
            settings.value(QStringLiteral("newerVersion/file")).toString()};
}

void saveNewerVersionSettings(const NewerVersionSettings& chosen) {
    QSettings settings;
    settings.setValue(QStringLiteral("newerVersion/look"), chosen.look);
    settings.setValue(QStringLiteral("newerVersion/file"), chosen.file);
}

QString versionNamedBy(const QString& file) {
    const std::string text = load_text(file.toStdU16String(), most_bytes);
    static const QRegularExpression alone(
        QStringLiteral(R"(\A\s*v?(\d{1,6}\.\d{1,6}(?:\.\d{1,6})?)\s*(?:\n|\z))"));
    static const QRegularExpression heading(
        QStringLiteral(R"(^## v?(\d{1,6}\.\d{1,6}(?:\.\d{1,6})?)\b)"),
        QRegularExpression::MultilineOption);
    const QString whole = QString::fromUtf8(text.data(), qsizetype(text.size()));
    for (const QRegularExpression& form : {alone, heading})
        if (const auto match = form.match(whole); match.hasMatch()) return match.captured(1);
    fail_input(quote(file.toStdString()) +
               " names no version: expected one (\"0.2.0\") on its first line, or a changelog with "
               "\"## 0.2.0\"");
}

bool isNewer(const QString& named, const QString& own) {
    return QVersionNumber::fromString(named).normalized() >
           QVersionNumber::fromString(own).normalized();
}

}  // namespace lapidary::app
