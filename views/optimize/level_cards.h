// SPDX-License-Identifier: GPL-3.0-or-later
// The graph as its file has it and the levels side by side, each with its effect on the model;
// choosing one puts it in force. Figures of runs belong to levels: a graph without one runs at a
// level, whose card shows the figures. As everywhere else a tick and bold letters mean in force,
// and A and B the slots of Compare; a frame alone marks what the page draws.
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

/// What is known of a variant besides itself, under the sizes and threads in force.
struct LevelFacts {
    const app::RunFigures* time = nullptr;     // null: it was not measured
    const app::PlannedPeak* memory = nullptr;  // null: it was not planned yet
    const app::GuardFigures* guard = nullptr;  // null: it did not run
    bool inForce = false;                      // all pages are of it
    QString letters;                           // of its slots: "A", "B", "A B" or nothing
    bool measuring = false;                    // it is being measured
    // "batch 1 · sequence 8"; empty: nothing is symbolic
    QString sizes;
};

class LevelCard : public QAbstractButton {
    Q_OBJECT
public:
    /// Nothing: of the model as it was opened.
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
    /// The same in so many pixels: where it does not fit, without the interval, then without all
    /// but the time. What the guard found stays longest; the tool tip has all.
    QString timeWithin(int width) const;
    /// Of what stands beside the number of nodes, in so many pixels.
    QString differenceWithin(int width) const;
    QString memoryText() const { return facts_[1]; }
    bool isInForce() const { return inForce_; }
    /// "in force", "preview" or nothing.
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
    QString shortMemory_;           // of the second where the card is narrow
    QStringList times_;             // the first, from its longest form to its shortest
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
    /// What the level's card is of under the toggles of a recipe; the model as opened has none.
    static app::Recipe recipeOf(std::optional<Level> level, const app::Recipe& recipe);
    using FactsOf = std::function<LevelFacts(const app::VariantPtr&)>;
    /// Shows every level under the toggles of `recipe`.
    void refresh(const app::VariantStore& store, const app::Recipe& recipe, const FactsOf& factsOf);
    QSize minimumSizeHint() const override;

signals:
    void chosen(std::optional<lapidary::Level> level);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    /// In rows of so many: as many as the width has room for.
    void arrange(int columns);
    std::array<LevelCard*, 5> cards_{};
    QButtonGroup* group_;
    QGridLayout* grid_;
    int columns_ = 0;
    bool refreshing_ = false;
};

}  // namespace lapidary::views
