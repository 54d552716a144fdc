// SPDX-License-Identifier: GPL-3.0-or-later
#include "display_check.h"

#include <QList>
#include <QtGlobal>

#include "worker/process/local_socket.h"

namespace lapidary::app {
namespace {

#if defined(Q_OS_LINUX)
bool x11_answers(const QByteArray& display) {
    const qsizetype colon = display.lastIndexOf(':');
    if (colon < 0) return false;
    // another host: only Qt can check it
    if (colon > 0 && !display.startsWith("unix:")) return true;
    const QByteArray number = display.mid(colon + 1).split('.').first();
    const std::string path = QByteArray("/tmp/.X11-unix/X" + number).toStdString();
    return local_socket_answers(path, false) || local_socket_answers(path, true);
}

bool wayland_answers(const QByteArray& display) {
    const QByteArray path =
        display.startsWith('/') ? display : qgetenv("XDG_RUNTIME_DIR") + '/' + display;
    return local_socket_answers(path.toStdString(), false);
}
#endif

}  // namespace

std::optional<QString> displayProblem(bool platformChosen) {
#if defined(Q_OS_LINUX)
    if (platformChosen || !qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) return std::nullopt;
    const QByteArray x11 = qgetenv("DISPLAY");
    const QByteArray wayland = qgetenv("WAYLAND_DISPLAY");
    if ((!x11.isEmpty() && x11_answers(x11)) || (!wayland.isEmpty() && wayland_answers(wayland)))
        return std::nullopt;
    if (x11.isEmpty() && wayland.isEmpty())
        return QStringLiteral(
            "there is no display here (neither DISPLAY nor WAYLAND_DISPLAY is set); use "
            "lapidary-cli, "
            "or --screenshot FILE to draw the window into a picture");
    return QStringLiteral(
               "the display \"%1\" does not answer; use lapidary-cli, or --screenshot FILE to draw "
               "the window into a "
               "picture")
        .arg(QString::fromLocal8Bit(wayland.isEmpty() ? x11 : wayland));
#else
    Q_UNUSED(platformChosen);
    return std::nullopt;
#endif
}

}  // namespace lapidary::app
