// SPDX-License-Identifier: Apache-2.0
// Conversions in the window: shown before they are written, refused with the reason.
#include <QCheckBox>
#include <QListWidget>
#include <QPushButton>
#include <QSpinBox>
#include <QTemporaryDir>

#include <lapidary/graph/graph_text.h>
#include <lapidary/onnx_io/model_io.h>

#include "window/dialogs/convert_dialog.h"
#include "views/window_fixture.h"

namespace lapidary::views {
namespace {

class ConvertTest : public WindowTest {
protected:
    void openModel(const std::string& text, std::int64_t opset) {
        Model model;
        model.ir_version = 8;
        model.opset_imports[""] = opset;
        GraphTextOptions options;
        options.opset = opset;
        model.graph = parse_graph(text, options);
        save_model(model, path("model.onnx").toStdString());
        workbench_->openModel(path("model.onnx"));
        ASSERT_TRUE(
            waitFor([&] { return workbench_->opened() && workbench_->jobs().jobs().isEmpty(); }));
        command(QStringLiteral("Convert …"))->trigger();
        dialog_ = find<ConvertDialog>("convertDialog");
    }
    QString path(const char* name) const { return folder_.filePath(QLatin1String(name)); }
    void settle() {
        ASSERT_TRUE(waitFor([&] { return !dialog_->isPreviewing(); }));
    }
    QStringList reported() const {
        QStringList lines;
        for (int i = 0; i < dialog_->changes()->topLevelItemCount(); ++i)
            lines << dialog_->changes()->topLevelItem(i)->text(0) + QStringLiteral(" | ") +
                         dialog_->changes()->topLevelItem(i)->text(1);
        return lines;
    }
    bool reports(const QString& words) const { return reported().join(u'\n').contains(words); }
    QTemporaryDir folder_;
    ConvertDialog* dialog_ = nullptr;
};

TEST_F(ConvertTest, NothingIsChosenAtFirst) {
    openModel("(x: f32[n,4]) -> (y)\n y = Relu(x)", 13);
    EXPECT_FALSE(find<QPushButton>("convertSave")->isEnabled());
    EXPECT_TRUE(dialog_->conversion().isNone());
    EXPECT_FALSE(dialog_->sentence().isEmpty());
}

TEST_F(ConvertTest, AnOpsetIsExplainedNodeByNodeAndWritten) {
    openModel("(x: f32[n,4]) -> (y)\n s = ReduceMean(x) {axes: [1]}\n y = Neg(s)", 13);
    find<QCheckBox>("convertOpset")->setChecked(true);
    find<QSpinBox>("convertOpsetTo")->setValue(18);
    settle();
    EXPECT_TRUE(reports(QStringLiteral("Opset 13 becomes 18")))
        << reported().join(u'\n').toStdString();
    EXPECT_GE(dialog_->changes()->topLevelItemCount(), 2) << "axes of ReduceMean became an input";
    find<QCheckBox>("convertOpen")->setChecked(true);
    dialog_->save(path("newer.onnx"));
    ASSERT_TRUE(waitFor([&] {
        return workbench_->opened() && workbench_->opened()->title == QStringLiteral("newer.onnx");
    }));
    EXPECT_EQ(workbench_->opened()->model->opset(), 18);
}

TEST_F(ConvertTest, DimensionsAreFixedAndOutputsPruned) {
    openModel(
        "(x: f32[n,4], w: f32[n,4]) -> (y, z)\n a = Relu(x)\n y = Neg(a)\n b = Exp(w)\n z = Abs(b)",
        17);
    find<QSpinBox>("convertDimension_n")->setValue(3);
    settle();
    EXPECT_TRUE(reports(QStringLiteral("Input x"))) << reported().join(u'\n').toStdString();
    auto* outputs = find<QListWidget>("convertOutputs");
    outputs->item(1)->setCheckState(Qt::Unchecked);
    settle();
    EXPECT_TRUE(reports(QStringLiteral("Output z goes"))) << reported().join(u'\n').toStdString();
    EXPECT_TRUE(reports(QStringLiteral("Nodes that go: 2")))
        << reported().join(u'\n').toStdString();
    find<QCheckBox>("convertOpen")->setChecked(false);
    dialog_->save(path("small.onnx"));
    ASSERT_TRUE(waitFor([&] { return QFile::exists(path("small.onnx")); }));
    ASSERT_TRUE(waitFor([&] { return workbench_->jobs().jobs().isEmpty(); }));
    const Model written = load_model(path("small.onnx").toStdString());
    EXPECT_EQ(written.graph.outputs().size(), 1u);
    EXPECT_EQ(written.graph.nodes().size(), 2u);
    EXPECT_EQ(to_string(written.graph.value(written.graph.inputs()[0]).type), "f32[3,4]");
    outputs->item(0)->setCheckState(Qt::Unchecked);
    EXPECT_FALSE(find<QPushButton>("convertSave")->isEnabled());
    EXPECT_TRUE(dialog_->sentence().contains(QStringLiteral("at least one output")));
}

TEST_F(ConvertTest, WeightsGoBesideTheModel) {
    workbench_->openSample(QStringLiteral("mlp"));
    ASSERT_TRUE(
        waitFor([&] { return workbench_->opened() && workbench_->jobs().jobs().isEmpty(); }));
    command(QStringLiteral("Convert …"))->trigger();
    dialog_ = find<ConvertDialog>("convertDialog");
    find<QCheckBox>("convertExternal")->setChecked(true);
    settle();
    EXPECT_GT(dialog_->changes()->topLevelItemCount(), 1) << reported().join(u'\n').toStdString();
    find<QCheckBox>("convertOpen")->setChecked(false);
    dialog_->save(path("beside.onnx"));
    ASSERT_TRUE(waitFor([&] { return QFile::exists(path("beside.onnx.data")); }));
}

TEST_F(ConvertTest, WhatCannotBeConvertedSaysWhy) {
    openModel("(x: f32[n,4]) -> (y, m)\n y, m = Dropout(x) as \"drop\"", 9);
    find<QCheckBox>("convertOpset")->setChecked(true);
    find<QSpinBox>("convertOpsetTo")->setValue(17);
    settle();
    EXPECT_TRUE(dialog_->sentence().contains(QStringLiteral("drop")))
        << dialog_->sentence().toStdString();
    EXPECT_TRUE(dialog_->sentence().contains(QStringLiteral("mask")))
        << dialog_->sentence().toStdString();
    EXPECT_FALSE(find<QPushButton>("convertSave")->isEnabled());
    EXPECT_EQ(dialog_->changes()->topLevelItemCount(), 0);
}

TEST_F(ConvertTest, AFaultyModelHasNothingToConvert) {
    EXPECT_FALSE(command(QStringLiteral("Convert …"))->isEnabled()) << "nothing is open";
    openSample("mlp");
    EXPECT_TRUE(command(QStringLiteral("Convert …"))->isEnabled());
}

}  // namespace
}  // namespace lapidary::views
