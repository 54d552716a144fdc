// SPDX-License-Identifier: GPL-3.0-or-later
// The window program: `lapidary [FILE]`.
#include <QCommandLineParser>
#include <QProcess>
#include <QTimer>

#include <cstdio>
#include <optional>

#include "display_check.h"
#include "graph/graph_thumbnail.h"
#include "language.h"
#include "screenshot.h"
#include "theme/interface_font.h"
#include "theme/theme.h"
#include "widgets/text/quantity.h"
#include "ui_script.h"
#include "window/main_window.h"
#include "window/window_application.h"
#include "workbench/text/build_version.h"
#include "workbench/project/journal.h"
#include "workbench/project/project.h"
#include "workbench/project/recent_files.h"
#include "workbench/project/settings.h"
#include "workbench/workbench.h"

namespace {

using namespace lapidary;

struct Options {
    QCommandLineOption page{QStringLiteral("page"),
                            QStringLiteral("Show this page first: start, graph, run …"),
                            QStringLiteral("NAME")};
    QCommandLineOption theme{QStringLiteral("theme"),
                             QStringLiteral("light, dark or system, for this start only."),
                             QStringLiteral("NAME")};
    QCommandLineOption language{QStringLiteral("language"),
                                QStringLiteral("en, de or zh_CN, for this start only."),
                                QStringLiteral("CODE")};
    QCommandLineOption sample{QStringLiteral("sample"),
                              QStringLiteral("Open a built-in sample model instead of a file."),
                              QStringLiteral("NAME")};
    QCommandLineOption run{QStringLiteral("run"),
                           QStringLiteral("Run and profile the model as soon as it is open.")};
    QCommandLineOption screenshot{
        QStringLiteral("screenshot"),
        QStringLiteral("Draw the window into this PNG file once everything is loaded, then quit. "
                       "Needs no display."),
        QStringLiteral("FILE")};
    QCommandLineOption thumbnail{QStringLiteral("thumbnail"),
                                 QStringLiteral("Draw the model's graph into this PNG file, then "
                                                "quit: what file managers call. Needs no display."),
                                 QStringLiteral("FILE")};
    QCommandLineOption restore{
        QStringLiteral("restore"),
        QStringLiteral(
            "Take up what a window that ended unexpectedly left behind, without asking.")};
    QCommandLineOption script{
        QStringLiteral("script"),
        QStringLiteral("Do what this file says, line by line (for tests and pictures)."),
        QStringLiteral("FILE")};
    QCommandLineOption size{
        QStringLiteral("size"),
        QStringLiteral("Size of the picture in pixels: of the window (1600x1000), and that a "
                       "thumbnail may have at most (256x256)."),
        QStringLiteral("WxH")};

    /// True if these arguments name something to open.
    bool opensAny(const QCommandLineParser& parser) const {
        return parser.isSet(sample) || parser.isSet(restore) ||
               !parser.positionalArguments().isEmpty();
    }

    void describe(QCommandLineParser& parser) const {
        parser.setApplicationDescription(
            QStringLiteral("Look through an ONNX model, run it and see where the time goes."));
        parser.addHelpOption();
        parser.addVersionOption();
        parser.addPositionalArgument(QStringLiteral("file"),
                                     QStringLiteral("ONNX model, project or Chrome trace to open."),
                                     QStringLiteral("[FILE]"));
        for (const auto& option :
             {page, theme, language, sample, run, restore, screenshot, thumbnail, size})
            parser.addOption(option);
        QCommandLineOption hidden = script;
        hidden.setFlags(QCommandLineOption::HiddenFromHelp);
        parser.addOption(hidden);
    }
};

bool has_argument(int argc, char** argv, std::initializer_list<const char*> names) {
    for (int i = 1; i < argc; ++i)
        for (const char* name : names)
            if (QByteArray(argv[i]) == name ||
                QByteArray(argv[i]).startsWith(QByteArray(name) + "="))
                return true;
    return false;
}

/// Drops messages about the display when a picture is drawn without one.
void report_only_failures(QtMsgType type, const QMessageLogContext&, const QString& message) {
    if (type == QtCriticalMsg || type == QtFatalMsg)
        std::fprintf(stderr, "lapidary: %s\n", qPrintable(message));
}

int complain(const QString& sentence, int code) {
    std::fprintf(stderr, "lapidary: %s\n", qPrintable(sentence));
    return code;
}

int printOnConsole(QCommandLineParser& parser, int argc, char** argv) {
    QCoreApplication console(argc, argv);
    QCoreApplication::setApplicationVersion(app::withCommit(QStringLiteral(LAPIDARY_VERSION)));
    parser.process(console);  // prints and ends the program
    return 0;
}

/// Parses the size of a picture, "1400x900"; empty if it is not valid.
std::optional<QSize> sizeOf(const QString& text, int least) {
    const QStringList sides = text.split(QLatin1Char('x'));
    const QSize size(sides.value(0).toInt(), sides.value(1).toInt());
    const auto fits = [least](int side) { return side >= least && side <= 16384; };
    return fits(size.width()) && fits(size.height()) ? std::optional(size) : std::nullopt;
}

int complainOfSize(const QString& text, int least) {
    return complain(
        QStringLiteral("--size expects WIDTHxHEIGHT from %1x%1 to 16384x16384, found \"%2\"")
            .arg(least)
            .arg(text),
        2);
}

/// Draws a picture for the thumbnailer of a file manager.
int writeThumbnail(const QStringList& files, const QString& picture, const QString& sizeText) {
    constexpr int least = 16;
    if (files.isEmpty()) return complain(QStringLiteral("--thumbnail needs a model"), 2);
    const auto size = sizeOf(sizeText.isEmpty() ? QStringLiteral("256x256") : sizeText, least);
    if (!size) return complainOfSize(sizeText, least);
    views::applyTheme(views::ThemeChoice::light);
    try {
        views::drawThumbnail(files.constFirst(), picture, *size);
    } catch (const std::exception& error) { return complain(QString::fromUtf8(error.what()), 1); }
    return 0;
}

/// Returns 0, or the exit code after an error message.
int armScreenshot(app::Screenshot& screenshot, const QCommandLineParser& parser,
                  const Options& options, const QString& page) {
    constexpr int least = 200;
    const auto size = parser.isSet(options.size) ? sizeOf(parser.value(options.size), least)
                                                 : std::optional(QSize(1600, 1000));
    if (!size) return complainOfSize(parser.value(options.size), least);
    screenshot.arm(parser.value(options.screenshot), page, parser.isSet(options.run), *size);
    return 0;
}

/// When the first document is open: shows `page` (empty: the current one), and starts a run if
/// requested.
void actOnDocument(app::Workbench& workbench, views::MainWindow& window, const QString& page,
                   bool run) {
    if (!page.isEmpty())
        QObject::connect(
            &workbench, &app::Workbench::documentChanged, &window,
            [&window, page] { window.showPage(page); }, Qt::SingleShotConnection);
    if (run)
        QObject::connect(&workbench, &app::Workbench::documentChanged, &workbench,
                         &app::Workbench::startRun, Qt::SingleShotConnection);
}

/// `arguments`: of the program, with its own name.
void openFirst(app::Workbench& workbench, const QStringList& files, const QStringList& arguments) {
    const QStringList first =
        arguments.size() <= 1 ? app::filesToReopen(workbench.recentFiles()) : files;
    if (!first.isEmpty()) workbench.openAny(first.constFirst());
}

/// Starts this program once more when the window asks for another one. A page is named so that the
/// other window does not open what this one has.
void startAnotherOnRequest(views::MainWindow& window) {
    QObject::connect(&window, &views::MainWindow::anotherWindowRequested, &window, [&window] {
        const QString program = QCoreApplication::applicationFilePath();
        if (!QProcess::startDetached(program, {QStringLiteral("--page"), QStringLiteral("start")}))
            window.showFailure(views::MainWindow::tr("%1 could not be started.").arg(program));
    });
}

/// Restores the newest journal that a crashed window left; false: there is none.
bool restoreNewest(app::Journal& journal) {
    const auto left = journal.leftBehind();
    if (left.empty()) return false;
    journal.restore(left.front());
    return true;
}

/// Theme, font, language and units of the settings, or of the command line where it names them.
void applyLook(const QCommandLineParser& parser, const Options& options) {
    views::setBytesInPowersOf1024(app::loadByteUnits() == app::ByteUnits::binary);
    views::applyTheme(views::themeFromName(parser.isSet(options.theme) ? parser.value(options.theme)
                                                                       : app::loadThemeName()));
    const app::TextLook look = app::loadTextLook();
    views::applyInterfaceFont(look.family, look.percent);
    views::applyLanguage(parser.isSet(options.language) ? parser.value(options.language)
                                                        : app::loadLanguage());
}

}  // namespace

int main(int argc, char** argv) {
    const Options options;
    QCommandLineParser parser;
    options.describe(parser);
    QCoreApplication::setApplicationVersion(QStringLiteral(LAPIDARY_VERSION));
    app::initSettings();

    if (has_argument(argc, argv, {"-h", "--help", "--help-all", "-v", "--version"}))
        return printOnConsole(parser, argc, argv);
    const bool isPicture = has_argument(argc, argv, {"--screenshot", "--thumbnail"});
    if (const auto missing = app::displayProblem(has_argument(argc, argv, {"-platform"}))) {
        if (!isPicture) return complain(*missing, 1);
        qputenv("QT_QPA_PLATFORM", "offscreen");
    }
    if (isPicture) qInstallMessageHandler(report_only_failures);

    views::WindowApplication application(argc, argv);
    QGuiApplication::setDesktopFileName(QStringLiteral("lapidary"));
    if (!parser.parse(application.arguments())) return complain(parser.errorText(), 2);
    if (parser.positionalArguments().size() > 1)
        return complain(
            QStringLiteral("expected one file, found %1").arg(parser.positionalArguments().size()),
            2);
    if (parser.isSet(options.thumbnail))
        return writeThumbnail(parser.positionalArguments(), parser.value(options.thumbnail),
                              parser.value(options.size));
    applyLook(parser, options);

    app::Workbench workbench;
    // Drawing a picture must not touch the journals of windows.
    const auto journal =
        parser.isSet(options.screenshot)
            ? nullptr
            : std::make_unique<app::Journal>(workbench.project(), app::journalFolder());
    views::MainWindow window(workbench);
    startAnotherOnRequest(window);
    const QString page = parser.value(options.page);
    if (!page.isEmpty() && !window.pageIds().contains(page))
        return complain(QStringLiteral("there is no page \"%1\"; the pages are %2")
                            .arg(page, window.pageIds().join(QStringLiteral(", "))),
                        2);

    QObject::connect(&application, &views::WindowApplication::failed, &window,
                     &views::MainWindow::showFailure);

    app::UiScript script(workbench, window);
    if (parser.isSet(options.script))
        if (const QString problem = script.load(parser.value(options.script)); !problem.isEmpty())
            return complain(problem, 2);
    app::Screenshot screenshot(workbench, window);
    screenshot.waitFor([&script] { return script.isDone(); });
    if (parser.isSet(options.screenshot)) {
        if (const int problem = armScreenshot(screenshot, parser, options, page); problem != 0)
            return problem;
    } else {
        actOnDocument(workbench, window, options.opensAny(parser) ? page : QString(),
                      parser.isSet(options.run));
    }
    window.show();
    if (!page.isEmpty()) window.showPage(page);
    bool restored = false;
    try {
        if (journal && parser.isSet(options.restore)) restored = restoreNewest(*journal);
        else if (journal) window.watchJournal(journal.get());
    } catch (const Error& error) { return complain(QString::fromUtf8(error.what()), 1); }
    if (parser.isSet(options.sample)) workbench.openSample(parser.value(options.sample));
    else if (!restored) openFirst(workbench, parser.positionalArguments(), application.arguments());
    if (parser.isSet(options.script)) script.start();
    return application.exec();
}
