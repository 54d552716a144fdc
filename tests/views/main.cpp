// SPDX-License-Identifier: Apache-2.0
// Entry point of the window tests: offscreen, with settings of their own that vanish afterwards.
#include <gtest/gtest.h>

#include <QSettings>
#include <QTemporaryDir>

#include "window/window_application.h"
#include "workbench/project/settings.h"

int main(int argc, char** argv) {
    if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "offscreen");
    // A process for each of the many workbenches is left to the tests that are about it.
    if (!qEnvironmentVariableIsSet("LAPIDARY_WORKER")) qputenv("LAPIDARY_WORKER", "off");
    qputenv("LAPIDARY_TRY_LEVELS", "off");  // but in tests that are about that
    testing::InitGoogleTest(&argc, argv);
    QCoreApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
    lapidary::views::WindowApplication application(argc, argv);
    QApplication::setStyle(QStringLiteral("Fusion"));
    QTemporaryDir settings;
    qputenv("XDG_STATE_HOME", settings.path().toUtf8());  // journals
    lapidary::app::initSettings();
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, settings.path());
    QSettings::setPath(QSettings::IniFormat, QSettings::SystemScope, settings.path());
    return RUN_ALL_TESTS();
}
