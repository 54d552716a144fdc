// SPDX-License-Identifier: GPL-3.0-or-later
// The Memory page explains the peak of memory: verdict, memory over the steps, addresses over the
// steps, which node keeps which tensor alive, and memory with other settings. It needs no run.
#pragma once

#include <QComboBox>
#include <QStackedWidget>
#include <QTabWidget>

#include "memory/memory_picture.h"
#include "memory/what_if_panel.h"
#include "page.h"
#include "workbench/document/focus.h"
#include "workbench/jobs/latest_job.h"
#include "workbench/document/variant.h"

namespace lapidary::views {

class ContextMemoryPanel;
class CopyTable;
class EmptyState;
class MemoryCard;
class MemoryHistory;
class MemoryMap;
class TensorTable;
struct TensorRow;

class MemoryPage : public Page {
    Q_OBJECT
public:
    explicit MemoryPage(app::Workbench& workbench, QWidget* parent = nullptr);
    QList<QAction*> pageActions() const override { return actions_; }
    bool showsFocus() const override { return true; }
    void shown() override;

    enum class State { nothingOpen, working, failed, done };
    State state() const { return state_; }
    MemoryPicturePtr picture() const { return picture_; }
    int cursorStep() const;
    /// Level, threads and sizes of the picture, which may be changed in the panel beside it.
    /// Requires a picture.
    QString conditionsText() const;

public slots:
    void setCursorStep(int step);
    void goToPeak();
    void savePicture(const QString& path);
    void saveTable(const QString& path);

signals:
    void pictureChanged();

protected:
    void changeEvent(QEvent* event) override;

private:
    /// The result of a job.
    struct Answer {
        MemoryPicturePtr picture;
        std::shared_ptr<const std::vector<TensorRow>> rows;
        std::vector<std::pair<std::string, std::int64_t>> dimensions;
    };
    QWidget* makeContent();
    QWidget* makeToolRow();
    void makeActions();
    void showState(State state, const QString& reason = {});
    void takeDocument();
    void followVariants();
    void takeRunSettings();
    MemoryAssumptions assumptionsOfRunSettings() const;
    app::MemoryJob plannedUnder(const MemoryAssumptions& assumptions) const;
    void refresh();
    void showAnswer(Answer answer);
    void showCopies();
    void showContexts();
    void startEffects();
    void showApplicable();
    void applyToRunSettings();
    void pick(int tensor, const QObject* by);
    void goToGraph(int tensor);
    void goToStep(int step);
    void showFocus(const app::Focus& focus);
    bool isInDocument(const TensorLifetime& tensor) const;
    QImage drawn();

    app::Workbench& workbench_;
    QStackedWidget* stack_;
    EmptyState* empty_;
    QWidget* content_;
    MemoryCard* card_;
    MemoryHistory* history_;
    MemoryMap* map_;
    TensorTable *alive_, *lifetimes_;
    CopyTable* copies_;
    ContextMemoryPanel* contexts_;
    WhatIfPanel* whatIf_;
    QTabWidget* tabs_;
    QComboBox* coloring_;
    QList<QAction*> actions_;
    // the variant that runs where the document is in force; null: not made yet
    app::VariantPtr variant_;
    std::shared_ptr<MemoryStudy> study_;  // of variant_
    MemoryPicturePtr picture_;
    app::LatestJob job_, effectsJob_;
    // the picture does not match the document, its run and the assumptions yet
    bool isStale_ = true;
    bool isNewDocument_ = true;
    bool settingFocus_ = false;
    State state_ = State::nothingOpen;
};

}  // namespace lapidary::views
