// SPDX-License-Identifier: GPL-3.0-or-later
// Which family an operator belongs to, and the family's colour.
#include <QCoreApplication>

#include "theme/theme.h"

namespace lapidary::views {
namespace {

struct FamilyColors {
    QRgb light, dark;
};

/// Chosen apart in hue and lightness (after Okabe and Ito), dark enough for white or black labels.
FamilyColors colors_of(OperatorFamily family) {
    switch (family) {
    case OperatorFamily::convolution: return {0xff3b6fd4, 0xff6b97f0};
    case OperatorFamily::matrix: return {0xff7a4fc9, 0xffa583ee};
    case OperatorFamily::normalization: return {0xff12887a, 0xff45c0b0};
    case OperatorFamily::activation: return {0xffd9730d, 0xfff29a4a};
    case OperatorFamily::arithmetic: return {0xffb58a00, 0xffe0bb45};
    case OperatorFamily::reduction: return {0xff3f8f3a, 0xff77c271};
    case OperatorFamily::movement: return {0xff7d8597, 0xff98a1b5};
    case OperatorFamily::recurrent: return {0xffc2417c, 0xffec7fb0};
    case OperatorFamily::quantization: return {0xff0f8fc2, 0xff55bfe8};
    case OperatorFamily::control: return {0xffb3403a, 0xffec807a};
    case OperatorFamily::other: break;
    }
    return {0xff5e6675, 0xffb7bdca};
}

}  // namespace

OperatorFamily operatorFamily(const QString& op) {
    return family_of(op.toStdString());
}

QString withoutDomain(const QString& op) {
    const qsizetype colon = op.lastIndexOf(QLatin1String("::"));
    if (colon < 0) return op;
    const bool isBlocked = op.startsWith(QLatin1String("com.microsoft.nchwc::"));
    return isBlocked ? op.mid(colon + 2) + QStringLiteral(" (NCHWc)") : op.mid(colon + 2);
}

QString nameOf(OperatorFamily family) {
    const char* name = QT_TRANSLATE_NOOP("OperatorFamily", "Other");
    switch (family) {
    case OperatorFamily::convolution: name = QT_TRANSLATE_NOOP("OperatorFamily", "Convolution"); break;
    case OperatorFamily::matrix: name = QT_TRANSLATE_NOOP("OperatorFamily", "Matrix product"); break;
    case OperatorFamily::normalization: name = QT_TRANSLATE_NOOP("OperatorFamily", "Normalization"); break;
    case OperatorFamily::activation: name = QT_TRANSLATE_NOOP("OperatorFamily", "Activation"); break;
    case OperatorFamily::arithmetic: name = QT_TRANSLATE_NOOP("OperatorFamily", "Arithmetic"); break;
    case OperatorFamily::reduction: name = QT_TRANSLATE_NOOP("OperatorFamily", "Reduction and pooling"); break;
    case OperatorFamily::movement: name = QT_TRANSLATE_NOOP("OperatorFamily", "Data movement"); break;
    case OperatorFamily::recurrent: name = QT_TRANSLATE_NOOP("OperatorFamily", "Recurrent and signal"); break;
    case OperatorFamily::quantization: name = QT_TRANSLATE_NOOP("OperatorFamily", "Quantization"); break;
    case OperatorFamily::control: name = QT_TRANSLATE_NOOP("OperatorFamily", "Control flow"); break;
    case OperatorFamily::other: break;
    }
    return QCoreApplication::translate("OperatorFamily", name);
}

QColor operatorColor(OperatorFamily family, const QPalette& palette) {
    const FamilyColors colors = colors_of(family);
    return QColor(isDark(palette) ? colors.dark : colors.light);
}

QColor operatorColor(const QString& op, const QPalette& palette) { return operatorColor(operatorFamily(op), palette); }

}  // namespace lapidary::views
