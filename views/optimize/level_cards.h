// SPDX-License-Identifier: GPL-3.0-or-later
// Cards for the graph in the file and for each level, with their effect on the model. Choosing one
// puts it in force. Figures of runs are on the cards of levels, because a graph without a level
// also runs at one. A tick and bold text mean "in force", A and B are the slots of Compare, and a
// frame marks the variant that the page draws.
#pragma once

#include <QAbstractButton>
#include <QButtonGroup>
#include <QGridLayout>

#include <array>
#include <functional>
#include <optional>

#include "workbench/document/planned_memory.h"
#include "workbench/project/project_state.h"
#include "workbench/document/variant_store.h"

namespace lapidary::views {

/// Results about a variant under the sizes and threads in force.
struct LevelFacts {
    const app::RunFigures* time = nullptr;     // null: it was not measured
    const app::PlannedPeak* memory = nullptr;  // null: it was not planned yet
    const app::GuardFigures* guard = nullptr;  // null: there was no comparison
    bool inForce = false;                      // all pages show it
    QString letters;                           // the slots that hold it: "A", "B", "A B" or ""
    bool measuring = false;                    // it is being measured
    // "batch 1 · sequence 8"; empty: nothing is symbolic
    QString sizes;
};

class LevelCard : public QAbstractButton {
    Q_OBJECT
public:
    /// `level`: empty: the card of the model as opened.
    explicit LevelCard(std::optional<Level> level, QWidget* parent = nullptr);
    enum class State { Waiting, Working, Ready, Failed };
    void showVariant(const app::Variant& variant, const app::Variant* original,
                     const LevelFacts& facts);
    void showState(State state, const QString& text = {});
    State state() const { return state_; }
    std::optional<Level> level() const { return level_; }
    QString headline() const { return headline_; }
    /// "42.0 ms ± 1.1"; "not measured".
    QString timeText() const { return facts_[0]; }
    /// The same for a width in pixels. If it does not fit, the interval is left out, then all but
    /// the time and the guard's result. The tool tip shows all of it.
    QString timeWithin(int width) const;
    /// The text beside the number of nodes, for a width in pixels.
    QString differenceWithin(int width) const;
    QString memoryText() const { return facts_[1]; }
    bool isInForce() const { return inForce_; }
    /// "in force", "preview" or "".
    QString markText() const;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    QString tipOf(const app::Variant& variant, const LevelFacts& facts) const;
    std::optional<Level> level_;
    State state_ = State::Waiting;
    void paintTitle(QPainter& painter, const QRect& line);
    void paintFacts(QPainter& painter, QRect area);
    QFont headlineFont(int width) const;
    QString headline_, difference_, note_, letters_;
    std::array<QString, 2> facts_;  // lines
    QString shortMemory_;           // short form of the second line, for narrow cards
    QStringList times_;             // forms of the first line, from long to short
    bool inForce_ = false;
};

class LevelCards : public QWidget {
    Q_OBJECT
public:
    explicit LevelCards(QWidget* parent = nullptr);
    std::size_t count() const { return cards_.size(); }
    LevelCard* card(std::optional<Level> level) const {
        return cards_[level ? std::size_t(*level) + 1 : 0];
    }
    /// The recipe of the level's card with the switched passes of `recipe`; the model as opened has
    /// none.
    static app::Recipe recipeOf(std::optional<Level> level, const app::Recipe& recipe);
    using FactsOf = std::function<LevelFacts(const app::VariantPtr&)>;
    /// Shows every level with the switched passes of `recipe`.
    void refresh(const app::VariantStore& store, const app::Recipe& recipe, const FactsOf& factsOf);
    QSize minimumSizeHint() const override;

signals:
    void chosen(std::optional<lapidary::Level> level);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    /// Arranges the cards in rows of `columns`.
    void arrange(int columns);
    std::array<LevelCard*, 5> cards_{};
    QButtonGroup* group_;
    QGridLayout* grid_;
    int columns_ = 0;
    bool refreshing_ = false;
};

}  // namespace lapidary::views
