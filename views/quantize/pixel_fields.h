// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCheckBox>
#include <QComboBox>
#include <QLineEdit>
#include <QWidget>

#include <array>
#include <optional>

namespace lapidary::app {
class Quantizing;
}

namespace lapidary::views {

class FlowLayout;

/// Parses "127.5" for all channels, or "123.7, 116.3, 103.5" for each. Empty for other text, or a
/// number that is not finite.
std::optional<std::array<float, 3>> channelsOf(const QString& text);
QString channelsText(const std::array<float, 3>& values);

/// Fields for the conversion of pixels of pictures, bytes and arrays: scale, order of channels,
/// crop, and the layout of arrays.
class PixelFields : public QObject {
    Q_OBJECT
public:
    /// Adds its fields to the layout.
    PixelFields(app::Quantizing& quantizing, FlowLayout& layout, QWidget* parent);

private:
    QWidget* field(const QString& label, QWidget* editor, const char* name, const QString& tip);
    void applyScale(int row);
    void applyNumbers();
    void apply();
    void refresh();

    app::Quantizing& quantizing_;
    QComboBox *scale_, *crop_, *layout_;
    QLineEdit *mean_, *deviation_;
    QCheckBox* bgr_;
    QWidget *scaleField_, *meanField_, *deviationField_, *cropField_, *layoutField_;
    bool ownNumbers_ = false;  // the user types mean and deviation
};

}  // namespace lapidary::views
