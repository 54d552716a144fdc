// SPDX-License-Identifier: GPL-3.0-or-later
// The Generate page runs a decoder token by token: tokens as they come, how long each takes, where
// that time goes, what memory it holds, and its variants side by side.
#pragma once

#include <QLabel>
#include <QStackedWidget>
#include <QTabWidget>

#include "page.h"
#include "workbench/workbench.h"

namespace lapidary::app {
class Generating;
}

namespace lapidary::views {

class DecodersPanel;
class EmptyState;
class GenerateCard;
class MessageBanner;
class Plot;
class PromptBar;
class SideTable;
class TokenTimeBars;
class TokenView;

class GeneratePage : public Page {
    Q_OBJECT
public:
    enum class State { nothingOpen, noDecoder, ready };

    explicit GeneratePage(app::Workbench& workbench, QWidget* parent = nullptr);
    QList<QAction*> pageActions() const override { return actions_; }
    void showPart(const QString& part) override;
    State state() const { return state_; }

private:
    void makeActions();
    QWidget* makeContent();
    QWidget* makePlot(Plot* plot, QLabel* sentence, const char* name);
    void refresh();
    void refreshEmpty();
    void refreshPlots();

    app::Workbench& workbench_;
    app::Generating& generating_;
    QStackedWidget* stack_;
    EmptyState* empty_;
    MessageBanner* banner_;
    PromptBar* prompt_;
    GenerateCard* card_;
    TokenView* tokens_;
    QTabWidget* tabs_;
    Plot *times_, *memory_;
    QLabel *timeSentence_, *memorySentence_;
    TokenTimeBars* parts_;
    SideTable* sides_;
    DecodersPanel* decoders_;
    QAction *start_ = nullptr, *measure_ = nullptr, *copy_ = nullptr, *copyTokens_ = nullptr;
    QList<QAction*> actions_;
    State state_ = State::nothingOpen;
};

}  // namespace lapidary::views
