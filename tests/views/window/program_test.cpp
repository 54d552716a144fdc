// SPDX-License-Identifier: Apache-2.0
// The window program as its users start it.
#include <gtest/gtest.h>

#include <QCoreApplication>
#include <QFile>
#include <QFileInfo>
#include <QImage>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>

#include <lapidary/onnx_io/model_io.h>
#include <lapidary/inputs/samples.h>

namespace lapidary {
namespace {

class ProgramTest : public testing::Test {
protected:
    void SetUp() override {
        program_ = QCoreApplication::applicationDirPath() + QStringLiteral("/lapidary");
        if (!QFileInfo::exists(program_)) GTEST_SKIP() << "the program is not built";
        ASSERT_TRUE(folder_.isValid());
    }
    struct Result {
        int code = -1;
        QString out, err;
    };
    /// Without any display.
    Result start(const QStringList& arguments, const QString& display = {}) {
        QProcess process;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"})
            environment.remove(QLatin1String(name));
        if (!display.isEmpty()) environment.insert(QStringLiteral("DISPLAY"), display);
        environment.insert(QStringLiteral("XDG_CONFIG_HOME"), folder_.path());
        process.setProcessEnvironment(environment);
        process.start(program_, arguments);
        if (!process.waitForFinished(60'000) || process.exitStatus() != QProcess::NormalExit) {
            process.kill();
            return {};
        }
        return {process.exitCode(), QString::fromUtf8(process.readAllStandardOutput()),
                QString::fromUtf8(process.readAllStandardError())};
    }
    QString program_;
    QTemporaryDir folder_;
};

TEST_F(ProgramTest, VersionAndHelpNeedNoDisplay) {
    const Result version = start({QStringLiteral("--version")});
    EXPECT_EQ(version.code, 0);
    const QRegularExpression form(
        QStringLiteral("^lapidary \\d+\\.\\d+\\.\\d+ \\(commit [\\w.-]+\\)\n$"));
    EXPECT_TRUE(form.match(version.out).hasMatch()) << version.out.toStdString();
    const Result help = start({QStringLiteral("--help")});
    EXPECT_EQ(help.code, 0);
    EXPECT_TRUE(help.out.contains(QStringLiteral("--screenshot")));
}

TEST_F(ProgramTest, SaysThatThereIsNoDisplayInsteadOfAborting) {
    for (const QString& display : {QString(), QStringLiteral(":987")}) {
        const Result result = start({}, display);
        EXPECT_EQ(result.code, 1);
        EXPECT_TRUE(result.err.contains(QStringLiteral("display"))) << result.err.toStdString();
        EXPECT_EQ(result.err.count(QLatin1Char('\n')), 1) << result.err.toStdString();
    }
}

TEST_F(ProgramTest, DrawsAScreenshotOfAProfiledModelWithoutADisplay) {
    const QString model = folder_.filePath(QStringLiteral("mlp.onnx")),
                  picture = folder_.filePath(QStringLiteral("p.png"));
    save_model(build_sample("mlp"), model.toStdString());
    const Result result =
        start({QStringLiteral("--run"), QStringLiteral("--page"), QStringLiteral("run"),
               QStringLiteral("--theme"), QStringLiteral("dark"), QStringLiteral("--size"),
               QStringLiteral("900x700"), QStringLiteral("--screenshot"), picture, model});
    EXPECT_EQ(result.code, 0) << result.err.toStdString();
    EXPECT_TRUE(result.err.isEmpty()) << result.err.toStdString();
    const QImage image(picture);
    EXPECT_GE(image.width(), 900);
    EXPECT_LT(image.pixelColor(5, 5).lightness(), 90);
}

TEST_F(ProgramTest, FailsWithTheReason) {
    const QString broken = folder_.filePath(QStringLiteral("broken.onnx"));
    QFile file(broken);
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    file.write("this is no model");
    file.close();
    const QString picture = folder_.filePath(QStringLiteral("p.png"));
    const Result model = start({QStringLiteral("--screenshot"), picture, broken});
    EXPECT_EQ(model.code, 1);
    EXPECT_TRUE(model.err.contains(QStringLiteral("broken.onnx"))) << model.err.toStdString();
    EXPECT_FALSE(QFileInfo::exists(picture));
    EXPECT_EQ(start({QStringLiteral("--screenshot"), picture, QStringLiteral("--page"),
                     QStringLiteral("nowhere")})
                  .code,
              2);
    EXPECT_EQ(
        start({QStringLiteral("--screenshot"), picture, QStringLiteral("--no-such-option")}).code,
        2);
    EXPECT_EQ(start({QStringLiteral("--screenshot"), picture, QStringLiteral("--size"),
                     QStringLiteral("9x9")})
                  .code,
              2);
}

// A script opens the menu of a node; its picture has the menu.
TEST_F(ProgramTest, APictureOfAScriptHasTheOpenMenu) {
    const QString model = folder_.filePath(QStringLiteral("mlp.onnx")),
                  script = folder_.filePath(QStringLiteral("script.txt")),
                  plain = folder_.filePath(QStringLiteral("plain.png")),
                  menu = folder_.filePath(QStringLiteral("menu.png"));
    const Model sample = build_sample("mlp");
    save_model(sample, model.toStdString());
    const QString node =
        QString::fromStdString(sample.graph.node(sample.graph.nodes().front()).name);
    QFile file(script);
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    file.write(QStringLiteral("settle\npage graph\nsettle\nnode %1\nsettle\npicture %2\nmenu\n"
                              "wait 200\nsettle\npicture %3\nclose\nsettle\n")
                   .arg(node, plain, menu)
                   .toUtf8());
    file.close();
    const Result result = start(
        {QStringLiteral("--size"), QStringLiteral("900x700"), QStringLiteral("--screenshot"),
         folder_.filePath(QStringLiteral("end.png")), QStringLiteral("--script"), script, model});
    EXPECT_EQ(result.code, 0) << result.err.toStdString();
    const QImage before(plain), after(menu);
    ASSERT_FALSE(before.isNull() || after.isNull()) << result.err.toStdString();
    EXPECT_EQ(before.size(), after.size());
    EXPECT_NE(before, after);
}

}  // namespace
}  // namespace lapidary
