// SPDX-License-Identifier: Apache-2.0
// Tables as CSV and text, widgets as pictures.
#include <gtest/gtest.h>

#include <QApplication>
#include <QClipboard>
#include <QFile>
#include <QImage>
#include <QKeyEvent>
#include <QMenu>
#include <QStandardItemModel>
#include <QTemporaryDir>
#include <QTreeView>

#include <lapidary/internal/shown_text.h>

#include "models/rows_model.h"
#include "widgets/plot/picture_export.h"
#include "widgets/plot/plot.h"
#include "widgets/text/quantity.h"
#include "widgets/table/table_export.h"
#include "widgets/table/table_view.h"

namespace lapidary::views {
namespace {

struct Row {
    QString name;
    double ms = 0;
};

const Column<Row> columns[] = {
    {"Name", [](const Row& r) -> QVariant { return r.name; }},
    {"Time", [](const Row& r) -> QVariant { return r.ms; },
     [](const Row& r) { return r.ms < 0 ? QStringLiteral("–") : formatMilliseconds(r.ms); }},
    {"Hidden", [](const Row&) -> QVariant { return 7; }},
};

class ExportTest : public testing::Test {
protected:
    ExportTest() : model_(columns), view_(QStringLiteral("test")) {
        model_.setRows(std::vector<Row>{{QStringLiteral("a, \"b\""), 1.25},
                                        {QStringLiteral("c"), -1},
                                        {QStringLiteral("d"), 0.5}});
        view_.setModel(&model_);
        view_.setColumnHidden(2, true);
    }
    QTemporaryDir folder_;
    RowsModel<Row> model_;
    TableView view_;
};

TEST_F(ExportTest, CsvHasPlainNumbersAndQuotes) {
    EXPECT_EQ(csvOf(view_),
              QStringLiteral("Name,Time\r\n\"a, \"\"b\"\"\",1.25\r\nc,–\r\nd,0.5\r\n"));
    EXPECT_EQ(csv_field("two\nlines"), "\"two\nlines\"");
}

TEST_F(ExportTest, CsvFollowsOrderAndFilter) {
    model_.sort(1, Qt::DescendingOrder);
    model_.setFilter(QStringLiteral("s"));  // of "ms" and "µs": the row without a time is out
    EXPECT_EQ(csvOf(view_), QStringLiteral("Name,Time\r\n\"a, \"\"b\"\"\",1.25\r\nd,0.5\r\n"));
}

TEST_F(ExportTest, CopyTakesTheSelectionOrAll) {
    EXPECT_EQ(shownText(view_).count(u'\n'), 4);
    view_.selectionModel()->select(model_.index(2, 0),
                                   QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    EXPECT_EQ(shownText(view_), QStringLiteral("Name\tTime\nd\t%1\n").arg(formatMilliseconds(0.5)));
    QKeyEvent copy(QEvent::KeyPress, Qt::Key_C, Qt::ControlModifier);
    QApplication::sendEvent(&view_, &copy);
    EXPECT_EQ(QApplication::clipboard()->text(), shownText(view_));
}

TEST_F(ExportTest, MarkdownHasTheCellsAsShown) {
    EXPECT_EQ(markdownOf(view_), QStringLiteral("| Name | Time |\n| --- | --: |\n"
                                                "| a, \"b\" | %1 |\n| c | – |\n| d | %2 |\n")
                                     .arg(formatMilliseconds(1.25), formatMilliseconds(0.5)));
    model_.setRows(std::vector<Row>{{QStringLiteral("a|b*  c"), 1}});
    EXPECT_TRUE(markdownOf(view_).endsWith(
        QStringLiteral("| a\\|b\\* c | %1 |\n").arg(formatMilliseconds(1))))
        << markdownOf(view_).toStdString();
}

TEST_F(ExportTest, CopiesAsMarkdownAndCsvTakeTheSelectedRows) {
    view_.selectionModel()->select(model_.index(2, 0),
                                   QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    QMenu menu;
    addTableActions(menu, view_);
    menu.findChild<QAction*>(QStringLiteral("copyMarkdown"))->trigger();
    EXPECT_EQ(QApplication::clipboard()->text(),
              QStringLiteral("| Name | Time |\n| --- | --: |\n| d | %1 |\n")
                  .arg(formatMilliseconds(0.5)));
    menu.findChild<QAction*>(QStringLiteral("copyCsv"))->trigger();
    EXPECT_EQ(csvOf(view_, TableRows::selected), QStringLiteral("Name,Time\r\nd,0.5\r\n"));
    EXPECT_EQ(QApplication::clipboard()->text().remove(u'\r'),
              QStringLiteral("Name,Time\nd,0.5\n"));
    EXPECT_EQ(csvOf(view_).count(u'\n'), 4) << "a file has all rows";
}

TEST_F(ExportTest, TheMenuChoosesColumns) {
    QMenu menu;
    addTableActions(menu, view_);
    auto* columns = menu.findChild<QMenu*>(QStringLiteral("tableColumns"));
    ASSERT_NE(columns, nullptr);
    ASSERT_EQ(columns->actions().size(), 3);
    EXPECT_FALSE(columns->actions()[0]->isEnabled()) << "one column stays";
    EXPECT_TRUE(columns->actions()[1]->isChecked());
    EXPECT_FALSE(columns->actions()[2]->isChecked());
    columns->actions()[2]->trigger();
    EXPECT_FALSE(view_.isColumnHidden(2));
    columns->actions()[1]->trigger();
    EXPECT_TRUE(view_.isColumnHidden(1));
    EXPECT_TRUE(csvOf(view_).startsWith(QStringLiteral("Name,Hidden\r\n")));
}

TEST_F(ExportTest, TreesAreWrittenDepthFirst) {
    QStandardItemModel tree;
    tree.setHorizontalHeaderLabels({QStringLiteral("What")});
    auto* first = new QStandardItem(QStringLiteral("first"));
    first->appendRow(new QStandardItem(QStringLiteral("inner")));
    tree.appendRow(first);
    tree.appendRow(new QStandardItem(QStringLiteral("second")));
    QTreeView view;
    view.setModel(&tree);
    EXPECT_EQ(csvOf(view), QStringLiteral("What\r\nfirst\r\ninner\r\nsecond\r\n"));
}

TEST_F(ExportTest, SavingSaysWhyNot) {
    const QString path = folder_.filePath(QStringLiteral("t.csv"));
    EXPECT_TRUE(saveTableTo(view_, path).isEmpty());
    QFile file(path);
    ASSERT_TRUE(file.open(QIODevice::ReadOnly));
    EXPECT_EQ(QString::fromUtf8(file.readAll()), csvOf(view_));
    EXPECT_FALSE(saveTableTo(view_, folder_.filePath(QStringLiteral("no/such/t.csv"))).isEmpty());
}

TEST_F(ExportTest, PicturesAsPngSvgAndPdf) {
    Plot plot;
    plot.resize(300, 200);
    plot.setSteps({0, 1, 2}, {1, 3, 2}, QStringLiteral("line"));
    EXPECT_TRUE(offersPicture(plot));
    const QString png = folder_.filePath(QStringLiteral("p.png")),
                  svg = folder_.filePath(QStringLiteral("p.svg"));
    EXPECT_TRUE(savePictureTo(plot, png).isEmpty());
    EXPECT_EQ(QImage(png).size(), QSize(600, 400));
    EXPECT_TRUE(savePictureTo(plot, svg).isEmpty());
    QFile file(svg);
    ASSERT_TRUE(file.open(QIODevice::ReadOnly));
    EXPECT_TRUE(file.readAll().contains("<svg"));
    const QString pdf = folder_.filePath(QStringLiteral("p.pdf"));
    EXPECT_TRUE(savePictureTo(plot, pdf).isEmpty());
    QFile document(pdf);
    ASSERT_TRUE(document.open(QIODevice::ReadOnly));
    EXPECT_TRUE(document.readAll().startsWith("%PDF-"));
    EXPECT_FALSE(savePictureTo(plot, folder_.filePath(QStringLiteral("no/p.png"))).isEmpty());
    copyPicture(plot);
    EXPECT_FALSE(QApplication::clipboard()->image().isNull());
}

}  // namespace
}  // namespace lapidary::views
