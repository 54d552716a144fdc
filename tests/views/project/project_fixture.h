// SPDX-License-Identifier: Apache-2.0
// A window with a folder for projects, models and journals.
#pragma once

#include <QFileInfo>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>

#include <optional>

#include <lapidary/onnx_io/model_io.h>

#include "widgets/cards/message_banner.h"
#include "views/window_fixture.h"
#include "workbench/project/project.h"

namespace lapidary::views {

inline app::Recipe recipeOf(Level level, std::optional<std::size_t> stop = {}) {
    app::Recipe recipe;
    recipe.level = level;
    recipe.stop_after = stop;
    return recipe;
}

class ProjectTest : public WindowTest {
protected:
    app::Project& project() { return workbench_->project(); }
    app::VariantStore& store() { return workbench_->variants(); }
    QString file(const char* name) const { return folder_.filePath(QString::fromLatin1(name)); }
    QString savedModel(const char* sample, const char* name) {
        save_model(build_sample(sample), file(name).toStdString());
        return file(name);
    }
    void openFile(const QString& path) {
        workbench_->openModel(path);
        ASSERT_TRUE(waitFor([&] {
            return workbench_->opened() &&
                   workbench_->opened()->title == QFileInfo(path).fileName();
        }));
    }
    void make(const app::Recipe& recipe) {
        store().require({recipe});
        ASSERT_TRUE(waitFor([&] { return store().find(recipe) && store().isIdle(); }));
    }
    void saveTo(const QString& path) {
        QSignalSpy saved(&project(), &app::Project::saved),
            failed(&project(), &app::Project::saveFailed);
        project().saveAs(path);
        ASSERT_TRUE(waitFor([&] { return !saved.isEmpty() || !failed.isEmpty(); }));
        ASSERT_TRUE(failed.isEmpty()) << failed[0][1].toString().toStdString();
    }
    void reopen(const QString& path) {
        TearDown();
        SetUp();
        QSignalSpy opened(&project(), &app::Project::opened);
        workbench_->openAny(path);
        ASSERT_TRUE(waitFor([&] { return !opened.isEmpty(); }));
    }
    QPushButton* bannerButton(const char* name) {
        auto* button = window_->projectBanner()->findChild<QPushButton*>(QString::fromLatin1(name));
        return button && window_->projectBanner()->isVisible() ? button : nullptr;
    }
    QTemporaryDir folder_;
};

}  // namespace lapidary::views
