// SPDX-License-Identifier: Apache-2.0
// The help inside the program: a page for every page of the window, F1 in dialogs, pictures; the
// look for a newer version; thumbnails.
#include <QAction>
#include <QDialog>
#include <QFile>
#include <QFileDialog>
#include <QListWidget>
#include <QMessageBox>
#include <QTemporaryDir>
#include <QTextBlock>
#include <QTextBrowser>

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>

#include <lapidary/onnx_io/model_io.h>

#include "graph/graph_thumbnail.h"
#include "optimize/export_dialog.h"
#include "panels/values/value_viewer.h"
#include "support/test_data.h"
#include "widgets/cards/message_banner.h"
#include "window/dialogs/about_dialog.h"
#include "window/find/command_palette.h"
#include "window/dialogs/convert_dialog.h"
#include "window/dialogs/diagnostics_dialog.h"
#include "window/dialogs/diagnostics_text.h"
#include "graph/forms/edit_form_dialog.h"
#include "window/dialogs/edit_dialog.h"
#include "window/help/code_blocks.h"
#include "window/help/help_menu.h"
#include "window/help/help_window.h"
#include "window/dialogs/plugins_dialog.h"
#include "window/dialogs/targets_dialog.h"
#include "window/dialogs/settings_dialog.h"
#include "window/dialogs/snippet_dialog.h"
#include "window/help/shortcut_sheet.h"
#include "window/sizes_chip.h"
#include "views/window_fixture.h"
#include "workbench/jobs/newer_version.h"

namespace lapidary::views {
namespace {

// The blocks are those of Qt's reader of Markdown.
TEST(CodeBlocks, StandApartFromTheText) {
    QTextDocument document;
    document.setMarkdown(QStringLiteral("before\n\n```sh\nfirst\nlast\n```\n\nafter\n"));
    for (int time = 0; time < 2; ++time) {
        setCodeBlocksApart(document);
        QList<QTextBlockFormat> code;
        for (QTextBlock block = document.begin(); block.isValid(); block = block.next())
            if (block.text() == QLatin1String("first") || block.text() == QLatin1String("last"))
                code << block.blockFormat();
        ASSERT_EQ(code.size(), 2);
        for (const QTextBlockFormat& format : code) EXPECT_GT(format.leftMargin(), 0);
        EXPECT_GT(code[0].topMargin(), 0);
        EXPECT_EQ(code[0].bottomMargin(), 0) << "lines of a block stay together";
        EXPECT_EQ(code[1].topMargin(), 0);
        EXPECT_GT(code[1].bottomMargin(), 0);
    }
}

class HelpTest : public WindowTest {
protected:
    HelpMenu* menu() const { return find<HelpMenu>("helpMenu"); }
    /// Shown at last; empty: none.
    QString shown() const {
        return menu()->helpWindow() ? menu()->helpWindow()->currentPage() : QString();
    }
    static QString written(const QTemporaryDir& folder, const char* name, const char* text) {
        QFile file(folder.filePath(QLatin1String(name)));
        EXPECT_TRUE(file.open(QIODevice::WriteOnly));
        file.write(text);
        return file.fileName();
    }
    /// What the expression's first group takes up, of all sources of the window.
    static std::set<std::string> named(const char* expression) {
        const std::regex pattern(expression);
        std::set<std::string> found;
        for (const auto& entry :
             std::filesystem::recursive_directory_iterator(source_folder() / "views")) {
            if (entry.path().extension() != ".cpp" && entry.path().extension() != ".h") continue;
            std::ifstream file(entry.path());
            for (std::string line; std::getline(file, line);)
                if (std::smatch match; std::regex_search(line, match, pattern))
                    found.insert(match[1]);
        }
        return found;
    }
    /// Opens it, presses F1 where the keyboard is, and closes both.
    void expectHelp(QDialog& dialog) {
        const std::string name = dialog.metaObject()->className();
        const QString own = dialog.property("helpPage").toString();
        dialog.open();
        QTest::keyClick(dialog.focusWidget() ? dialog.focusWidget() : &dialog, Qt::Key_F1);
        ASSERT_NE(menu()->helpWindow(), nullptr) << name;
        EXPECT_TRUE(menu()->helpWindow()->isVisible()) << name;
        EXPECT_EQ(shown(), own.isEmpty() ? QStringLiteral("page-optimize") : own) << name;
        menu()->helpWindow()->close();
        dialog.close();
    }
};

TEST_F(HelpTest, EveryPageOpensItsOwn) {
    openSample("mlp");
    for (const QString& id : window_->pageIds()) {
        ASSERT_TRUE(HelpWindow::hasPage(QStringLiteral("page-") + id)) << id.toStdString();
        window_->showPage(id);
        window_->activateWindow();
        ASSERT_TRUE(QTest::qWaitForWindowActive(window_.get(), patience_ms));
        QTest::keyClick(window_.get(), Qt::Key_F1);
        EXPECT_EQ(shown(), QStringLiteral("page-") + id);
        EXPECT_TRUE(menu()->helpWindow()->isVisible());
        auto* text = menu()->helpWindow()->findChild<QTextBrowser*>(QStringLiteral("helpText"));
        const QString words = text->toPlainText(), picture = QStringLiteral("page-%1.png").arg(id);
        EXPECT_TRUE(words.section(u'\n', 1, 1).endsWith(u'?'))
            << id.toStdString() << ": no question comes first";
        EXPECT_TRUE(text->toHtml().contains(picture)) << id.toStdString() << ": no picture";
        const QUrl url(QStringLiteral("qrc:/help/") + picture);
        EXPECT_GT(text->loadResource(QTextDocument::ImageResource, url).value<QImage>().width(),
                  400)
            << picture.toStdString();
        EXPECT_TRUE(words.contains(QStringLiteral("Keys: "))) << id.toStdString();
        menu()->helpWindow()->close();
    }
}

TEST_F(HelpTest, ADialogOpensThePageThatItWasOpenedFromOrItsOwn) {
    openSample("mlp");
    window_->showPage(QStringLiteral("memory"));
    AboutDialog about(window_.get());
    about.open();
    QTest::keyClick(&about, Qt::Key_F1);
    EXPECT_EQ(shown(), QStringLiteral("page-memory"));
    about.setProperty("helpPage", QStringLiteral("faq"));
    QTest::keyClick(&about, Qt::Key_F1);
    EXPECT_EQ(shown(), QStringLiteral("faq"));
}

TEST_F(HelpTest, EveryDialogOpensAPageThatIsThere) {
    openSample("mlp");
    window_->showPage(QStringLiteral("optimize"));
    QWidget* parent = window_.get();
    std::vector<std::unique_ptr<QDialog>> dialogs;
    dialogs.push_back(std::make_unique<AboutDialog>(parent));
    dialogs.push_back(std::make_unique<CommandPalette>(*workbench_, parent));
    dialogs.push_back(std::make_unique<ConvertDialog>(*workbench_, parent));
    dialogs.push_back(
        std::make_unique<DiagnosticsDialog>(diagnosticsText(*workbench_, {}), parent));
    dialogs.push_back(std::make_unique<EditDialog>(*workbench_, parent));
    dialogs.push_back(std::make_unique<EditFormDialog>(*workbench_, QStringLiteral("opset VERSION"),
                                                       EditTarget(), parent));
    dialogs.push_back(std::make_unique<ExportDialog>(*workbench_, app::Recipe{}, parent));
    dialogs.push_back(std::make_unique<PluginsDialog>(workbench_->plugins(), parent));
    dialogs.push_back(std::make_unique<SettingsDialog>(*workbench_, parent));
    dialogs.push_back(std::make_unique<ShortcutSheet>(window_->actions(), parent));
    dialogs.push_back(std::make_unique<SizesDialog>(*workbench_, parent));
    dialogs.push_back(std::make_unique<SnippetDialog>(*workbench_, parent));
    dialogs.push_back(std::make_unique<TargetsDialog>(workbench_->machines(), parent));
    dialogs.push_back(std::make_unique<ValueViewer>(*workbench_, parent));
    std::set<std::string> tried;
    for (const auto& dialog : dialogs) {
        expectHelp(*dialog);
        tried.insert(dialog->metaObject()->className() +
                     std::string_view("lapidary::views::").size());
    }
    EXPECT_EQ(tried, named(R"(^class (\w+)(?: final)? : public QDialog\b)"))
        << "a dialog that this test leaves out";
}

TEST_F(HelpTest, QuestionsAndFileDialogsOpenAPageToo) {
    openSample("mlp");
    window_->showPage(QStringLiteral("optimize"));
    const QString asked = QStringLiteral("Really?");
    QMessageBox question(QMessageBox::Question, asked, asked, QMessageBox::Ok, window_.get());
    expectHelp(question);
    QFileDialog file(window_.get());
    expectHelp(file);
}

TEST_F(HelpTest, PagesThatDialogsNameAreThere) {
    const std::set<std::string> pages =
        named(R"rx(setProperty\("helpPage", QStringLiteral\("([\w-]+)"\)\))rx");
    EXPECT_GT(pages.size(), 3u);
    for (const std::string& page : pages)
        EXPECT_TRUE(HelpWindow::hasPage(QString::fromStdString(page))) << page;
}

TEST_F(HelpTest, ListsPagesFindsTextAndGoesBack) {
    HelpWindow help;
    ASSERT_TRUE(help.showPage(QStringLiteral("contents")));
    EXPECT_FALSE(help.showPage(QStringLiteral("no such page")));
    auto* pages = help.findChild<QListWidget*>(QStringLiteral("helpPages"));
    auto* text = help.findChild<QTextBrowser*>(QStringLiteral("helpText"));
    ASSERT_TRUE(pages && text);
    EXPECT_GT(pages->count(), 20);
    for (int row = 0; row < pages->count(); ++row) {
        if (pages->item(row)->data(Qt::UserRole).toString().isEmpty()) continue;  // a heading
        pages->setCurrentRow(row);
        EXPECT_EQ(help.currentPage(), pages->item(row)->data(Qt::UserRole).toString());
        EXPECT_GT(text->toPlainText().size(), 300) << help.currentPage().toStdString();
        EXPECT_FALSE(text->toPlainText().contains(QLatin1String("```")))
            << help.currentPage().toStdString();
    }
    ASSERT_TRUE(help.showPage(QStringLiteral("passes")));
    help.findChild<QLineEdit*>(QStringLiteral("helpFind"))->setText(QStringLiteral("fuse_gelu"));
    EXPECT_EQ(text->textCursor().selectedText(), QStringLiteral("fuse_gelu"));
    text->backward();
    EXPECT_NE(help.currentPage(), QStringLiteral("passes"));
}

TEST_F(HelpTest, PicturesAreThereAndFitThePage) {
    HelpWindow help;
    ASSERT_TRUE(help.showPage(QStringLiteral("tutorial")));
    auto* text = help.findChild<QTextBrowser*>(QStringLiteral("helpText"));
    for (const char* name : {"tutorial-run.png", "tutorial-optimize.png"}) {
        const QUrl url(QStringLiteral("qrc:/help/") + QLatin1String(name));
        const auto image = text->loadResource(QTextDocument::ImageResource, url).value<QImage>();
        EXPECT_GT(image.width(), 400) << name;
        EXPECT_LE(image.width(), 720) << name;
    }
}

TEST_F(HelpTest, NamesTheVersionOfAFileOrSaysWhyNot) {
    const QTemporaryDir folder;
    EXPECT_EQ(app::versionNamedBy(written(folder, "a.txt", "0.2.0\n")), QStringLiteral("0.2.0"));
    EXPECT_EQ(app::versionNamedBy(written(folder, "b.txt", "v1.10")), QStringLiteral("1.10"));
    const char* changelog = "# Changelog\n\nText.\n\n## 0.3.1 (2027-01-01)\n\n## 0.2.0\n";
    EXPECT_EQ(app::versionNamedBy(written(folder, "c.md", changelog)), QStringLiteral("0.3.1"));
    for (const char* text : {"", "no version", "1", "0.2.0 and more on the line", "\xff\xfe\x00"})
        EXPECT_THROW(app::versionNamedBy(written(folder, "d.txt", text)), Error) << text;
    EXPECT_THROW(app::versionNamedBy(folder.filePath(QStringLiteral("absent"))), Error);
    EXPECT_THROW(app::versionNamedBy(folder.path()), Error);
    EXPECT_TRUE(app::isNewer(QStringLiteral("0.10.0"), QStringLiteral("0.9.1")));
    EXPECT_FALSE(app::isNewer(QStringLiteral("0.9"), QStringLiteral("0.9.0")));
    EXPECT_FALSE(app::isNewer(QStringLiteral("0.8.9"), QStringLiteral("0.9.0")));
}

TEST_F(HelpTest, LooksForANewerVersionOnlyWhenSwitchedOn) {
    const QTemporaryDir folder;
    auto* action = find<QAction>("lookForNewerVersion");
    EXPECT_FALSE(action->isChecked());
    EXPECT_FALSE(app::loadNewerVersionSettings().look);
    action->trigger();
    auto* dialog = find<QFileDialog>("versionFileDialog");
    EXPECT_FALSE(action->isChecked()) << "no file is chosen yet";
    emit dialog->fileSelected(written(folder, "newest.txt", "999.0.0\n"));
    dialog->close();
    EXPECT_TRUE(action->isChecked());
    EXPECT_TRUE(app::loadNewerVersionSettings().look);
    const auto* banner = find<MessageBanner>("versionBanner");
    ASSERT_TRUE(waitFor([&] { return banner->isVisible(); }));
    EXPECT_TRUE(banner->title().contains(QStringLiteral("999.0.0")));
    openSample("mlp");
    EXPECT_TRUE(banner->isVisible()) << "opening a model took it away";

    written(folder, "newest.txt", "0.0.1\n");
    menu()->lookForNewerVersion();
    ASSERT_TRUE(waitFor([&] { return !banner->isVisible(); })) << "an older version is no news";
    QFile::remove(folder.filePath(QStringLiteral("newest.txt")));
    menu()->lookForNewerVersion();
    ASSERT_TRUE(waitFor([&] { return banner->isVisible(); }));
    EXPECT_EQ(banner->kind(), MessageBanner::Kind::warning);
    EXPECT_TRUE(banner->text().contains(QStringLiteral("newest.txt")))
        << banner->text().toStdString();

    action->trigger();
    EXPECT_FALSE(action->isChecked());
    EXPECT_FALSE(app::loadNewerVersionSettings().look);
}

TEST_F(HelpTest, ThumbnailsShowTheBeginningOfAGraphWithinTheirSize) {
    const QTemporaryDir folder;
    for (const char* name : {"mlp", "squeezenet", "bert-tiny"}) {
        const QString model = folder.filePath(QStringLiteral("net.onnx"));
        const QString picture = folder.filePath(QStringLiteral("t.png"));
        save_model(build_sample(name), model.toStdString());
        drawThumbnail(model, picture, QSize(128, 128));
        const QImage image(picture);
        ASSERT_FALSE(image.isNull()) << name;
        EXPECT_LE(image.width(), 128) << name;
        EXPECT_LE(image.height(), 128) << name;
        EXPECT_GT(std::max(image.width(), image.height()), 64) << name;
        QSet<QRgb> colors;
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x) colors.insert(image.pixel(x, y));
        EXPECT_GT(colors.size(), 8) << name << " shows nothing";
    }
    EXPECT_THROW(drawThumbnail(written(folder, "broken.onnx", "no model"),
                               folder.filePath(QStringLiteral("b.png")), QSize(64, 64)),
                 Error);
    EXPECT_FALSE(QFile::exists(folder.filePath(QStringLiteral("b.png"))));
}

}  // namespace
}  // namespace lapidary::views
