// SPDX-License-Identifier: Apache-2.0
// Another machine for tests: a script in place of ssh runs the commands here, with a home folder of
// its own. POSIX alone.
#pragma once

#include <signal.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "support/test_data.h"

namespace lapidary::test {

class FakeTarget {
public:
    /// LAPIDARY_SSH names the script while this lives. The script starts the command in a session
    /// of its own, so that whoever kills "ssh" does not kill what it reached.
    FakeTarget() {
        const std::filesystem::path script = folder_ / "ssh";
        std::filesystem::create_directories(home());
        std::ofstream(script) << "#!/bin/sh\n"
                                 "while [ \"$1\" != -- ]; do shift; done\n"
                                 "echo \"$2\" >>'"
                              << (folder_ / "hosts").string()
                              << "'\n"
                                 "[ \"$2\" != nowhere ] || { echo 'ssh: connect to host nowhere "
                                 "port 22: Connection refused' >&2; exit 255; }\n"
                                 "HOME='"
                              << home().string()
                              << "'; XDG_CACHE_HOME=\n"
                                 "export HOME XDG_CACHE_HOME\n"
                                 "exec 3<&0; setsid sh -c \"$3\" <&3 3<&- &\n"
                                 "echo $! >>'"
                              << (folder_ / "processes").string()
                              << "'\n"
                                 "echo $$ >>'"
                              << (folder_ / "connections").string()
                              << "'\n"
                                 "wait $!\n";
        std::filesystem::permissions(script, std::filesystem::perms::owner_all);
        ::setenv("LAPIDARY_SSH", script.c_str(), 1);
        ::setenv("LAPIDARY_WORKER", cli_program().c_str(), 1);
    }
    FakeTarget(const FakeTarget&) = delete;
    FakeTarget& operator=(const FakeTarget&) = delete;
    ~FakeTarget() {
        ::unsetenv("LAPIDARY_SSH");
        ::unsetenv("LAPIDARY_WORKER");
    }

    std::filesystem::path home() const { return folder_ / "home"; }
    std::filesystem::path cache() const { return home() / ".cache" / "lapidary"; }
    /// Of the newest connection: the process of "ssh", and the one that it reached.
    pid_t connection() const { return newest("connections"); }
    pid_t worker() const { return newest("processes"); }
    std::size_t connections() const { return lines("connections").size(); }
    /// Whether a process runs, or has ended and was not waited for.
    static bool is_running(pid_t process) {
        std::ifstream file("/proc/" + std::to_string(process) + "/stat");
        std::string id, name, state;
        return file >> id >> name >> state && state != "Z";
    }
    static std::size_t entries(const std::filesystem::path& folder) {
        std::error_code none;
        std::size_t count = 0;
        for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder, none))
            ++count;
        return count;
    }

private:
    std::vector<std::string> lines(const char* name) const {
        std::ifstream file(folder_ / name);
        std::vector<std::string> found;
        for (std::string line; std::getline(file, line);) found.push_back(line);
        return found;
    }
    pid_t newest(const char* name) const {
        const auto found = lines(name);
        return found.empty() ? 0 : static_cast<pid_t>(std::stol(found.back()));
    }

    TemporaryFolder folder_;
};

}  // namespace lapidary::test
