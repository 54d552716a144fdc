// SPDX-License-Identifier: GPL-3.0-or-later
// A few values to tick, as buttons in a row; others can be typed in.
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
    /// `words`: a value's text.
    ChoiceChips(const QString& label, const QString& tip, Words words, QWidget* parent = nullptr);

    /// These always have a button. Emits nothing.
    void setOffered(const std::vector<qint64>& values);
    /// Exactly these are ticked; those not offered get a button too. Emits nothing.
    void setChecked(const std::vector<qint64>& values);
    /// Ascending, at least one.
    std::vector<qint64> checked() const;
    /// A field to type other values into, from `low` to `high`.
    void allowTyping(qint64 low, qint64 high);
    /// What is doubtful about a value; empty: nothing. Such a button bears a mark and says so in
    /// its tool tip.
    void setWarning(Words warning);
    /// Greys all but `left` out and says why; an empty reason allows everything again.
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
