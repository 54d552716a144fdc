// SPDX-License-Identifier: GPL-3.0-or-later
#include "display_check.h"

#include <QList>
#include <QtGlobal>

#if defined(Q_OS_LINUX)
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>
#endif

namespace lapidary::app {
namespace {

#if defined(Q_OS_LINUX)
/// `abstract`: the name lives in the kernel's abstract namespace, as X servers also offer it.
bool answers(const QByteArray& path, bool abstract) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    const std::size_t offset = abstract ? 1 : 0;
    if (path.isEmpty() || std::size_t(path.size()) + offset + 1 > sizeof(address.sun_path)) return false;
    std::memcpy(address.sun_path + offset, path.constData(), std::size_t(path.size()));
    const int socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (socket < 0) return false;
    const auto length =
        socklen_t(offsetof(sockaddr_un, sun_path) + offset + std::size_t(path.size()) + (abstract ? 0 : 1));
    const bool connected = ::connect(socket, reinterpret_cast<const sockaddr*>(&address), length) == 0;
    ::close(socket);
    return connected;
}

bool x11_answers(const QByteArray& display) {
    const qsizetype colon = display.lastIndexOf(':');
    if (colon < 0) return false;
    if (colon > 0 && !display.startsWith("unix:")) return true;  // another host: only Qt can tell
    const QByteArray number = display.mid(colon + 1).split('.').first();
    const QByteArray path = "/tmp/.X11-unix/X" + number;
    return answers(path, false) || answers(path, true);
}

bool wayland_answers(const QByteArray& display) {
    return answers(display.startsWith('/') ? display : qgetenv("XDG_RUNTIME_DIR") + '/' + display, false);
}
#endif

}  // namespace

std::optional<QString> displayProblem(bool platformChosen) {
#if defined(Q_OS_LINUX)
    if (platformChosen || !qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) return std::nullopt;
    const QByteArray x11 = qgetenv("DISPLAY");
    const QByteArray wayland = qgetenv("WAYLAND_DISPLAY");
    if ((!x11.isEmpty() && x11_answers(x11)) || (!wayland.isEmpty() && wayland_answers(wayland))) return std::nullopt;
    if (x11.isEmpty() && wayland.isEmpty())
        return QStringLiteral(
            "there is no display here (neither DISPLAY nor WAYLAND_DISPLAY is set); use lapidary-cli, "
            "or --screenshot FILE to draw the window into a picture");
    return QStringLiteral(
               "the display \"%1\" does not answer; use lapidary-cli, or --screenshot FILE to draw the window into a "
               "picture")
        .arg(QString::fromLocal8Bit(wayland.isEmpty() ? x11 : wayland));
#else
    Q_UNUSED(platformChosen);
    return std::nullopt;
#endif
}

}  // namespace lapidary::app
