// SPDX-License-Identifier: Apache-2.0
// The text that goes along with a report of a fault has what helps, and no names of the user's.
#include <QDir>
#include <QFile>
#include <QLabel>
#include <QSignalSpy>
#include <QTemporaryDir>

#include <algorithm>

#include <lapidary/onnx_io/model_io.h>

#include "views/window_fixture.h"
#include "window/dialogs/diagnostics_dialog.h"
#include "window/dialogs/diagnostics_text.h"
#include "workbench/targets/machines.h"

namespace lapidary::views {
namespace {

TEST(Diagnostics, NamesAreLeftOut) {
    const QString text = withoutNames(
        QStringLiteral(
            "Opened secret.onnx: 12 nodes.\n/home/me/work/secret.onnx: node \"attention\" "
            "(MatMul) at 3 tokens/s\nother.npz beside C:\\me\\x.txt\n"),
        {QStringLiteral("secret"), QStringLiteral("a")});
    for (const char* name : {"secret", "attention", "/home", "work", "other.npz", "x.txt"})
        EXPECT_FALSE(text.contains(QLatin1String(name))) << name << " in " << text.toStdString();
    for (const char* kept : {"12 nodes", "(MatMul)", "3 tokens/s", "beside"})
        EXPECT_TRUE(text.contains(QLatin1String(kept))) << kept << " in " << text.toStdString();
}

TEST(Diagnostics, PathsMayHaveSpacesAndFollowAKnownFolder) {
    const QString text = withoutNames(
        QStringLiteral("Could not open it: /data/Project Falcon/acme radar: cannot read\n"
                       "/home/jane/Secret Customer/plan: damaged\n"
                       "The run failed: jane@board.acme.example does not answer\n"
                       "5 / 10 runs\n"),
        {QStringLiteral("/home/jane")});
    for (const char* name : {"Falcon", "radar", "Customer", "plan", "jane", "board", "example"})
        EXPECT_FALSE(text.contains(QLatin1String(name))) << name << " in " << text.toStdString();
    for (const char* kept : {"cannot read", "damaged", "does not answer", "5 / 10 runs"})
        EXPECT_TRUE(text.contains(QLatin1String(kept))) << kept << " in " << text.toStdString();
}

class DiagnosticsTest : public WindowTest {
protected:
    DiagnosticsDialog* opened() {
        command(QStringLiteral("Diagnostics …"))->trigger();
        return find<DiagnosticsDialog>("diagnosticsDialog");
    }
};

TEST_F(DiagnosticsTest, HaveVersionsSettingsAndTheLogOfTheOpenModel) {
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("confidential.onnx"));
    save_model(build_sample("mlp"), path.toStdString());
    QSettings().setValue(QStringLiteral("targets/host"), QStringLiteral("hidden.example"));
    QSettings().setValue(QStringLiteral("units/bytes"), QStringLiteral("binary"));
    workbench_->openModel(path);
    ASSERT_TRUE(waitFor([&] { return workbench_->opened() != nullptr; }));
    const DiagnosticsDialog* dialog = opened();
    ASSERT_TRUE(dialog);
    const QString text = dialog->text();
    for (const char* part :
         {"lapidary: ", "qt: ", "cpu: ", "cores: ", "setting: units/bytes = binary",
          "worker: ", "model: ", "log: ", "Opened "})
        EXPECT_TRUE(text.contains(QLatin1String(part))) << part << " in " << text.toStdString();
    for (const QString& name :
         {QStringLiteral("confidential"), folder.path(), QStringLiteral("hidden.example")})
        EXPECT_FALSE(text.contains(name)) << text.toStdString();
}

TEST_F(DiagnosticsTest, FilesThatCouldNotBeOpenedAreNotNamed) {
    const QTemporaryDir folder;
    const QString inner = folder.filePath(QStringLiteral("Project Falcon Chip/Secret Customer"));
    ASSERT_TRUE(QDir().mkpath(inner));
    QStringList paths;
    for (const char* name : {"acme radar v2.onnx", "acme sonar.json", "acme lidar.lapidary"}) {
        paths << inner + u'/' + QLatin1String(name);
        QFile file(paths.back());
        ASSERT_TRUE(file.open(QIODevice::WriteOnly));
        file.write("garbage");
    }
    QSignalSpy logged(workbench_.get(), &app::Workbench::logged);
    std::ptrdiff_t tried = 0;
    for (const QString& path : paths) {
        workbench_->openAny(path);
        ++tried;
        ASSERT_TRUE(waitFor([&] {
            return std::ranges::count_if(logged, [](const QList<QVariant>& line) {
                       return line[0].toString().startsWith(QStringLiteral("Could not open"));
                   }) == tried;
        })) << path.toStdString();
    }
    workbench_->machines().add(QStringLiteral("jane@falconboard"));
    emit workbench_->logged(QStringLiteral("The run failed: falconboard does not answer"));
    const DiagnosticsDialog* dialog = opened();
    ASSERT_TRUE(dialog);
    const QString text = dialog->text();
    for (const char* name : {"Falcon", "falcon", "Customer", "acme", "radar", "sonar", "lidar"})
        EXPECT_FALSE(text.contains(QLatin1String(name))) << name << " in " << text.toStdString();
    EXPECT_TRUE(text.contains(QStringLiteral("does not answer"))) << text.toStdString();
}

TEST_F(DiagnosticsTest, AreSavedOrItSaysWhyNot) {
    const QTemporaryDir folder;
    DiagnosticsDialog* dialog = opened();
    ASSERT_TRUE(dialog);
    const QString path = folder.filePath(QStringLiteral("d.txt"));
    dialog->saveTo(path);
    QFile file(path);
    ASSERT_TRUE(file.open(QIODevice::ReadOnly));
    EXPECT_EQ(QString::fromUtf8(file.readAll()), dialog->text());
    const auto* result = dialog->findChild<QLabel*>(QStringLiteral("diagnosticsResult"));
    const QString saved = result->text();
    dialog->saveTo(folder.filePath(QStringLiteral("absent/d.txt")));
    EXPECT_NE(result->text(), saved);
    EXPECT_FALSE(result->text().isEmpty());
}

}  // namespace
}  // namespace lapidary::views
