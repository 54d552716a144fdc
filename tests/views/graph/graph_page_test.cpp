// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <QAbstractItemModelTester>
#include <QAction>
#include <QBuffer>
#include <QFile>
#include <QImage>
#include <QLabel>
#include <QPdfWriter>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QToolBar>

#include "graph/graph_export.h"
#include "graph/graph_page.h"
#include "theme/theme.h"
#include "views/graph_models.h"
#include "views/gui_watchdog.h"

namespace lapidary::views {
namespace {

struct GraphPageTest : testing::Test {
    app::Workbench workbench;
    GraphPage page{workbench};
    GraphPageTest() {
        page.resize(1100, 800);
        page.show();
    }
    void open(ModelPtr model) {
        workbench.adopt(std::move(model), QStringLiteral("generated"));
        ASSERT_TRUE(wait_until([&] { return page.canvas()->scene() && !page.isLayingOut(); }));
    }
    QAction* action(const QString& text) const {
        for (QAction* a : page.pageActions()) {
            if (a->text() == text) return a;
        }
        return nullptr;
    }
    void settle() {
        ASSERT_TRUE(wait_until([&] { return !page.isLayingOut(); }));
        QCoreApplication::processEvents();
    }
};

TEST_F(GraphPageTest, says_what_to_do_while_nothing_is_open) {
    EXPECT_FALSE(page.canvas()->isVisible());
    EXPECT_FALSE(action("Fit all")->isEnabled());
    QStringList texts;
    for (const QLabel* label : page.findChildren<QLabel*>()) texts << label->text();
    EXPECT_TRUE(texts.contains("No model is open"));
    QSignalSpy asked(&page, &Page::openRequested);
    QPushButton* button = nullptr;
    for (QPushButton* each : page.findChildren<QPushButton*>())
        if (each->isVisibleTo(&page)) button = each;
    ASSERT_TRUE(button);
    QTest::mouseClick(button, Qt::LeftButton);
    EXPECT_EQ(asked.size(), 1);
}

TEST_F(GraphPageTest, draws_an_opened_model) {
    open(scoped_model(4));
    EXPECT_TRUE(page.canvas()->isVisible());
    EXPECT_TRUE(action("Fit all")->isEnabled());
    EXPECT_EQ(page.table()->model().rowCount(), 28);
    EXPECT_FALSE(page.grab().isNull());
}

TEST_F(GraphPageTest, a_model_without_nodes_is_said_to_be_empty) {
    auto model = std::make_unique<Model>();
    workbench.adopt(finished(std::move(model)), "empty");
    ASSERT_TRUE(wait_until([&] { return !page.isLayingOut(); }));
    EXPECT_FALSE(page.canvas()->isVisible());
}

TEST_F(GraphPageTest, opens_and_closes_all_groups) {
    open(scoped_model(16));
    action("Close all groups")->trigger();
    settle();
    EXPECT_EQ(page.canvas()->scene()->boxes.size(), 4u);
    action("Open all groups")->trigger();
    settle();
    EXPECT_GT(page.canvas()->scene()->boxes.size(), 112u);
    action("Left to right")->trigger();
    settle();
    EXPECT_GT(page.canvas()->scene()->width, page.canvas()->scene()->height);
}

TEST_F(GraphPageTest, shares_the_focus_both_ways) {
    open(scoped_model(4));
    action("Open all groups")->trigger();  // the first look is a fold that fits
    settle();
    const auto nodes = workbench.document()->model->graph.nodes();
    workbench.focusNode(nodes[10]);
    const auto& outline = *page.canvas()->scene()->outline;
    EXPECT_EQ(page.canvas()->selection().leaf, outline.leafOf(0, nodes[10]));
    EXPECT_EQ(page.table()->view()->currentIndex().row(), 10);
    QTest::keyClick(page.canvas(), Qt::Key_Down);
    EXPECT_EQ(workbench.focus().node, nodes[11]);
    EXPECT_EQ(page.table()->view()->currentIndex().row(), 11);
    const ValueId value = workbench.document()->model->graph.node(nodes[3]).outputs[0];
    workbench.focusValue(value);
    EXPECT_EQ(page.canvas()->selection().tensor, outline.tensorOf(0, value));
    QTest::keyClick(page.canvas(), Qt::Key_Escape);
    EXPECT_FALSE(workbench.focus().value);
}

TEST_F(GraphPageTest, focuses_nodes_inside_bodies) {
    open(branching_model());
    const auto& outline = *page.canvas()->scene()->outline;
    const GraphPtr body = outline.places()[2].graph;
    app::Focus focus;
    focus.node = body->nodes()[1];
    focus.body = body;
    workbench.setFocus(focus);
    EXPECT_EQ(page.canvas()->selection().leaf, outline.leafOf(2, body->nodes()[1]));
    QTest::keyClick(page.canvas(), Qt::Key_Up);
    EXPECT_EQ(workbench.focus().body, body);
    EXPECT_EQ(workbench.focus().node, body->nodes()[0]);
}

TEST_F(GraphPageTest, finds_nodes_and_opens_the_groups_they_hide_in) {
    open(scoped_model(16));
    action("Close all groups")->trigger();
    settle();
    page.searchField()->setText("block9/conv1");
    QTest::keyClick(page.searchField(), Qt::Key_Return);
    settle();
    // the Conv, and by the tensor's name its reader
    EXPECT_EQ(page.findChild<QLabel*>("searchCount")->text(), "1 of 2");
    const auto leaf = page.canvas()->selection().leaf;
    ASSERT_NE(leaf, noIndex);
    EXPECT_EQ(page.canvas()->scene()->boxes[page.canvas()->scene()->boxOfLeaf[leaf]].leaf, leaf);
    EXPECT_EQ(page.canvas()
                  ->scene()
                  ->outline->nodeOf(page.canvas()->scene()->outline->leaves()[leaf])
                  .name,
              "/layer1/block9/conv1/Conv");
    QTest::keyClick(page.searchField(), Qt::Key_Escape);
    EXPECT_TRUE(page.searchField()->text().isEmpty());
}

TEST_F(GraphPageTest, the_table_is_filtered_and_sorted) {
    open(scoped_model(4));
    action("Table view")->trigger();
    EXPECT_TRUE(page.table()->isVisible());
    page.searchField()->setText("conv");
    ASSERT_TRUE(wait_until([&] { return page.table()->model().rowCount() == 12; }));
    page.table()->view()->sortByColumn(1, Qt::DescendingOrder);
    EXPECT_EQ(page.table()->model().row(0).name, "/layer0/block3/conv2/Conv");
    EXPECT_EQ(page.table()->model().row(0).parameters, 16);
    EXPECT_EQ(page.table()->model().row(0).inputs, "f32[1,4,8,8], f32[4,4,1,1]");
    QAbstractItemModelTester tester(page.table()->view()->model(),
                                    QAbstractItemModelTester::FailureReportingMode::Fatal);
}

TEST_F(GraphPageTest, follows_the_next_document) {
    open(scoped_model(4));
    workbench.focusNode(workbench.document()->model->graph.nodes()[10]);
    open(chain_model(5));
    ASSERT_TRUE(wait_until([&] { return page.table()->model().rowCount() == 5; }));
    EXPECT_EQ(page.canvas()->scene()->boxes.size(), 7u);
    EXPECT_TRUE(page.canvas()->selection().isEmpty());
}

TEST_F(GraphPageTest, writes_svg_and_png) {
    open(scoped_model(4));
    action("Open all groups")->trigger();  // the first look is a fold that fits
    settle();
    QTemporaryDir folder;
    QSignalSpy exported(&page, &GraphPage::exported);
    page.exportTo(folder.filePath("graph.svg"));
    ASSERT_TRUE(wait_until([&] { return exported.size() == 1; }));
    EXPECT_EQ(exported[0][1].toString(), "");
    QFile svg(folder.filePath("graph.svg"));
    ASSERT_TRUE(svg.open(QIODevice::ReadOnly));
    EXPECT_TRUE(svg.readAll().contains("Conv"));
    page.exportTo(folder.filePath("graph.png"));
    ASSERT_TRUE(wait_until([&] { return exported.size() == 2; }));
    const QImage image(folder.filePath("graph.png"));
    EXPECT_GE(image.height(), static_cast<int>(page.canvas()->scene()->height * 1.9));
    page.exportTo(folder.filePath("missing/graph.png"));
    ASSERT_TRUE(wait_until([&] { return exported.size() == 3; }));
    EXPECT_FALSE(exported[2][1].toString().isEmpty());
    page.exportTo(folder.filePath("graph.pdf"));
    ASSERT_TRUE(wait_until([&] { return exported.size() == 4; }));
    EXPECT_EQ(exported[3][1].toString(), "");
    QFile pdf(folder.filePath("graph.pdf"));
    ASSERT_TRUE(pdf.open(QIODevice::ReadOnly));
    const QByteArray document = pdf.readAll();
    EXPECT_TRUE(document.startsWith("%PDF-"));
    EXPECT_TRUE(document.contains("/FontDescriptor")) << "text is text, no picture of it";
    EXPECT_EQ(document.count("/Type /Page\n"), 1) << "one page";
}

TEST_F(GraphPageTest, what_is_seen_is_printed_as_text) {
    open(scoped_model(4));
    action("Open all groups")->trigger();
    settle();
    QBuffer file;
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    QPdfWriter writer(&file);
    writer.setResolution(page.canvas()->logicalDpiX());
    EXPECT_TRUE(printSeen(*page.canvas(), writer));
    EXPECT_EQ(writer.pageLayout().orientation(), QPageLayout::Landscape)
        << "as the canvas is wider than high";
    EXPECT_TRUE(file.data().startsWith("%PDF-"));
    EXPECT_TRUE(file.data().contains("/FontDescriptor"));
    EXPECT_TRUE(action("Print …")->isEnabled());
    action("Table view")->trigger();
    EXPECT_FALSE(action("Print …")->isEnabled()) << "the table has its own export";
}

/// A page whose drawing goes into an image.
class PicturedPage : public QPdfWriter {
public:
    using QPdfWriter::QPdfWriter;
    mutable QImage image;

protected:
    QPaintDevice* redirected(QPoint* offset) const override {
        if (offset) *offset = {};
        if (image.isNull()) {
            image = QImage(width(), height(), QImage::Format_RGB32);
            image.fill(Qt::white);
        }
        return &image;
    }
};

std::size_t pixels_of(const QImage& image, const QColor& color) {
    std::size_t found = 0;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x) found += image.pixel(x, y) == color.rgb();
    return found;
}

TEST_F(GraphPageTest, the_printed_page_is_light_in_the_dark_theme) {
    open(scoped_model(4));
    action("Open all groups")->trigger();
    settle();
    QPalette dark = lightPalette();
    dark.setColor(QPalette::Window, QColor(0x1d, 0x20, 0x27));
    page.canvas()->setPalette(dark);
    ASSERT_TRUE(isDark(page.canvas()->palette()));
    QBuffer file;
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    PicturedPage paper(&file);
    paper.setResolution(page.canvas()->logicalDpiX());
    ASSERT_TRUE(printSeen(*page.canvas(), paper));
    EXPECT_GT(pixels_of(paper.image, themeColors(lightPalette()).canvas), 1000u);
    EXPECT_EQ(pixels_of(paper.image, themeColors(dark).canvas), 0u);
    EXPECT_TRUE(isDark(page.canvas()->palette())) << "the window keeps its colours";
}

TEST_F(GraphPageTest, every_control_has_an_accessible_name) {
    open(scoped_model(4));
    for (QWidget* widget : page.findChildren<QWidget*>()) {
        if (widget->focusPolicy() == Qt::NoFocus || !widget->isVisibleTo(&page)) continue;
        const bool named =
            !widget->accessibleName().isEmpty() || !widget->property("text").toString().isEmpty();
        EXPECT_TRUE(named) << widget->metaObject()->className() << ' '
                           << widget->objectName().toStdString();
    }
}

TEST_F(GraphPageTest, survives_being_closed_while_it_lays_out) {
    auto* other = new GraphPage(workbench);
    workbench.adopt(scoped_model(1400), "large");
    delete other;
    ASSERT_TRUE(wait_until([&] { return page.canvas()->scene() != nullptr; }));
}

}  // namespace
}  // namespace lapidary::views
