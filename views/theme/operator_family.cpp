// SPDX-License-Identifier: GPL-3.0-or-later
// Which family an operator belongs to, and the family's colour.
#include <QCoreApplication>

#include "theme/theme.h"

namespace lapidary::views {
namespace {

struct FamilyColors {
    QRgb light, dark;
};

/// Any two colours of a theme can be distinguished (CIEDE2000 of at least 10), also by people with
/// colour blindness, and their contrast with the canvas is about 3.
/// tests/views/widgets/color_vision_test.cpp checks this.
FamilyColors colors_of(OperatorFamily family) {
    switch (family) {
    case OperatorFamily::convolution: return {0xff026cff, 0xff7fa2ff};
    case OperatorFamily::matrix: return {0xff6b47b8, 0xff8d71dc};
    case OperatorFamily::normalization: return {0xff1f8373, 0xff4ab897};
    case OperatorFamily::activation: return {0xffac6313, 0xffe79546};
    case OperatorFamily::arithmetic: return {0xffba8b00, 0xfff6cc47};
    case OperatorFamily::reduction: return {0xff648d52, 0xff8ecb85};
    case OperatorFamily::movement: return {0xff808698, 0xff97a4bc};
    case OperatorFamily::recurrent: return {0xffe13989, 0xffbe6e95};
    case OperatorFamily::quantization: return {0xff1598cc, 0xff69d2fb};
    case OperatorFamily::control: return {0xffaa3432, 0xffe66361};
    case OperatorFamily::other: break;
    }
    return {0xff535964, 0xffc0c4cd};
}

}  // namespace

OperatorFamily operatorFamily(const QString& op) { return family_of(op.toStdString()); }

QString withoutDomain(const QString& op) {
    const qsizetype colon = op.lastIndexOf(QLatin1String("::"));
    if (colon < 0) return op;
    const bool isBlocked = op.startsWith(QLatin1String("com.microsoft.nchwc::"));
    return isBlocked ? op.mid(colon + 2) + QStringLiteral(" (NCHWc)") : op.mid(colon + 2);
}

QString nameOf(OperatorFamily family) {
    const char* name = QT_TRANSLATE_NOOP("OperatorFamily", "Other");
    switch (family) {
    case OperatorFamily::convolution:
        name = QT_TRANSLATE_NOOP("OperatorFamily", "Convolution");
        break;
    case OperatorFamily::matrix:
        name = QT_TRANSLATE_NOOP("OperatorFamily", "Matrix product");
        break;
    case OperatorFamily::normalization:
        name = QT_TRANSLATE_NOOP("OperatorFamily", "Normalization");
        break;
    case OperatorFamily::activation:
        name = QT_TRANSLATE_NOOP("OperatorFamily", "Activation");
        break;
    case OperatorFamily::arithmetic:
        name = QT_TRANSLATE_NOOP("OperatorFamily", "Arithmetic");
        break;
    case OperatorFamily::reduction:
        name = QT_TRANSLATE_NOOP("OperatorFamily", "Reduction and pooling");
        break;
    case OperatorFamily::movement:
        name = QT_TRANSLATE_NOOP("OperatorFamily", "Data movement");
        break;
    case OperatorFamily::recurrent:
        name = QT_TRANSLATE_NOOP("OperatorFamily", "Recurrent and signal");
        break;
    case OperatorFamily::quantization:
        name = QT_TRANSLATE_NOOP("OperatorFamily", "Quantization");
        break;
    case OperatorFamily::control: name = QT_TRANSLATE_NOOP("OperatorFamily", "Control flow"); break;
    case OperatorFamily::other: break;
    }
    return QCoreApplication::translate("OperatorFamily", name);
}

QColor operatorColor(OperatorFamily family, const QPalette& palette) {
    const FamilyColors colors = colors_of(family);
    return QColor(isDark(palette) ? colors.dark : colors.light);
}

QColor operatorColor(const QString& op, const QPalette& palette) {
    return operatorColor(operatorFamily(op), palette);
}

}  // namespace lapidary::views
