// SPDX-License-Identifier: Apache-2.0
// The tasks of tests/peers/edit_tasks.py in the window: it writes the bytes that the same script
// gives on the command line. After undo it writes those that it wrote before the edit.
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSignalSpy>

#include <gtest/gtest.h>

#include <lapidary/edit/apply_edits.h>
#include <lapidary/internal/text_file.h>
#include <lapidary/onnx_io/model_io.h>
#include <lapidary/onnx_io/save_beside_weights.h>

#include "optimize/export_dialog.h"
#include "support/test_data.h"
#include "views/window_fixture.h"
#include "workbench/project/project.h"

namespace lapidary::views {
namespace {

constexpr std::uint64_t mostBytes = 1u << 20;

struct EditTask {
    std::string name, script;
    std::filesystem::path model;  // in a folder with the files that the script names
};

void writeBytes(const std::filesystem::path& path, const QJsonValue& base64) {
    QFile file(QString::fromStdString(path.string()));
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    file.write(QByteArray::fromBase64(base64.toString().toLatin1()));
}

std::vector<EditTask> editTasks(const std::filesystem::path& folder) {
    const std::string text = load_text(fixtures_folder() / "edits" / "tasks.json", mostBytes);
    const QJsonDocument document = QJsonDocument::fromJson(QByteArray::fromStdString(text));
    std::vector<EditTask> tasks;
    for (const QJsonValue& value : document.array()) {
        const QJsonObject object = value.toObject();
        EditTask& task = tasks.emplace_back();
        task.name = object[QStringLiteral("name")].toString().toStdString();
        for (const QJsonValue& line : object[QStringLiteral("script")].toArray())
            task.script += line.toString().toStdString() + "\n";
        const std::filesystem::path place = folder / task.name;
        std::filesystem::create_directory(place);
        task.model = place / "model.onnx";
        writeBytes(task.model, object[QStringLiteral("model")]);
        const QJsonObject files = object[QStringLiteral("files")].toObject();
        for (auto at = files.begin(); at != files.end(); ++at)
            writeBytes(place / at.key().toStdString(), at.value());
    }
    return tasks;
}

/// What `lapidary-cli edit` writes.
std::string bytesOfScript(const EditTask& task) {
    Model model = load_model(task.model);
    EditScript script = parse_edit_script(task.script);
    script.folder = task.model.parent_path();
    apply_edits(model, script);
    const std::filesystem::path file = task.model.parent_path() / "by_script.onnx";
    save_beside_weights(model, file);
    return load_text(file, mostBytes);
}

class EditedBytesTest : public testing::Test {
protected:
    void SetUp() override { QSettings().clear(); }
    template <typename Predicate>
    static bool waitFor(Predicate predicate) {
        return QTest::qWaitFor(predicate, patience_ms);
    }
    /// What the Export dialog writes of the model in force.
    std::string exported(const EditTask& task) {
        ExportDialog dialog(workbench_, workbench_.recipeInForce());
        EXPECT_EQ(dialog.isAsItIs(), !workbench_.recipeInForce().isOriginal()) << task.name;
        const std::filesystem::path file = task.model.parent_path() / "by_window.onnx";
        std::filesystem::remove(file);
        dialog.setPath(QString::fromStdString(file.string()));
        QSignalSpy saved(&dialog, &ExportDialog::saved), failed(&dialog, &ExportDialog::failed);
        dialog.save();
        EXPECT_TRUE(waitFor([&] { return saved.size() + failed.size() > 0; })) << task.name;
        if (saved.isEmpty()) {
            ADD_FAILURE() << task.name << ": " << failed.value(0).value(0).toString().toStdString();
            return {};
        }
        return load_text(file, mostBytes);
    }
    bool isInForce(const app::Recipe& recipe) {
        return waitFor([&] { return workbench_.recipeInForce() == recipe; });
    }

    const TemporaryFolder folder_;
    app::Workbench workbench_;
};

TEST_F(EditedBytesTest, WindowAndScriptWriteTheSameAndUndoTheOriginal) {
    const std::vector<EditTask> tasks = editTasks(folder_.path());
    EXPECT_GE(tasks.size(), 30u);
    for (const EditTask& task : tasks) {
        workbench_.openModel(QString::fromStdString(task.model.string()));
        ASSERT_TRUE(waitFor([&] {
            const app::DocumentPtr opened = workbench_.opened();
            return opened && opened->model->path == task.model;
        })) << task.name;
        const std::string before = exported(task);
        app::Recipe edits;
        edits.edits = task.script;
        workbench_.choose(edits, QStringLiteral("edit the model"));
        ASSERT_TRUE(isInForce(edits)) << task.name;
        const std::string edited = exported(task);
        EXPECT_EQ(edited == bytesOfScript(task), true) << task.name << ": other bytes";
        EXPECT_EQ(edited == before, false) << task.name << " changed nothing";
        workbench_.project().undoStack().undo();
        ASSERT_TRUE(isInForce({})) << task.name;
        EXPECT_EQ(exported(task) == before, true) << task.name << ": undo gives other bytes";
        workbench_.project().undoStack().redo();
        ASSERT_TRUE(isInForce(edits)) << task.name;
        EXPECT_EQ(exported(task) == edited, true) << task.name << ": redo gives other bytes";
        workbench_.project().undoStack().undo();
    }
}

/// The command that the dialog shows is the one that writes these bytes.
TEST_F(EditedBytesTest, TheCommandIsThatOfTheEditsAlone) {
    const EditTask task = editTasks(folder_.path()).front();
    workbench_.openModel(QString::fromStdString(task.model.string()));
    ASSERT_TRUE(waitFor([&] { return workbench_.opened() != nullptr; }));
    app::Recipe edits;
    edits.edits = task.script;
    workbench_.choose(edits, QStringLiteral("edit the model"));
    ASSERT_TRUE(isInForce(edits));
    ExportDialog dialog(workbench_, edits);
    dialog.setPath(QString::fromStdString((folder_ / "out.onnx").string()));
    ASSERT_TRUE(dialog.isAsItIs());
    EXPECT_TRUE(dialog.command().startsWith(QStringLiteral("lapidary-cli edit")));
    EXPECT_FALSE(dialog.command().contains(u'\n')) << dialog.command().toStdString();
    dialog.setTarget(ExportTarget::portable);
    EXPECT_FALSE(dialog.isAsItIs());
    EXPECT_TRUE(dialog.command().contains(QStringLiteral("--target portable")));
}

}  // namespace
}  // namespace lapidary::views
