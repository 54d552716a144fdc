// SPDX-License-Identifier: Apache-2.0
#include "worker/process/running_process.h"

#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <sstream>

namespace lapidary::app {

long this_process() { return ::getpid(); }
long parent_process() { return ::getppid(); }

// Field 22 of /proc/PID/stat; the fields are counted after the name, which may hold anything.
std::optional<std::uint64_t> process_start(std::int64_t process) {
    std::ifstream file("/proc/" + std::to_string(process) + "/stat");
    std::string line;
    if (!std::getline(file, line, '\0')) return std::nullopt;
    const std::size_t name_end = line.rfind(')');
    if (name_end == std::string::npos) return std::nullopt;
    std::istringstream fields(line.substr(name_end + 1));
    std::string state, skipped;
    if (!(fields >> state) || state == "Z" || state == "X") return std::nullopt;
    for (int field = 4; field < 22; ++field) fields >> skipped;
    std::uint64_t start = 0;
    return fields >> start ? std::optional(start) : std::nullopt;
}

bool is_process(std::int64_t process) {
    return ::kill(static_cast<pid_t>(process), 0) == 0 || errno == EPERM;
}

std::string boot_name() {
    std::ifstream file("/proc/sys/kernel/random/boot_id");
    std::string name;
    file >> name;
    return name;
}

void end_process_after(unsigned seconds) { ::alarm(seconds); }
bool was_ended_by_time(const std::string& end) { return end.starts_with("signal 14"); }  // SIGALRM

}  // namespace lapidary::app
