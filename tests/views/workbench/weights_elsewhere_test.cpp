// SPDX-License-Identifier: Apache-2.0
// The window's process has no weights of what is open: they are in the worker, which is asked for
// values that a page shows.
#include <QCheckBox>
#include <QSignalSpy>

#include <filesystem>
#include <fstream>
#include <string>

#include <lapidary/graph/graph_edit.h>
#include <lapidary/onnx_io/model_io.h>

#include "graph/graph_page.h"
#include "panels/inspector_panel.h"
#include "support/test_data.h"
#include "views/window_fixture.h"
#include "window/dialogs/convert_dialog.h"

namespace lapidary::views {
namespace {

namespace fs = std::filesystem;

#ifdef __linux__
/// Whether a file of that name is mapped into this process.
bool isMapped(const std::string& name) {
    std::ifstream maps("/proc/self/maps");
    for (std::string line; std::getline(maps, line);)
        if (line.find(name) != std::string::npos) return true;
    return false;
}

/// Bytes of this process that lie in memory.
std::uint64_t bytesInMemory() {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);)
        if (line.starts_with("VmRSS:")) return std::stoull(line.substr(6)) * 1024;
    return 0;
}
#endif

// ---- fields of ONNX's protobuf messages

std::string varint(std::uint64_t value) {
    std::string bytes;
    for (; value >= 128; value >>= 7) bytes += static_cast<char>(value | 128);
    return bytes + static_cast<char>(value);
}
std::string number(int field, std::uint64_t value) {
    return varint(std::uint64_t(field) << 3) + varint(value);
}
std::string message(int field, const std::string& bytes) {
    return varint(std::uint64_t(field) << 3 | 2) + varint(bytes.size()) + bytes;
}

class WeightsElsewhereTest : public WindowTest {
protected:
    void SetUp() override {
#ifndef __linux__
        GTEST_SKIP() << "only Linux reports what a process has mapped";
#endif
        qputenv("LAPIDARY_WORKER", QByteArray::fromStdString(cli_program()));
        WindowTest::SetUp();
    }
    void TearDown() override {
        WindowTest::TearDown();
        qputenv("LAPIDARY_WORKER", "off");
    }
    /// Two products, each with a weight of [rows, rows], in a file of their own beside the model.
    fs::path save(const char* name, std::int64_t rows) {
        Model model;
        model.ir_version = 8;
        model.opset_imports = {{"", 17}};
        GraphEdit edit(model.graph);
        edit.set_default_version(17);
        ValueId at = edit.add_input("x", Type::tensor(DType::f32, {1, rows}));
        for (const char* weight : {"w1", "w2"}) {
            Tensor values(DType::f32, {rows, rows});
            auto all = values.mutable_data<float>();
            for (std::size_t i = 0; i < all.size(); ++i) all[i] = float(i % 7) / float(rows);
            at = edit.node("MatMul", {at, edit.add_initializer(weight, std::move(values))});
        }
        edit.add_output(at);
        edit.finish();
        SaveOptions options;
        options.external_data_min_bytes = 1024;
        save_model(model, folder_ / name, options);
        return folder_ / name;
    }
    /// One product with a weight of [rows, rows] and another, whose data is a file without blocks
    /// on the disk.
    fs::path saveOfHoles(const char* name, std::uint64_t rows) {
        const std::uint64_t bytes = rows * rows * 4;
        std::ofstream(folder_ / "holes.data").close();
        fs::resize_file(folder_ / "holes.data", 2 * bytes);
        const auto weight = [&](const char* called, std::uint64_t offset) {
            const auto entry = [](const char* key, const std::string& value) {
                return message(13, message(1, key) + message(2, value));
            };
            return message(5, number(1, rows) + number(1, rows) + number(2, 1) +
                                  message(8, called) + entry("location", "holes.data") +
                                  entry("offset", std::to_string(offset)) +
                                  entry("length", std::to_string(bytes)) + number(14, 1));
        };
        const auto node = [](const char* in, const char* of, const char* out) {
            return message(
                1, message(1, in) + message(1, of) + message(2, out) + message(4, "MatMul"));
        };
        const auto end = [&](int field, const char* called) {
            const std::string shape = message(1, number(1, 1)) + message(1, number(1, rows));
            return message(field, message(1, called) +
                                      message(2, message(1, number(1, 1) + message(2, shape))));
        };
        const std::string graph = node("x", "w1", "h") + node("h", "w2", "y") +
                                  message(2, "holes") + weight("w1", 0) + weight("w2", bytes) +
                                  end(11, "x") + end(12, "y");
        std::ofstream(folder_ / name, std::ios::binary)
            << number(1, 8) + message(7, graph) + message(8, number(2, 17));
        return folder_ / name;
    }
    void open(const fs::path& file) {
        QSignalSpy changed(workbench_.get(), &app::Workbench::documentChanged),
            failed(workbench_.get(), &app::Workbench::openFailed);
        workbench_->openModel(QString::fromStdString(file.string()));
        ASSERT_TRUE(waitFor([&] { return changed.size() + failed.size() > 0; }));
        ASSERT_TRUE(failed.isEmpty());
    }
    void make(const app::Recipe& recipe) {
        workbench_->variants().request({recipe});
        ASSERT_TRUE(waitFor([&] { return workbench_->variants().isIdle(); }));
        ASSERT_NE(workbench_->variants().find(recipe), nullptr)
            << workbench_->variants().failureOf(recipe).toStdString();
    }
    TemporaryFolder folder_;
};

#ifdef __linux__

TEST_F(WeightsElsewhereTest, NoFileOfWeightsIsMapped) {
    open(save("net.onnx", 256));
    const app::DocumentPtr document = workbench_->document();
    ASSERT_EQ(document->model->external_files.size(), 1u);
    const std::string data = document->model->external_files[0].filename().string();
    EXPECT_EQ(document->summary.weight_bytes, 2u * 256 * 256 * 4);
    make(app::Recipe::plain(Level::all));
    workbench_->showVariant(workbench_->variants().find(app::Recipe::plain(Level::all)));
    for (const QString& page : {QStringLiteral("graph"), QStringLiteral("optimize"),
                                QStringLiteral("memory"), QStringLiteral("checklist")}) {
        window_->showPage(page);
        QTest::qWait(50);
    }
    ASSERT_TRUE(waitFor([&] { return workbench_->jobs().jobs().isEmpty(); }));
    runModel();
    EXPECT_FALSE(isMapped("net.onnx"));
    EXPECT_FALSE(isMapped(data)) << data;
}

TEST_F(WeightsElsewhereTest, ConversionsAndPartsAreWrittenWithAllValues) {
    open(save("net.onnx", 128));
    const std::string data = workbench_->document()->model->external_files[0].filename().string();
    ASSERT_TRUE(waitFor([&] { return workbench_->jobs().jobs().isEmpty(); }));
    command(QStringLiteral("Convert …"))->trigger();
    auto* dialog = find<ConvertDialog>("convertDialog");
    find<QCheckBox>("convertExternal")->setChecked(true);
    find<QCheckBox>("convertOpen")->setChecked(false);
    ASSERT_TRUE(waitFor([&] { return !dialog->isPreviewing(); }));
    EXPECT_EQ(dialog->changes()->topLevelItemCount(), 3) << "both weights, and their sum";
    QSignalSpy saved(dialog, &ConvertDialog::saved), failed(dialog, &ConvertDialog::failed);
    const QString whole = QString::fromStdString((folder_ / "whole.onnx").string());
    dialog->save(whole);
    ASSERT_TRUE(waitFor([&] { return saved.size() + failed.size() > 0; }));
    ASSERT_TRUE(failed.isEmpty()) << failed.front()[0].toString().toStdString();
    dialog->reject();

    window_->showPage(QStringLiteral("graph"));
    auto* page = qobject_cast<GraphPage*>(window_->page(QStringLiteral("graph")));
    QSignalSpy exported(page, &GraphPage::exported);
    const NodeId first = workbench_->document()->model->graph.nodes().front();
    page->extractTo({first}, QString::fromStdString((folder_ / "part.onnx").string()));
    ASSERT_TRUE(waitFor([&] { return !exported.isEmpty(); }));
    EXPECT_TRUE(exported.front()[1].toString().isEmpty())
        << exported.front()[1].toString().toStdString();
    EXPECT_FALSE(isMapped("net.onnx"));
    EXPECT_FALSE(isMapped(data)) << data;

    const Model source = load_model(folder_ / "net.onnx");
    const auto weightOf = [](const Model& model) {
        return *model.graph.value(model.graph.find_value("w1")).constant;
    };
    for (const char* name : {"whole.onnx", "part.onnx"})
        EXPECT_TRUE(same_contents(weightOf(load_model(folder_ / name)), weightOf(source))) << name;
}

TEST_F(WeightsElsewhereTest, TheInspectorShowsValuesAllTheSame) {
    open(save("net.onnx", 128));
    showDocks();
    const app::DocumentPtr document = workbench_->document();
    const ValueId weight = document->model->graph.find_value("w1");
    ASSERT_TRUE(document->model->graph.value(weight).constant->is_deferred());
    auto* inspector = find<InspectorPanel>("inspectorPanel");
    QSignalSpy counted(inspector, &InspectorPanel::statisticsShown);
    workbench_->focusValue(weight);
    ASSERT_TRUE(waitFor([&] { return inspector->hasStatistics(); }));
    EXPECT_TRUE(document->model->graph.value(weight).constant->is_deferred())
        << "nothing of it stays";
}

TEST_F(WeightsElsewhereTest, AModelOfAGigabyteTakesNoMemoryOfTheWindow) {
    const fs::path file = saveOfHoles("large.onnx", 11'586);
    const std::uint64_t before = bytesInMemory();
    open(file);
    EXPECT_GT(workbench_->document()->summary.weight_bytes, 1'000'000'000u);
    make(app::Recipe::plain(Level::basic));
    ASSERT_TRUE(waitFor([&] { return workbench_->jobs().jobs().isEmpty(); }));
    const std::uint64_t after = bytesInMemory();
    EXPECT_LT(after, before + 100'000'000u) << "before " << before << ", after " << after;
    RecordProperty("bytes_before", std::to_string(before));
    RecordProperty("bytes_after", std::to_string(after));
}

#endif

}  // namespace
}  // namespace lapidary::views
