// SPDX-License-Identifier: Apache-2.0
// Projects: their text, files in and out, undo, and what is asked at the end.
#include <QAction>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMessageBox>
#include <QSignalSpy>
#include <QTemporaryDir>

#include <lapidary/base/error.h>
#include <lapidary/onnx_io/model_io.h>

#include "project_fixture.h"
#include "widgets/cards/message_banner.h"
#include "workbench/project/project.h"

namespace lapidary::views {
namespace {

using app::Project;
using app::ProjectState;
using app::Recipe;
using app::Slot;

ProjectState fullState(const QString& model) {
    ProjectState state;
    state.model = app::ModelReference{model, {}, 1234, 5, QByteArray(64, 'a')};
    state.chosen = recipeOf(Level::all, 3);
    state.chosen.dimensions["batch"] = 4;
    state.variants = {recipeOf(Level::basic), recipeOf(Level::all, 3)};
    state.compared = {Recipe(), recipeOf(Level::basic)};
    state.shown = recipeOf(Level::basic);
    state.settings.resources.threads = 2;
    state.settings.seed = ~std::uint64_t(0);
    state.settings.dimensions["batch"] = 8;
    app::RunFigures run;
    run.recipe = recipeOf(Level::basic);
    run.kind = app::RunKind::measurement;
    run.date = QStringLiteral("2026-01-02T03:04:05Z");
    run.cpu = QStringLiteral("A processor");
    run.threads = 2;
    run.repetitions = 30;
    run.batch = 4;
    run.median_ms = 0.1 + 0.2;  // no short decimal
    run.low_ms = 0.25;
    run.high_ms = 0.35;
    run.peak_bytes = 1'000'000;
    run.verdict = QStringLiteral("quick");
    state.runs = {run};
    state.guards = {{recipeOf(Level::basic),
                     QStringLiteral("2026-01-02T03:04:05Z"),
                     true,
                     1e-6,
                     1e-3,
                     1e-5,
                     {}}};
    SweepResult sweep;
    sweep.cells.resize(2);
    sweep.cells[0].configuration.resources.threads = 2;
    sweep.cells[0].state = CellState::done;
    sweep.cells[0].measurement.wall.median = {0.1 + 0.2, 0.25, 0.35, 17};
    sweep.cells[1].state = CellState::failed;
    sweep.cells[1].reason = "no such batch";
    sweep.recommendation = {0, {}, {}, "2 threads."};
    state.sweep = std::make_shared<const SweepResult>(std::move(sweep));
    state.notes = QString::fromUtf8("Zeile 1\nZeile 2 \"ü\" 中文");
    state.page = QStringLiteral("run");
    return state;
}

std::string refusal(const QByteArray& text) {
    try {
        app::projectFromText(text, QStringLiteral("/tmp"));
    } catch (const Error& error) { return error.what(); }
    return {};
}

TEST(ProjectText, ComesBackAsItWas) {
    const ProjectState before = fullState(QStringLiteral("/data/models/a.onnx"));
    const ProjectState after =
        app::projectFromText(app::toText(before, QStringLiteral("/data")), QStringLiteral("/data"));
    EXPECT_EQ(after.model, before.model);
    EXPECT_EQ(after.chosen, before.chosen);
    EXPECT_EQ(after.variants, before.variants);
    EXPECT_EQ(after.compared, before.compared);
    EXPECT_EQ(after.shown, before.shown);
    EXPECT_EQ(after.settings, before.settings);
    EXPECT_EQ(after.runs, before.runs);
    EXPECT_EQ(after.guards, before.guards);
    EXPECT_EQ(after.notes, before.notes);
    EXPECT_EQ(after.page, before.page);
    ASSERT_TRUE(after.sweep);
    ASSERT_EQ(after.sweep->cells.size(), 2u);
    EXPECT_EQ(after.sweep->cells[0].configuration, before.sweep->cells[0].configuration);
    EXPECT_EQ(after.sweep->cells[0].measurement.wall.median.median,
              before.sweep->cells[0].measurement.wall.median.median);
    EXPECT_EQ(after.sweep->cells[1].reason, "no such batch");
    EXPECT_EQ(after.sweep->recommendation.sentence, "2 threads.");
}

TEST(ProjectText, MovesWithItsModel) {
    const QByteArray text =
        app::toText(fullState(QStringLiteral("/data/models/a.onnx")), QStringLiteral("/data"));
    EXPECT_TRUE(text.contains("\"path\": \"models/a.onnx\"")) << text.toStdString();
    EXPECT_FALSE(text.contains("/data")) << "the path of the project is not in the file";
    EXPECT_EQ(app::projectFromText(text, QStringLiteral("/elsewhere")).model->path,
              QStringLiteral("/elsewhere/models/a.onnx"));
    const QTemporaryDir folder;
    const QString model = folder.filePath(QStringLiteral("a.onnx"));
    QFile file(model);
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    const QByteArray beside =
        app::toText(fullState(model), folder.filePath(QStringLiteral("projects")));
    EXPECT_EQ(app::projectFromText(beside, QStringLiteral("/elsewhere")).model->path, model)
        << "the absolute place stands in";
}

/// As an earlier version wrote it, with a member of a later one.
TEST(ProjectText, OlderAndNewerProjectsAreRead) {
    const ProjectState state = app::projectFromText(R"({
    "format": "lapidary-project", "version": 1, "written_by": "Lapidary 0.3.0", "notes": "n", "page": "run",
    "from_the_future": {"a": 1},
    "run_settings": {"repetitions": 20, "seed": "18446744073709551615", "threads": 2, "warmups": 1,
                     "inputs": {"files": {"x": "/x.npy"}, "text": "a line", "vocabulary": "/v.txt"}},
    "models": [{"path": "models/a.onnx", "bytes": 12, "sha256": "AB", "chosen": {"level": "all"}, "shown": {},
                "variants": [{"parent": "original", "recipe": {"level": "basic", "stop_after": 3}}],
                "slots": {"B": {"level": "basic"}},
                "runs": [{"kind": "profile", "recipe": {}, "median_ms": 2.5, "peak_bytes": null}],
                "guards": [{"recipe": {"level": "basic"}, "matches": true, "largest_difference": 1e-6}],
                "sweep": {"cells": [{"configuration": {"intra": 2}, "state": "done"}]}, "swept": {"level": "all"}}]
})",
                                                    QStringLiteral("/p"));
    EXPECT_EQ(state.model->path, QStringLiteral("/p/models/a.onnx"));
    EXPECT_EQ(state.model->sha256, "ab");
    EXPECT_EQ(state.settings.seed, ~std::uint64_t(0));
    EXPECT_EQ(state.settings.given.files.at("x"), "/x.npy");
    EXPECT_EQ(state.settings.given.text, "a line");
    EXPECT_EQ(state.variants, std::vector{recipeOf(Level::basic, 3)});
    EXPECT_FALSE(state.compared[0]);
    EXPECT_EQ(state.compared[1], recipeOf(Level::basic));
    ASSERT_EQ(state.runs.size(), 1u);
    EXPECT_EQ(state.runs[0].low_ms, 2.5) << "without an interval";
    EXPECT_EQ(state.runs[0].peak_bytes, 0);
    EXPECT_TRUE(state.guards.at(0).matches);
    EXPECT_EQ(state.sweep->cells.at(0).configuration.resources.threads, 2);
    EXPECT_EQ(state.swept, recipeOf(Level::all));
    EXPECT_NE(refusal(R"({"format": "lapidary-project", "version": 1, "models": [{"sample": "mlp",
                          "chosen": {"level": "all", "from_the_future": 1}}]})")
                  .find("from_the_future"),
              std::string::npos)
        << "a recipe means what all of its members say";
}

TEST(ProjectText, RefusesWhatItCannotRead) {
    EXPECT_TRUE(refusal("").find("no project file") != std::string::npos);
    EXPECT_TRUE(refusal("[]").find("no project file") != std::string::npos);
    EXPECT_TRUE(refusal("{\"format\": \"x\"}").find("\"x\"") != std::string::npos);
    const QByteArray good = app::toText(fullState(QStringLiteral("/a.onnx")), {});
    ASSERT_EQ(refusal(good), "");
    for (qsizetype cut : {2, 40, 400}) EXPECT_NE(refusal(good.left(good.size() - cut)), "") << cut;
    const auto with = [&](const char* from, const char* to) {
        QByteArray text = good;
        EXPECT_TRUE(text.contains(from)) << from;
        return refusal(text.replace(from, to));
    };
    const std::string newer = with("\"version\": 1", "\"version\": 7");
    EXPECT_TRUE(newer.find("version 7") != std::string::npos &&
                newer.find("up to 1") != std::string::npos)
        << newer;
    const std::string runs = with("\"median_ms\": 0.30000000000000004", "\"median_ms\": \"fast\"");
    EXPECT_TRUE(runs.find("models[0].runs[0].median_ms") != std::string::npos &&
                runs.find("\"fast\"") != std::string::npos)
        << runs;
    EXPECT_TRUE(with("\"kind\": \"measurement\"", "\"kind\": \"dance\"").find("dance") !=
                std::string::npos);
    EXPECT_TRUE(with("\"level\": \"basic\"", "\"level\": \"highest\"").find("highest") !=
                std::string::npos);
    EXPECT_TRUE(with("\"threads\": 2", "\"threads\": 1e300").find("whole number") !=
                std::string::npos);
    EXPECT_TRUE(
        with("\"repetitions\": 10", "\"repetitions\": -4").find("run_settings.repetitions") !=
        std::string::npos);
    EXPECT_TRUE(with("\"parent\": \"original\"", "\"parent\": \"another\"").find("another") !=
                std::string::npos);
}

TEST_F(ProjectTest, SavesAndOpensEverything) {
    const QString path = file("p.lapidary");
    openFile(savedModel("lenet", "m.onnx"));
    EXPECT_FALSE(project().isModified());
    runModel();
    EXPECT_EQ(project().runs().size(), 1u);
    EXPECT_FALSE(project().isModified()) << "opening and looking leaves nothing to save";
    EXPECT_TRUE(project().isWorthKeeping());
    project().setRecipe(recipeOf(Level::all), QStringLiteral("choose"));
    make(recipeOf(Level::basic));
    make(recipeOf(Level::all));
    project().setSlot(Slot::B, store().find(recipeOf(Level::all)));
    workbench_->showVariant(store().find(recipeOf(Level::basic)));
    project().setNotes(QStringLiteral("remember this"));
    window_->showPage(QStringLiteral("optimize"));
    ASSERT_TRUE(waitFor([&] { return store().isIdle(); }));
    EXPECT_TRUE(window_->isWindowModified());
    saveTo(path);
    EXPECT_FALSE(window_->isWindowModified());
    EXPECT_TRUE(window_->windowTitle().startsWith(QStringLiteral("p (m.onnx")));
    EXPECT_EQ(workbench_->recentFiles().value(0), path);
    const ProjectState before = project().state();
    EXPECT_EQ(before.model->sha256.size(), 64);

    reopen(path);
    ASSERT_TRUE(waitFor([&] {
        return store().isIdle() && project().state().variants.size() == before.variants.size() &&
               workbench_->document()->variant;
    }));
    const ProjectState after = project().state();
    EXPECT_EQ(after.model, before.model);
    EXPECT_EQ(after.chosen, before.chosen);
    EXPECT_EQ(after.compared, before.compared);
    EXPECT_EQ(after.shown, before.shown);
    EXPECT_EQ(after.runs, before.runs);
    EXPECT_EQ(after.notes, before.notes);
    EXPECT_EQ(window_->currentPage(), QStringLiteral("optimize"));
    EXPECT_FALSE(project().isModified());
    EXPECT_EQ(store().slot(Slot::B)->recipe, recipeOf(Level::all));
    EXPECT_EQ(workbench_->document()->variant->recipe, recipeOf(Level::basic));
}

TEST_F(ProjectTest, AsksForAModelThatIsGone) {
    openFile(savedModel("mlp", "m.onnx"));
    project().setNotes(QStringLiteral("kept"));
    saveTo(file("p.lapidary"));
    QDir(folder_.path()).mkdir(QStringLiteral("moved"));
    ASSERT_TRUE(QFile::rename(file("m.onnx"), file("moved/n.onnx")));
    TearDown();
    SetUp();
    openSample("lenet");
    workbench_->openAny(file("p.lapidary"));
    ASSERT_TRUE(waitFor([&] { return bannerButton("locateModel") != nullptr; }));
    EXPECT_TRUE(window_->projectBanner()->text().contains(QStringLiteral("m.onnx")));
    EXPECT_EQ(workbench_->opened()->title, QStringLiteral("lenet"))
        << "what is open stays until then";
    project().openWith(file("moved/n.onnx"));
    ASSERT_TRUE(waitFor([&] { return workbench_->opened()->title == QStringLiteral("n.onnx"); }));
    EXPECT_EQ(project().notes(), QStringLiteral("kept"));
    EXPECT_TRUE(project().isModified()) << "the new place is not in the file yet";
}

TEST_F(ProjectTest, SaysThatAModelIsAnotherAndGoesOnWhenConfirmed) {
    openFile(savedModel("mlp", "m.onnx"));
    project().setNotes(QStringLiteral("kept"));
    saveTo(file("p.lapidary"));
    TearDown();  // while it is open, this process does not write over it
    savedModel("lenet", "m.onnx");
    SetUp();
    workbench_->openAny(file("p.lapidary"));
    ASSERT_TRUE(waitFor([&] { return bannerButton("openAllTheSame") != nullptr; }));
    EXPECT_FALSE(workbench_->opened());
    QTest::mouseClick(bannerButton("openAllTheSame"), Qt::LeftButton);
    ASSERT_TRUE(waitFor([&] { return workbench_->opened() != nullptr; }));
    EXPECT_EQ(project().notes(), QStringLiteral("kept"));
}

TEST_F(ProjectTest, SameSizeButOtherBytesAreNoticed) {
    openFile(savedModel("mlp", "m.onnx"));
    saveTo(file("p.lapidary"));
    QFile model(file("m.onnx"));
    ASSERT_TRUE(model.open(QIODevice::ReadWrite));
    model.seek(model.size() / 2);
    const char old = *model.peek(1).constData();
    model.putChar(char(old ^ 1));
    model.close();
    QSignalSpy differs(&project(), &Project::modelDiffers);
    project().open(file("p.lapidary"));
    ASSERT_TRUE(waitFor([&] { return !differs.isEmpty(); }));
    EXPECT_TRUE(differs[0][1].toString().contains(QStringLiteral("SHA-256")));
}

TEST_F(ProjectTest, ABrokenFileIsOneClearErrorAndNothingChanges) {
    openSample("mlp");
    QFile broken(file("broken.lapidary"));
    ASSERT_TRUE(broken.open(QIODevice::WriteOnly));
    broken.write("{\"format\": \"lapidary-project\", \"version\": 1, \"models\": [{\"path\": 5}]}");
    broken.close();
    workbench_->openAny(broken.fileName());
    ASSERT_TRUE(waitFor([&] { return window_->projectBanner()->isVisible(); }));
    EXPECT_TRUE(window_->projectBanner()->text().contains(QStringLiteral("models[0].path")))
        << window_->projectBanner()->text().toStdString();
    EXPECT_EQ(workbench_->opened()->title, QStringLiteral("mlp"));
}

TEST_F(ProjectTest, AFailedSaveSaysWhyAndStaysModified) {
    openFile(savedModel("mlp", "m.onnx"));
    project().setNotes(QStringLiteral("x"));
    QSignalSpy failed(&project(), &Project::saveFailed);
    project().saveAs(file("no/such/folder/p.lapidary"));
    ASSERT_TRUE(waitFor([&] { return !failed.isEmpty(); }));
    EXPECT_TRUE(project().isModified());
    EXPECT_TRUE(project().path().isEmpty());
    EXPECT_TRUE(window_->projectBanner()->isVisible());
}

TEST_F(ProjectTest, WhatLiesInASlotByItselfCanBeChosen) {
    openSample("lenet");
    make(recipeOf(Level::basic));
    ASSERT_EQ(store().slot(Slot::B), store().find(recipeOf(Level::basic)));
    EXPECT_FALSE(project().state().compared[1]);
    project().setSlot(Slot::B, store().find(recipeOf(Level::basic)));
    ASSERT_TRUE(project().state().compared[1]);
    EXPECT_EQ(project().state().compared[1]->level, Level::basic);
    project().setSlot(Slot::B, store().find(recipeOf(Level::basic)));
    EXPECT_EQ(project().undoStack().count(), 1) << "chosen already";
}

TEST_F(ProjectTest, UndoesRecipesSlotsNotesAndRemovals) {
    openSample("lenet");
    make(recipeOf(Level::basic));
    make(recipeOf(Level::extended));
    const auto basic = store().find(recipeOf(Level::basic)),
               extended = store().find(recipeOf(Level::extended));
    ASSERT_EQ(store().slot(Slot::B), basic);
    project().setSlot(Slot::B, extended);
    project().removeVariant(basic);
    project().setNotes(QStringLiteral("a"));
    project().setNotes(QStringLiteral("ab"));
    project().setRecipe(recipeOf(Level::all), QStringLiteral("choose All"));
    EXPECT_EQ(project().undoStack().count(), 4) << "typing is one step";
    EXPECT_FALSE(store().find(recipeOf(Level::basic)));
    QAction* undo = command(QStringLiteral("Undo choose All"));
    ASSERT_TRUE(undo);
    undo->trigger();
    EXPECT_EQ(project().recipe().level, Level::extended);
    undo->trigger();
    EXPECT_EQ(project().notes(), QString());
    undo->trigger();
    ASSERT_TRUE(waitFor([&] { return store().find(recipeOf(Level::basic)) != nullptr; }));
    undo->trigger();
    EXPECT_EQ(store().slot(Slot::B)->recipe, recipeOf(Level::basic));
    EXPECT_FALSE(project().isModified());
    while (project().undoStack().canRedo()) project().undoStack().redo();
    EXPECT_EQ(project().notes(), QStringLiteral("ab"));
    EXPECT_EQ(store().slot(Slot::B), extended);
    EXPECT_TRUE(project().isModified());
}

TEST_F(ProjectTest, AsksBeforeUnsavedChangesAreLost) {
    openFile(savedModel("mlp", "m.onnx"));
    saveTo(file("p.lapidary"));
    project().setNotes(QStringLiteral("not saved"));
    const auto asked = [&] {
        return window_->findChild<QMessageBox*>(QStringLiteral("unsavedChanges"));
    };
    window_->close();
    ASSERT_TRUE(asked());
    EXPECT_TRUE(window_->isVisible());
    QTest::mouseClick(asked()->button(QMessageBox::Cancel), Qt::LeftButton);
    EXPECT_TRUE(window_->isVisible());
    EXPECT_TRUE(project().isModified());

    workbench_->openSample(QStringLiteral("lenet"));
    ASSERT_TRUE(asked());
    QTest::mouseClick(asked()->button(QMessageBox::Cancel), Qt::LeftButton);
    EXPECT_EQ(workbench_->opened()->title, QStringLiteral("m.onnx"));

    window_->close();
    ASSERT_TRUE(asked());
    QTest::mouseClick(asked()->button(QMessageBox::Save), Qt::LeftButton);
    ASSERT_TRUE(waitFor([&] { return !window_->isVisible(); }));
    QFile saved(file("p.lapidary"));
    ASSERT_TRUE(saved.open(QIODevice::ReadOnly));
    EXPECT_TRUE(saved.readAll().contains("not saved"));
}

TEST_F(ProjectTest, ANewProjectIsEmptyAndEveryPageLivesWithThat) {
    openSample("lenet");
    runModel();
    for (const QString& id : window_->pageIds()) window_->showPage(id);
    ASSERT_TRUE(waitFor([&] { return workbench_->jobs().jobs().isEmpty(); }));
    command(QStringLiteral("New project"))->trigger();
    EXPECT_FALSE(workbench_->document());
    EXPECT_TRUE(project().runs().empty());
    EXPECT_EQ(window_->currentPage(), QStringLiteral("start"));
    EXPECT_EQ(window_->windowTitle(), QStringLiteral("Lapidary[*]"));
    for (const QString& id : window_->pageIds()) {
        window_->showPage(id);
        window_->grab();
    }
    openSample("mlp");
    for (const QString& id : window_->pageIds()) window_->showPage(id);
}

TEST_F(ProjectTest, DeepJsonIsRefused) {
    const QString path = file("deep.lapidary");
    QFile deep(path);
    ASSERT_TRUE(deep.open(QIODevice::WriteOnly));
    deep.write("{\"format\":" + QByteArray(200'000, '[') + QByteArray(200'000, ']') + "}");
    deep.close();
    QSignalSpy failed(&project(), &app::Project::openFailed);
    project().open(path);
    ASSERT_TRUE(waitFor([&] { return !failed.isEmpty(); }));
    EXPECT_GT(failed.first().at(1).toString().size(), 10);
}

}  // namespace
}  // namespace lapidary::views
