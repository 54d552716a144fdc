// SPDX-License-Identifier: GPL-3.0-or-later
// window_check PICTURE: shows a table and a drawing by the platform's own plugin, saves what is
// seen, and reports Qt's version, platform and style.
#include <QApplication>
#include <QGraphicsView>
#include <QHBoxLayout>
#include <QStyle>
#include <QTableWidget>
#include <QTimer>
#include <cstdio>

int main(int argc, char** argv) {
    QApplication program(argc, argv);
    QWidget window;
    QHBoxLayout layout(&window);
    QTableWidget table(3, 2);
    for (int row = 0; row < 3; ++row)
        table.setItem(row, 0, new QTableWidgetItem(QString("Conv_%1").arg(row)));
    QGraphicsScene scene;
    scene.addRect(0, 0, 120, 40, QPen(Qt::blue), QBrush(Qt::white));
    scene.addText("Conv");
    QGraphicsView view(&scene);
    view.setRenderHint(QPainter::Antialiasing);
    layout.addWidget(&table);
    layout.addWidget(&view);
    window.resize(640, 320);
    window.show();
    bool saved = false;
    QTimer::singleShot(500, &program, [&] {
        saved = argc > 1 && window.grab().save(QString::fromLocal8Bit(argv[1]));
        std::printf("Qt %s, platform %s, style %s, picture %s\n", qVersion(),
                    qPrintable(QGuiApplication::platformName()),
                    qPrintable(QApplication::style()->name()), saved ? "saved" : "not saved");
        program.quit();
    });
    program.exec();
    return saved ? 0 : 1;
}
