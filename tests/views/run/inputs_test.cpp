// SPDX-License-Identifier: Apache-2.0
// The user's own data on the Run page: arrays, archives, pictures, texts and recorded outputs, and
// what came out.
#include <QDragEnterEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QPushButton>
#include <QTabWidget>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QTextStream>
#include <QToolButton>
#include <QUrl>

#include <lapidary/tensor/tensor_file.h>
#include <lapidary/internal/text_file.h>

#include "run/inputs_drawer.h"
#include "run/outputs/output_details.h"
#include "run/outputs/output_table.h"
#include "run/verdict_card.h"
#include "support/test_data.h"
#include "window/mode_rail.h"
#include "views/window_fixture.h"
#include "workbench/document/given_data.h"
#include "workbench/project/project_state.h"
#include "workbench/document/run_conditions.h"

namespace lapidary::views {
namespace {

class InputsTest : public WindowTest {
protected:
    void SetUp() override {
        WindowTest::SetUp();
        window_->showPage(QStringLiteral("run"));
    }
    QString path(const char* name) const { return folder_.filePath(QString::fromLatin1(name)); }
    app::GivenData& data() const { return workbench_->givenData(); }
    void drop(const QStringList& files) {
        QMimeData dragged;
        QList<QUrl> urls;
        for (const QString& file : files) urls << QUrl::fromLocalFile(file);
        dragged.setUrls(urls);
        QDragEnterEvent enter(QPoint(5, 5), Qt::CopyAction, &dragged, Qt::LeftButton,
                              Qt::NoModifier);
        QApplication::sendEvent(runPage(), &enter);
        ASSERT_TRUE(enter.isAccepted());
        QDropEvent event(QPointF(5, 5), Qt::CopyAction, &dragged, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(runPage(), &event);
        ASSERT_TRUE(looked());
    }
    bool looked() {
        return waitFor([&] { return !data().isPreviewing() && data().preview() != nullptr; });
    }
    const app::PreviewedInput& input(const std::string& name) const {
        const auto& inputs = data().preview()->inputs;
        return *std::ranges::find(inputs, name, &app::PreviewedInput::name);
    }
    std::string firstInput() const {
        const Graph& graph = workbench_->opened()->model->graph;
        return graph.value(graph.inputs().front()).name;
    }
    const Tensor& ranOn(const std::string& name) const {
        return find_value(workbench_->run()->inputs, name);
    }
    static const Tensor& find_value(const NamedValues& values, const std::string& name) {
        return lapidary::find(values, name)->tensor();
    }
    QTemporaryDir folder_;
};

TEST_F(InputsTest, AnArrayGoesToTheInputThatItFits) {
    openSample("lenet");
    runModel();
    const std::string name = firstInput();
    Tensor given(DType::f32, ranOn(name).shape());
    std::ranges::fill(given.mutable_data<float>(), 0.25f);
    save_npy(path("mine.npy").toStdString(), given);
    drop({path("mine.npy")});
    EXPECT_TRUE(data().refused().isEmpty()) << data().refused().join(u'\n').toStdString();
    EXPECT_TRUE(find<InputsDrawer>("inputsDrawer")->isVisible()) << "what was dropped is shown";
    EXPECT_EQ(workbench_->runSettings().given.files.at(name), path("mine.npy").toStdString());
    EXPECT_DOUBLE_EQ(input(name).low, 0.25);
    EXPECT_TRUE(find<QToolButton>("showInputs")->text().contains(QStringLiteral("1 of 1")))
        << find<QToolButton>("showInputs")->text().toStdString();
    runModel();
    EXPECT_FLOAT_EQ(ranOn(name).data<float>()[3], 0.25f) << "the run took it";
    find<QPushButton>("forgetInputs")->click();
    ASSERT_TRUE(looked());
    EXPECT_TRUE(workbench_->runSettings().given.isEmpty());
    runModel();
    EXPECT_NE(ranOn(name).data<float>()[3], 0.25f) << "generated again";
}

TEST_F(InputsTest, SizesFollowTheDataOnEveryPage) {
    openSample("bert-tiny");
    runModel();
    NamedValues archive;
    for (const auto& [name, value] : workbench_->run()->inputs) {
        Tensor longer(value.tensor().dtype(), {2, 19});
        std::ranges::fill(longer.mutable_data<std::int64_t>(), std::int64_t{1});
        archive.emplace_back(name, longer);
    }
    save_npz(path("batch.npz").toStdString(), archive);
    drop({path("batch.npz")});
    EXPECT_TRUE(data().refused().isEmpty()) << data().refused().join(u'\n').toStdString();
    EXPECT_EQ(data().given().files.size(), archive.size());
    const app::InputSizes sizes = workbench_->conditions().sizes;
    EXPECT_TRUE(std::ranges::any_of(sizes, [](const auto& s) { return s.second == 19; }));
    EXPECT_EQ(find<QToolButton>("sizesChip")->text(), app::textOf(sizes));
    runModel();
    EXPECT_EQ(ranOn(archive.front().first).shape(), (Shape{2, 19}));
    data().clear();
    ASSERT_TRUE(looked());
    EXPECT_FALSE(std::ranges::any_of(workbench_->conditions().sizes, [](const auto& s) {
        return s.second == 19;
    })) << "sizes that the data had fixed are free again";
}

TEST_F(InputsTest, WhatFitsNowhereIsRefusedWithTheReason) {
    openSample("lenet");
    save_npy(path("wrong.npy").toStdString(), Tensor::of<float>({3}, {1, 2, 3}));
    drop({path("wrong.npy")});
    ASSERT_EQ(data().refused().size(), 1);
    EXPECT_TRUE(data().refused().front().contains(QStringLiteral("expected")))
        << data().refused().front().toStdString();
    EXPECT_TRUE(workbench_->runSettings().given.isEmpty());
    EXPECT_TRUE(find<QLabel>("inputNote")->isVisible());
}

TEST_F(InputsTest, RecordedOutputsAreComparedWith) {
    openSample("lenet");
    runModel();
    save_npz(path("in.npz").toStdString(), workbench_->run()->inputs);
    save_npz(path("out.npz").toStdString(), workbench_->run()->outputs);
    drop({path("in.npz"), path("out.npz")});
    ASSERT_TRUE(data().refused().isEmpty()) << data().refused().join(u'\n').toStdString();
    EXPECT_EQ(data().preview()->recorded.size(), workbench_->run()->outputs.size());
    runModel();
    ASSERT_FALSE(workbench_->run()->check.verdicts.empty());
    EXPECT_TRUE(workbench_->run()->check.passes());
    EXPECT_TRUE(runPage()->digest()->outputs.front().matches);
    EXPECT_TRUE(find<QLabel>("outputCheck")->text().startsWith(QStringLiteral("✓")));

    NamedValues wrong = workbench_->run()->outputs;
    Tensor moved(DType::f32, wrong.front().second.tensor().shape());
    std::ranges::fill(moved.mutable_data<float>(), 1234.0f);
    wrong.front().second = moved;
    save_npz(path("wrong.npz").toStdString(), wrong);
    drop({path("wrong.npz")});
    runModel();
    EXPECT_FALSE(workbench_->run()->check.passes());
    // shown in red on all pages
    const auto* card = find<VerdictCard>("verdictCard");
    EXPECT_TRUE(card->check().startsWith(QStringLiteral("✗ 1 of "))) << card->check().toStdString();
    const auto* red = find<QLabel>("runCheck");
    EXPECT_TRUE(red->isVisible());
    EXPECT_EQ(red->palette().color(QPalette::WindowText), themeColors(red->palette()).error);
    const auto* tabs = find<QTabWidget>("runTabs");
    QStringList titles;
    for (int tab = 0; tab < tabs->count(); ++tab) titles << tabs->tabText(tab);
    EXPECT_EQ(titles.filter(QStringLiteral("✗")).size(), 1) << titles.join(u' ').toStdString();
    EXPECT_TRUE(find<QLabel>("statusCheck")->isVisible());
    EXPECT_EQ(find<RailButton>("rail_run")->badge(), 1);
    EXPECT_TRUE(find<QLabel>("outputCheck")->text().startsWith(QStringLiteral("✗")))
        << find<QLabel>("outputCheck")->text().toStdString();
    auto* table = find<OutputTable>("outputTable");
    EXPECT_FALSE(table->isColumnHidden(10));
    EXPECT_TRUE(table->model()->index(0, 10).data().toString().startsWith(QStringLiteral("✗")));
}

TEST_F(InputsTest, ATextBecomesTokens) {
    openSample("bert-tiny");
    save_text(path("vocab.txt").toStdString(), "[PAD]\n[UNK]\n[CLS]\n[SEP]\nthe\ncat\nsat\n##s\n");
    drop({path("vocab.txt")});
    data().setText(QStringLiteral("The cat sat"));
    ASSERT_TRUE(looked());
    ASSERT_TRUE(data().refused().isEmpty()) << data().refused().join(u'\n').toStdString();
    runModel();
    const Graph& graph = workbench_->opened()->model->graph;
    for (const ValueId id : graph.inputs()) {
        const std::string& name = graph.value(id).name;
        if (name.find("ids") == std::string::npos || name.find("type") != std::string::npos)
            continue;
        const std::vector<std::int64_t> tokens = to_int64s(ranOn(name));
        const std::vector<std::int64_t> expected{2, 4, 5, 6, 3};
        ASSERT_GE(tokens.size(), expected.size());
        EXPECT_TRUE(std::equal(expected.begin(), expected.end(), tokens.begin())) << name;
    }
    EXPECT_TRUE(find<QToolButton>("showInputs")->text().contains(QStringLiteral("text")));
}

TEST_F(InputsTest, APictureIsShownAsTheModelSeesItAndItsDigitIsNamed) {
    const auto photo = test_data() / "models/inputs/digit7.jpg",
               model = test_data() / "models/real/mnist-8.onnx";
    if (!std::filesystem::exists(photo) || !std::filesystem::exists(model))
        GTEST_SKIP() << "no photographs in " << test_data();
    workbench_->loadFile(QString::fromStdString(model.string()));
    ASSERT_TRUE(waitFor([&] { return workbench_->opened() != nullptr; }));
    window_->showPage(QStringLiteral("run"));
    drop({QString::fromStdString(photo.string())});
    ASSERT_TRUE(data().refused().isEmpty()) << data().refused().join(u'\n').toStdString();
    EXPECT_TRUE(input("Input3").picture);
    EXPECT_TRUE(find<QLabel>("inputPicture")->isVisible());
    runModel();
    const OutputRow& row = runPage()->digest()->outputs.front();
    ASSERT_FALSE(row.top.empty());
    EXPECT_EQ(row.top.front().first, 7);
    save_text(path("labels.txt").toStdString(),
              "zero\none\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\n");
    auto* details = find<OutputDetails>("outputDetails");
    details->loadLabels(path("labels.txt"));
    EXPECT_EQ(find<QTreeView>("outputTop")->model()->index(0, 1).data().toString(),
              QStringLiteral("seven"));
    details->loadLabels(path("absent.txt"));
    EXPECT_NE(find<QTreeView>("outputTop")->model()->index(0, 1).data().toString(),
              QStringLiteral("seven"));
}

TEST_F(InputsTest, OutputsAreTablesWithADistribution) {
    openSample("lenet");
    runModel();
    auto* values = find<QTableView>("outputValues");
    const Tensor& output = workbench_->run()->outputs.front().second.tensor();
    EXPECT_EQ(std::int64_t(values->model()->rowCount()) * values->model()->columnCount(),
              output.size());
    const double first = QLocale().toDouble(values->model()->index(0, 0).data().toString());
    EXPECT_NEAR(first, double(output.data<float>()[0]), 1e-4);
    const OutputRow& row = runPage()->digest()->outputs.front();
    std::size_t counted = 0;
    for (const std::size_t bin : row.bins) counted += bin;
    EXPECT_EQ(std::int64_t(counted), output.size()) << "every value is in a bar";
    EXPECT_TRUE(std::ranges::is_sorted(
        row.top, [](const auto& a, const auto& b) { return a.second > b.second; }));
}

TEST_F(InputsTest, AProjectKeepsWhatWasGiven) {
    app::ProjectState state;
    state.model = app::ModelReference{};
    state.model->sample = QStringLiteral("mlp");
    state.settings.given.files["x"] = "/data/ä.npy";
    state.settings.given.text = "a text";
    state.settings.given.vocabulary = "/data/vocab.txt";
    state.settings.given.expected = "/data/out.npz";
    state.runs.emplace_back();
    state.runs.back().sizes = {{"batch", 3}};
    const app::ProjectState read = app::projectFromText(app::toText(state, {}), {});
    EXPECT_EQ(read.settings.given, state.settings.given);
    ASSERT_EQ(read.runs.size(), 1u);
    EXPECT_EQ(read.runs.front().sizes, state.runs.front().sizes);
}

}  // namespace
}  // namespace lapidary::views
