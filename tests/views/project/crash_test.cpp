// SPDX-License-Identifier: Apache-2.0
// The window program is killed while its project changes; the next start must bring the project
// back. Eight times, or as often as LAPIDARY_KILLS says.
#include <gtest/gtest.h>

#include <QCoreApplication>
#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QFileInfo>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QThread>

#include <random>

#include <lapidary/onnx_io/model_io.h>
#include <lapidary/inputs/samples.h>

#include "support/time_budget.h"
#include "workbench/project/project_state.h"

namespace lapidary {
namespace {

constexpr int patience_ms = 60'000;
const double most_lost_ms = 10'000 * wall_factor;  // of what was done before a kill
constexpr int first_changes = 3;                   // lines of the script before the changes begin

QByteArray contents(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void write(const QString& path, const QByteArray& text) {
    QFile file(path);
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    file.write(text);
}

class CrashTest : public testing::Test {
protected:
    void SetUp() override {
        program_ = QCoreApplication::applicationDirPath() + QStringLiteral("/lapidary");
        if (!QFileInfo::exists(program_)) GTEST_SKIP() << "the program is not built";
        save_model(build_sample("mlp"), file("m.onnx").toStdString());
        app::ProjectState state;
        state.model = app::ModelReference{file("m.onnx")};
        state.chosen.level = Level::extended;
        state.notes = QStringLiteral("of the file");
        write(project(), app::toText(state, folder_.path()));
    }
    QString file(const char* name) const { return folder_.filePath(QString::fromLatin1(name)); }
    QString project() const { return file("p.lapidary"); }
    void start(QProcess& process, const QStringList& arguments) {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("offscreen"));
        environment.insert(QStringLiteral("XDG_CONFIG_HOME"), file("config"));
        environment.insert(QStringLiteral("XDG_STATE_HOME"), file("state"));
        process.setProcessEnvironment(environment);
        process.start(program_, arguments);
    }
    /// Lines of the script that are done; reads what is there.
    int done(QProcess& process) {
        output_ += process.readAllStandardOutput();
        const QList<QByteArray> lines = output_.split('\n');
        return lines.size() < 2 ? 0 : lines[lines.size() - 2].mid(5).toInt();
    }
    /// Number of the newest change that lies in the journal; 0: none.
    int journalled() const {
        const QDir folder(file("state/lapidary/journals"));
        for (const QFileInfo& journal :
             folder.entryInfoList({QStringLiteral("*.journal")}, QDir::Files)) {
            const auto match =
                QRegularExpression(QStringLiteral("\"chosen\": \\{[^}]*\"stop_after\": (\\d+)"))
                    .match(QString::fromUtf8(contents(journal.filePath())));
            if (match.hasMatch()) return match.captured(1).toInt();
        }
        return 0;
    }
    app::ProjectState restored() {
        write(file("check.txt"), "settle\nstate " + file("restored.json").toUtf8() + "\nquit\n");
        QFile::remove(file("restored.json"));
        QProcess process;
        start(process, {QStringLiteral("--restore"), QStringLiteral("--script"), file("check.txt"),
                        project()});
        const bool ended = process.waitForFinished(patience_ms);
        EXPECT_TRUE(ended && process.exitCode() == 0)
            << process.readAllStandardError().toStdString();
        return app::projectFromText(contents(file("restored.json")), {});
    }
    QTemporaryDir folder_;
    QString program_;
    QByteArray output_;
};

TEST_F(CrashTest, AKilledWindowComesBackWithItsProject) {
    const int rounds = qEnvironmentVariableIsSet("LAPIDARY_KILLS")
                           ? qEnvironmentVariableIntValue("LAPIDARY_KILLS")
                           : 8;
    std::mt19937 random(5);
    const QByteArray before = contents(project());
    for (int round = 0; round < rounds; ++round) {
        SCOPED_TRACE(round);
        // until all is journalled, and is killed then; else in the midst of it
        const bool waits = round % 2 == 1;
        const int changes = waits ? 5 : 400;
        QByteArray script = "open " + project().toUtf8() + "\nsettle\nnotes not yet in the file\n";
        for (int i = 1; i <= changes; ++i)
            script += "recipe {\"level\": \"extended\", \"stop_after\": " + QByteArray::number(i) +
                      "}\nwait 5\n";
        write(file("script.txt"), script + "wait 600000\nwait 1\n");
        output_.clear();
        QProcess process;
        start(process, {QStringLiteral("--script"), file("script.txt")});
        const auto changesDone = [&] { return (done(process) - first_changes + 1) / 2; };
        QElapsedTimer timer;
        timer.start();
        while (changesDone() < (waits ? changes : 1) && timer.elapsed() < patience_ms &&
               process.state() != QProcess::NotRunning)
            process.waitForReadyRead(20);
        ASSERT_GE(changesDone(), 1) << process.readAllStandardError().toStdString();
        std::vector<std::pair<qint64, int>> seen;  // when, changes done until then
        timer.restart();
        if (waits) {
            while (journalled() < changes && double(timer.elapsed()) < most_lost_ms)
                QThread::msleep(10);
            EXPECT_EQ(journalled(), changes) << "more than ten seconds would be lost";
        } else {
            const int until = int(random() % 1200);
            while (timer.elapsed() < until) {
                process.waitForReadyRead(10);
                seen.emplace_back(timer.elapsed(), changesDone());
            }
        }
        process.kill();
        ASSERT_TRUE(process.waitForFinished(patience_ms));
        const qint64 killed = timer.elapsed();
        const int last = changesDone();

        const app::ProjectState state = restored();
        const int found = int(state.chosen.stop_after.value_or(0));
        int least = waits ? changes : 0;
        for (const auto& [when, count] : seen)
            if (double(killed - when) > most_lost_ms) least = count;
        EXPECT_GE(found, least);
        EXPECT_LE(found, last + 1) << "a state that never was";
        EXPECT_EQ(state.notes, found > 0 ? QStringLiteral("not yet in the file") : state.notes);
        ASSERT_TRUE(state.model);
        EXPECT_EQ(state.model->path, file("m.onnx"));
        EXPECT_EQ(contents(project()), before) << "the file itself is as it was saved";
        EXPECT_TRUE(QDir(file("state/lapidary/journals")).entryList(QDir::Files).isEmpty())
            << "nothing is offered twice";
    }
}

}  // namespace
}  // namespace lapidary
