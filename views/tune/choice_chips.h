// SPDX-License-Identifier: GPL-3.0-or-later
// A row of checkable buttons for a few values; others can be typed.
#pragma once

#include <QLabel>
#include <QLineEdit>
#include <QToolButton>

#include <functional>
#include <vector>

namespace lapidary::views {

class ChoiceChips : public QWidget {
    Q_OBJECT
public:
    using Words = std::function<QString(qint64)>;
    /// `words`: makes the text of a value.
    ChoiceChips(const QString& label, const QString& tip, Words words, QWidget* parent = nullptr);

    /// Sets the values that always have a button. Emits nothing.
    void setOffered(const std::vector<qint64>& values);
    /// Checks exactly these values; those not offered get a button too. Emits nothing.
    void setChecked(const std::vector<qint64>& values);
    /// The checked values, ascending; at least one.
    std::vector<qint64> checked() const;
    /// Adds a field to type other values, from `low` to `high`.
    void allowTyping(qint64 low, qint64 high);
    /// `warning`: returns what is doubtful about a value; empty: nothing. A button with a warning
    /// has a mark, and its tool tip shows the warning.
    void setWarning(Words warning);
    /// Disables all values except `left` and shows the reason; an empty reason enables all again.
    void refuse(const QString& reason, qint64 left);

signals:
    void changed();
    void refused(const QString& reason);

private:
    struct Chip {
        qint64 value;
        QToolButton* button;
        bool offered;
    };
    QToolButton* addChip(qint64 value, bool offered);
    void showChip(const Chip& chip) const;
    void typed();

    Words words_, warning_;
    QString tip_, name_, refusal_;
    qint64 left_ = 0, low_ = 0, high_ = 0;
    QLabel* label_;
    QLineEdit* other_ = nullptr;
    std::vector<Chip> chips_;  // ascending
};

}  // namespace lapidary::views
