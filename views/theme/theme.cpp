// SPDX-License-Identifier: GPL-3.0-or-later
#include "theme/theme.h"

#include <QApplication>
#include <QFontDatabase>
#include <QPainter>
#include <QProxyStyle>
#include <QStyleFactory>
#include <QStyleOption>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <utility>

// A static library's resources are linked only when named, and Q_INIT_RESOURCE must stand outside
// namespaces.
static void initLapidaryResources() { Q_INIT_RESOURCE(lapidary); }

namespace lapidary::views {
namespace {

ThemeChoice chosen = ThemeChoice::system;

// Outlines on dark windows: of fields, which have a contrast of 3 with them, and of panes and
// menus.
constexpr QColor dark_field_line{0x6f, 0x77, 0x8a};
constexpr QColor dark_frame_line{0x4a, 0x50, 0x5f};

QPalette makePalette(const QColor& window, const QColor& base, const QColor& alternate,
                     const QColor& text, const QColor& button, const QColor& highlight,
                     const QColor& link, const QColor& tip, const QColor& disabled,
                     const QColor& muted) {
    // lines around buttons: darker than light ones, lighter than dark ones
    const QColor line = button.lightness() < 128 ? button.lighter(190) : button.darker(125);
    QPalette palette(text, button, button.lighter(115), button.darker(135), line, text, Qt::white,
                     base, window);
    palette.setColor(QPalette::AlternateBase, alternate);
    palette.setColor(QPalette::Highlight, highlight);
    palette.setColor(QPalette::HighlightedText, Qt::white);
    palette.setColor(QPalette::Link, link);
    palette.setColor(QPalette::LinkVisited, link);
    palette.setColor(QPalette::ToolTipBase, tip);
    palette.setColor(QPalette::ToolTipText, text);
    palette.setColor(QPalette::PlaceholderText, muted);
    palette.setColor(QPalette::Shadow, QColor(0, 0, 0, 120));
    for (const auto role :
         {QPalette::WindowText, QPalette::Text, QPalette::ButtonText, QPalette::HighlightedText})
        palette.setColor(QPalette::Disabled, role, disabled);
    palette.setColor(QPalette::Disabled, QPalette::Highlight, button.darker(120));
    return palette;
}

const ThemeColors& lightColors() {
    static const ThemeColors colors{.canvas = QColor(0xfafbfd),
                                    .card = QColor(0xffffff),
                                    .border = QColor(0xd9dde6),
                                    .mutedText = QColor(0x555d6f),
                                    .accent = QColor(0x3b5bdb),
                                    .onAccent = Qt::white,
                                    .selection = QColor(0x3b, 0x5b, 0xdb, 48),
                                    .good = QColor(0x1f7a45),
                                    .warning = QColor(0x92600a),
                                    .error = QColor(0xb3261e),
                                    .goodFill = QColor(0xe4f5ea),
                                    .warningFill = QColor(0xfdf2d6),
                                    .errorFill = QColor(0xfce8e6),
                                    .infoFill = QColor(0xe7ecfd),
                                    .heat = QColor(0xf2, 0x8c, 0x28, 90)};
    return colors;
}

const ThemeColors& darkColors() {
    static const ThemeColors colors{.canvas = QColor(0x14161b),
                                    .card = QColor(0x23262f),
                                    .border = QColor(0x373c49),
                                    .mutedText = QColor(0xa3aabb),
                                    .accent = QColor(0x8da4ff),
                                    .onAccent = QColor(0x10131c),
                                    .selection = QColor(0x8d, 0xa4, 0xff, 56),
                                    .good = QColor(0x6fd398),
                                    .warning = QColor(0xf0c05a),
                                    .error = QColor(0xff8a80),
                                    .goodFill = QColor(0x1c3527),
                                    .warningFill = QColor(0x3a3019),
                                    .errorFill = QColor(0x44211f),
                                    .infoFill = QColor(0x232c4d),
                                    .heat = QColor(0xff, 0x9f, 0x43, 96)};
    return colors;
}

const QPalette& darkPalette() {
    static const QPalette palette =
        makePalette(QColor(0x1d2027), QColor(0x16181e), QColor(0x1b1e25), QColor(0xe4e7ee),
                    QColor(0x2a2e38), QColor(0x4563d8), QColor(0x93a9ff), QColor(0x2a2e38),
                    QColor(0x747b8c), darkColors().mutedText);
    return palette;
}

constexpr int arrow_room = 10, arrow_side = 7;  // of a button that opens a menu

/// Whether it is a button with a text that opens a menu wherever it is pressed.
bool hasArrowBesideText(const QStyleOption* option) {
    const auto* button = qstyleoption_cast<const QStyleOptionToolButton*>(option);
    return button && button->features.testFlag(QStyleOptionToolButton::HasMenu) &&
           !button->features.testFlag(QStyleOptionToolButton::MenuButtonPopup) &&
           button->toolButtonStyle != Qt::ToolButtonIconOnly && !button->text.isEmpty();
}

/// Fusion with flat toolbars and quiet separators. No style sheet does this: a change of one lays
/// every widget out again, which takes half a second in a window of this size.
class ThemeStyle : public QProxyStyle {
public:
    ThemeStyle() : QProxyStyle(QStyleFactory::create(QStringLiteral("Fusion"))) {}

    int pixelMetric(PixelMetric metric, const QStyleOption* option,
                    const QWidget* widget) const override {
        switch (metric) {
        case PM_ToolBarFrameWidth: return 0;
        case PM_ToolBarItemMargin:
        case PM_ToolBarItemSpacing:
            return widget && widget->objectName() == QLatin1String("railToolbar") ? 0 : 3;
        case PM_DockWidgetSeparatorExtent: return 5;
        case PM_TabBarTabHSpace:
            return widget && widget->property(compactTabs).toBool()
                       ? compactTabSpace
                       : QProxyStyle::pixelMetric(metric, option, widget);
        default: return QProxyStyle::pixelMetric(metric, option, widget);
        }
    }

    /// Titles of tabs like "部分(&P)" get room for the "&". When QTabBar cuts a title it counts
    /// this sign, which is not drawn, because Qt finds mnemonics only within text of one script.
    QRect subElementRect(SubElement element, const QStyleOption* option,
                         const QWidget* widget) const override {
        constexpr int rounding = 2;
        QRect place = QProxyStyle::subElementRect(element, option, widget);
        if (element != SE_TabBarTabText) return place;
        const auto* tab = qstyleoption_cast<const QStyleOptionTab*>(option);
        if (tab && tab->text.contains(QLatin1String("(&")))
            place.setWidth(place.width() + tab->fontMetrics.horizontalAdvance(u'&') + rounding);
        return place;
    }

    /// Buttons of dialogs have no icons, because Fusion's pixmaps look coarse on high-resolution
    /// screens.
    int styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                  QStyleHintReturn* data) const override {
        if (hint == SH_DialogButtonBox_ButtonsHaveIcons) return 0;
        return QProxyStyle::styleHint(hint, option, widget, data);
    }

    /// The signs of messages: Fusion's are pixmaps of one size, which look coarse on displays with
    /// several pixels per layout pixel. Its sign for a toolbar's further actions is black, which is
    /// invisible on dark toolbars.
    QIcon standardIcon(StandardPixmap sign, const QStyleOption* option,
                       const QWidget* widget) const override {
        switch (sign) {
        case SP_MessageBoxQuestion: return themedIcon(QStringLiteral("help"), &ThemeColors::accent);
        case SP_MessageBoxInformation:
            return themedIcon(QStringLiteral("info"), &ThemeColors::accent);
        case SP_MessageBoxWarning:
            return themedIcon(QStringLiteral("warning"), &ThemeColors::warning);
        case SP_MessageBoxCritical: return themedIcon(QStringLiteral("error"), &ThemeColors::error);
        case SP_ToolBarHorizontalExtensionButton: return themedIcon(QStringLiteral("more"));
        default: return QProxyStyle::standardIcon(sign, option, widget);
        }
    }

    void drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                     const QWidget* widget) const override {
        const ThemeColors& colors = themeColors(option->palette);
        if (element == CE_ToolBar) {
            if (widget && widget->objectName() == QLatin1String("mainToolbar"))
                painter->fillRect(
                    QRect(option->rect.left(), option->rect.bottom(), option->rect.width(), 1),
                    colors.border);
            return;
        }
        if (element == CE_Splitter && option->state.testFlag(State_MouseOver))
            return painter->fillRect(option->rect, colors.accent);
        if (element == CE_ToolButtonLabel && hasArrowBesideText(option)) {
            QStyleOptionToolButton label =
                *qstyleoption_cast<const QStyleOptionToolButton*>(option);
            label.rect =
                visualRect(label.direction, label.rect, label.rect.adjusted(0, 0, -arrow_room, 0));
            return QProxyStyle::drawControl(element, &label, painter, widget);
        }
        QProxyStyle::drawControl(element, option, painter, widget);
    }

    /// Room for the arrow of a button that opens a menu.
    QSize sizeFromContents(ContentsType type, const QStyleOption* option, const QSize& size,
                           const QWidget* widget) const override {
        QSize whole = QProxyStyle::sizeFromContents(type, option, size, widget);
        if (type == CT_ToolButton && hasArrowBesideText(option)) whole.rwidth() += arrow_room;
        return whole;
    }

    void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                       const QWidget* widget) const override {
        if (element == PE_IndicatorDockWidgetResizeHandle) {
            if (option->state.testFlag(State_MouseOver))
                painter->fillRect(option->rect, themeColors(option->palette).accent);
            return;
        }
        // In the corner, where Qt has it, it looks like a comma behind the text.
        if (element == PE_IndicatorArrowDown && widget && hasArrowBesideText(option)) {
            QStyleOption arrow = *option;
            const QRect button = widget->rect();
            arrow.rect =
                visualRect(option->direction, button,
                           QRect(button.right() - arrow_room,
                                 button.center().y() - arrow_side / 2 + 1, arrow_side, arrow_side));
            return QProxyStyle::drawPrimitive(element, &arrow, painter, widget);
        }
        QProxyStyle::drawPrimitive(element, option, painter, widget);
        if (!isDark(option->palette)) return;
        switch (element) {
        case PE_IndicatorCheckBox: return outline(*option, painter, darkColors().mutedText, 2);
        case PE_IndicatorRadioButton:
            return outline(*option, painter, darkColors().mutedText, option->rect.height() / 2.0);
        case PE_FrameLineEdit:
            if (!option->state.testFlag(State_HasFocus))
                outline(*option, painter, dark_field_line, 2);
            return;
        case PE_Frame:
        case PE_FrameMenu: return outline(*option, painter, dark_frame_line, 0);
        default: return;
        }
    }

    void drawComplexControl(ComplexControl control, const QStyleOptionComplex* option,
                            QPainter* painter, const QWidget* widget) const override {
        QProxyStyle::drawComplexControl(control, option, painter, widget);
        const auto* spin = qstyleoption_cast<const QStyleOptionSpinBox*>(option);
        if (control == CC_SpinBox && spin && spin->frame && isDark(option->palette) &&
            !option->state.testFlag(State_HasFocus))
            outline(*option, painter, dark_field_line, 2);
    }

private:
    /// Draws the outline of a control again in this colour: Fusion's is darker than the window,
    /// which is invisible on dark windows. Disabled controls have a fainter one.
    static void outline(const QStyleOption& option, QPainter* painter, QColor line, double radius) {
        if (!option.state.testFlag(State_Enabled)) line.setAlphaF(0.5f);
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setBrush(Qt::NoBrush);
        painter->setPen(QPen(line, 1));
        const QRectF frame = QRectF(option.rect).adjusted(0.5, 0.5, -0.5, -0.5);
        painter->drawRoundedRect(frame, radius, radius);
        painter->restore();
    }
};

/// The palette the desktop gave us, before ours replaced it.
bool systemIsDark() {
    static const bool dark = isDark(QGuiApplication::palette());
    return dark;
}

}  // namespace

ThemeChoice themeFromName(const QString& name) {
    if (name == QLatin1String("light")) return ThemeChoice::light;
    if (name == QLatin1String("dark")) return ThemeChoice::dark;
    return ThemeChoice::system;
}

QString nameOf(ThemeChoice choice) {
    switch (choice) {
    case ThemeChoice::light: return QStringLiteral("light");
    case ThemeChoice::dark: return QStringLiteral("dark");
    case ThemeChoice::system: break;
    }
    return QStringLiteral("system");
}

ThemeChoice currentTheme() { return chosen; }

void applyTheme(ThemeChoice choice) {
    initLapidaryResources();
    const bool systemDark = systemIsDark();
    chosen = choice;
    const bool dark = choice == ThemeChoice::dark || (choice == ThemeChoice::system && systemDark);
    const QPalette& palette = dark ? darkPalette() : lightPalette();
    static bool styled = false;
    if (!std::exchange(styled, true)) QApplication::setStyle(new ThemeStyle);
    QApplication::setPalette(palette);
    // else it is delivered later
    QCoreApplication::sendPostedEvents(nullptr, QEvent::ApplicationPaletteChange);
    QToolTip::setPalette(palette);
    // Widgets with a style sheet, and their children, keep the palette they were polished with.
    for (QWidget* widget : QApplication::allWidgets()) {
        if (const QString sheet = widget->styleSheet(); !sheet.isEmpty()) {
            widget->setStyleSheet({});
            widget->setStyleSheet(sheet);
        }
    }
}

const QPalette& lightPalette() {
    static const QPalette palette =
        makePalette(QColor(0xf3f4f7), QColor(0xffffff), QColor(0xf7f8fb), QColor(0x1b2030),
                    QColor(0xf8f9fb), QColor(0x3b5bdb), QColor(0x2f4fc8), QColor(0xffffff),
                    QColor(0x8a90a0), lightColors().mutedText);
    return palette;
}

bool isDark(const QPalette& palette) { return palette.color(QPalette::Window).lightness() < 128; }

const ThemeColors& themeColors(const QPalette& palette) {
    return isDark(palette) ? darkColors() : lightColors();
}

QFont monospaceFont() {
    QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    font.setPointSizeF(QApplication::font().pointSizeF());
    return font;
}

QFont scaledFont(double factor, bool bold) {
    QFont font = QApplication::font();
    const double size = *std::ranges::min_element(
        text_scale, {}, [factor](double step) { return std::abs(step - factor); });
    font.setPointSizeF(font.pointSizeF() * size);
    if (bold) font.setWeight(QFont::DemiBold);
    return font;
}

}  // namespace lapidary::views
