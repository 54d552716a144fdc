// SPDX-License-Identifier: Apache-2.0
#include "worker/remote/target.h"

#include <cstdio>
#include <string_view>

#include <lapidary/base/error.h>

#include "worker/remote/remote_engine.h"

namespace lapidary::app {
namespace {

constexpr std::size_t most_target_characters = 1024;

bool is_plain_character(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("._-+").find(c) != std::string_view::npos;
}

void require_characters(const std::string& text, std::string_view also, const std::string& whole) {
    for (const char c : text)
        if (!is_plain_character(c) && also.find(c) == std::string_view::npos)
            fail_input("expected [user@]host[:path] of letters, digits and . _ - +, found " +
                       quote(std::string(1, c)) + " in " + quote(whole));
}

}  // namespace

Target read_target(const std::string& text) {
    if (text.size() > most_target_characters)
        fail_input("expected [user@]host[:path], found " + std::to_string(text.size()) +
                   " characters");
    const std::size_t colon = text.find(':');
    Target target{text.substr(0, colon),
                  colon == std::string::npos ? std::string() : text.substr(colon + 1)};
    const std::size_t at = target.host.find('@');
    const std::string user = at == std::string::npos ? "" : target.host.substr(0, at);
    const std::string host = at == std::string::npos ? target.host : target.host.substr(at + 1);
    if (host.empty() || (at != std::string::npos && user.empty()))
        fail_input("expected [user@]host[:path], found " + quote(text));
    if (target.host.starts_with('-') || host.starts_with('-'))
        fail_input("a host does not begin with \"-\", found " + quote(text));
    require_characters(user, "", text);
    require_characters(host, "", text);
    if (colon != std::string::npos && target.folder.empty())
        fail_input("expected a folder after the colon of " + quote(text));
    require_characters(target.folder, "/~", text);
    if (target.folder.find('~') != std::string::npos &&
        (!target.folder.starts_with("~/") || target.folder.rfind('~') != 0))
        fail_input("expected \"~\" only at the beginning of a path, as ~/folder, found " +
                   quote(text));
    if (("/" + target.folder + "/").find("/../") != std::string::npos)
        fail_input("expected a path without \"..\", found " + quote(text));
    return target;
}

std::string TargetFacts::text() const {
    std::string text = std::to_string(machine.cores) + (machine.cores == 1 ? " core" : " cores");
    if (!machine.cpu.empty()) text += " " + machine.cpu;
    if (machine.memory_gb > 0) {
        char memory[32];
        std::snprintf(memory, sizeof memory, ", %.1f GB", machine.memory_gb);
        text += memory;
    }
    if (!architecture.empty()) text += ", " + architecture;
    if (!version.empty()) text += ", Lapidary " + version;
    return text;
}

TargetFacts try_target(const Target& target, const Progress& progress) {
    return RemoteEngine(target).facts(progress);
}

}  // namespace lapidary::app
