// SPDX-License-Identifier: Apache-2.0
// A main window with its workbench, and functions to wait.
#pragma once

#include <gtest/gtest.h>

#include <QApplication>
#include <QDockWidget>
#include <QSettings>
#include <QTest>

#include <lapidary/inputs/samples.h>

#include "window/main_window.h"
#include "run/run_page.h"
#include "theme/theme.h"
#include "workbench/workbench.h"

namespace lapidary::views {

inline constexpr int patience_ms = 60'000;

class WindowTest : public testing::Test {
protected:
    void SetUp() override {
        QSettings().clear();
        applyTheme(ThemeChoice::light);
        app::RunSettings settings;
        settings.repetitions = 3;
        settings.warmups = 1;
        workbench_ = std::make_unique<app::Workbench>();
        workbench_->setRunSettings(settings);
        window_ = std::make_unique<MainWindow>(*workbench_);
        window_->resize(1300, 850);
        window_->show();
        ASSERT_TRUE(QTest::qWaitForWindowExposed(window_.get()));
    }
    void TearDown() override {
        window_.reset();
        workbench_.reset();
    }
    template <typename Predicate>
    static bool waitFor(Predicate predicate) {
        return QTest::qWaitFor(predicate, patience_ms);
    }

    void openSample(const char* name) {
        workbench_->adopt(std::make_shared<const Model>(build_sample(name)),
                          QString::fromLatin1(name));
    }
    RunPage* runPage() const {
        return qobject_cast<RunPage*>(window_->page(QStringLiteral("run")));
    }
    void runModel() {
        workbench_->startRun();
        ASSERT_TRUE(waitFor([&] {
            return runPage()->state() == RunPage::State::done ||
                   runPage()->state() == RunPage::State::failed;
        }));
        ASSERT_EQ(runPage()->state(), RunPage::State::done);
    }
    template <typename Widget>
    Widget* find(const char* name) const {
        auto* widget = window_->findChild<Widget*>(QString::fromLatin1(name));
        EXPECT_NE(widget, nullptr) << name;
        return widget;
    }
    QAction* command(const QString& text) const {
        for (QAction* action : window_->commands()) {
            QString plain = action->text();
            if (plain.remove(QLatin1Char('&')) == text) return action;
        }
        ADD_FAILURE() << "no command " << text.toStdString();
        return nullptr;
    }

    /// Shows all docks, including those that are closed while they are empty.
    void showDocks() const {
        for (const char* dock : {"variantsDock", "inspectorDock", "bottomDock"})
            find<QDockWidget>(dock)->show();
    }

    std::unique_ptr<app::Workbench> workbench_;
    std::unique_ptr<MainWindow> window_;
};

}  // namespace lapidary::views
