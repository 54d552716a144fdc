// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QString>

namespace lapidary::views {

enum class AdviceSeverity { important, useful, minor };

/// What the advisor says of one check besides what it found.
struct AdviceText {
    AdviceSeverity severity = AdviceSeverity::useful;
    QString title, why, how, button;
    int order = 0;
};

/// resources/advice.json in the language of `locale`; English where that is missing. By id.
QHash<QString, AdviceText> loadAdviceTexts(const QString& locale);

}  // namespace lapidary::views
