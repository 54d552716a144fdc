// SPDX-License-Identifier: Apache-2.0
#include "worker/remote/target_program.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>
#include <system_error>
#include <utility>

#include <lapidary/base/error.h>
#include <lapidary/internal/base64.h>
#include <lapidary/internal/content_hash.h>
#include <lapidary/internal/program_file.h>

#include "worker/process/command_program.h"
#include "worker/process/worker_process.h"
#include "worker/remote/ssh.h"
#include "worker/remote/tar_archive.h"

namespace lapidary::app {
namespace {

namespace fs = std::filesystem;

constexpr const char* programs_variable = "LAPIDARY_TARGETS";
// after the last byte was handed to ssh, which may hold some megabytes for a slow network
constexpr std::chrono::minutes longest_unpacking{5};
constexpr std::size_t most_path = 4096;
constexpr const char* target_mark = "lapidary-target";
constexpr const char* complete_mark = "complete";
constexpr std::size_t sent_bytes = 57 * 1024;  // a multiple of three, so that lines join

/// Of a program for Linux (ELF, `e_machine`); empty: none that is known.
std::string architecture_of(const fs::path& program) {
    std::array<unsigned char, 20> head{};
    std::ifstream in(program, std::ios::binary);
    if (!in.read(reinterpret_cast<char*>(head.data()), head.size()) || head[0] != 0x7f ||
        head[1] != 'E' || head[2] != 'L' || head[3] != 'F')
        return {};
    const int machine = head[18] | head[19] << 8;
    return machine == 0x3e ? "x86_64" : machine == 0xb7 ? "aarch64" : "";
}

std::string usual_name(const std::string& architecture) {
    if (architecture == "amd64") return "x86_64";
    return architecture == "arm64" ? "aarch64" : architecture;
}

std::string content_of(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    std::string content{std::istreambuf_iterator<char>(in), {}};
    if (!in) throw Error(ErrorCode::io_failure, "it cannot be read").at(file.string());
    return content;
}

/// Adds the files below folder/part.
void add_files(const fs::path& folder, const std::string& part, std::vector<std::string>& files) {
    std::error_code none;
    std::vector<std::string> found;
    for (const auto& entry : fs::recursive_directory_iterator(folder / part, none))
        if (entry.is_regular_file())
            found.push_back(entry.path().lexically_relative(folder).generic_string());
    std::ranges::sort(found);
    files.insert(files.end(), found.begin(), found.end());
}

TargetProgram described_program(const fs::path& program, const Progress& progress) {
    progress.step("read the program");
    const fs::path root = program.parent_path().parent_path();
    TargetProgram found;
    std::error_code none;
    // an archive has its libraries beside it, and says whose they are
    if (program.parent_path().filename() == "bin" &&
        fs::exists(root / "licences" / "packages.txt", none)) {
        found.folder = root;
        found.files = {"bin/" + program.filename().string()};
        add_files(root, "lib", found.files);
        add_files(root, "plugins", found.files);
    } else {
        found.folder = program.parent_path();
        found.files = {program.filename().string()};
    }
    std::string hashes;
    for (const std::string& file : found.files) {
        progress.cancel.throw_if_cancelled();
        const std::string content = content_of(found.folder / file);
        hashes += file + ' ' + sha256_hex(std::as_bytes(std::span(content))) + '\n';
    }
    found.hash = sha256_hex(std::as_bytes(std::span(hashes))).substr(0, 32);
    return found;
}

std::vector<fs::path> listed_folders() {
    std::vector<fs::path> folders;
    const char* const given = std::getenv(programs_variable);
    std::istringstream list(given == nullptr ? "" : given);
    for (std::string folder; std::getline(list, folder, ':');)
        if (!folder.empty()) folders.emplace_back(folder);
    return folders;
}

/// Programs in the folder, which is an archive or has archives in it.
std::vector<fs::path> programs_in(const fs::path& folder) {
    std::vector<fs::path> places{folder / "bin" / "lapidary-cli", folder / "lapidary-cli"};
    std::error_code none;
    for (const auto& entry : fs::directory_iterator(folder, none))
        places.push_back(entry.path() / "bin" / "lapidary-cli");
    std::sort(places.begin() + 2, places.end());
    std::erase_if(places, [&](const fs::path& place) { return !fs::is_regular_file(place, none); });
    return places;
}

std::optional<fs::path> program_in(const fs::path& folder, const std::string& architecture) {
    for (const fs::path& place : programs_in(folder))
        if (architecture_of(place) == architecture) return place;
    return std::nullopt;
}

/// Why a folder that LAPIDARY_TARGETS lists has no program for the architecture.
std::string why_none_in(const fs::path& folder, const std::string& architecture) {
    std::error_code none;
    if (!fs::is_directory(folder, none))
        return quote(folder.string(), most_path) + " is not a folder";
    const std::vector<fs::path> programs = programs_in(folder);
    if (programs.empty())
        return quote(folder.string(), most_path) +
               " has no bin/lapidary-cli, and no folder with one";
    return quote(programs.front().string(), most_path) + " is not a program for Linux on " +
           architecture;
}

[[noreturn]] void fail_without_program(const Target& target, const std::string& architecture) {
    std::string faults;
    for (const fs::path& folder : listed_folders())
        faults += (faults.empty() ? "" : ", ") + why_none_in(folder, architecture);
    if (!faults.empty()) faults = std::string("; ") + programs_variable + ": " + faults;
    fail_unsupported(
        "there is no lapidary-cli for Linux on " + architecture + ", which " + target.host + " is" +
        faults + "; unpack the command line's archive for " + architecture +
        ", of the same commit as this program, and name its folder by " + programs_variable);
}

[[noreturn]] void fail_for_architecture(const Target& target, const std::string& architecture) {
    const bool is_small_arm = architecture.starts_with("arm");
    fail_unsupported(target.host + " runs Linux on " + architecture +
                     "; lapidary-cli is made for x86_64 and aarch64 alone" +
                     (is_small_arm ? "; boards with a 64-bit processor, such as a Raspberry Pi 3 "
                                     "and newer, can run a 64-bit system"
                                   : ""));
}

fs::path own_program() {
    for (const std::string& file : {command_program(), find_worker_program()})
        if (!file.empty() && !architecture_of(file).empty()) return file;
    return {};
}

}  // namespace

std::string own_architecture() {
#if defined(__x86_64__) || defined(_M_X64)
    return "x86_64";
#elif defined(__aarch64__) || defined(_M_ARM64)
    return "aarch64";
#else
    return {};
#endif
}

TargetProgram find_target_program(const Target& target, const std::string& system,
                                  const std::string& architecture, const Progress& progress) {
    const std::string wanted = usual_name(architecture);
    if (system != "Linux")
        fail_unsupported(target.host + " runs " + quote(system) +
                         "; other machines have to run Linux");
    if (wanted != "x86_64" && wanted != "aarch64") fail_for_architecture(target, architecture);
    for (const fs::path& folder : listed_folders())
        if (const auto program = program_in(folder, wanted))
            return described_program(*program, progress);
    const fs::path own = own_program();
    if (!own.empty() && architecture_of(own) == wanted) return described_program(own, progress);
    if (!own.empty())
        if (const auto program = program_in(own.parent_path().parent_path().parent_path(), wanted))
            return described_program(*program, progress);
    fail_without_program(target, wanted);
}

TargetState ask_target(const Target& target, const Progress& progress) {
    const std::vector<std::string> lines =
        run_script(target,
                   folder_script(target) + "echo " + target_mark +
                       "; uname -s; uname -m; ls \"$d/programs\" 2>/dev/null; exit 0",
                   progress);
    // what the shell there prints at its start comes first
    auto at = std::ranges::find(lines, target_mark);
    if (lines.end() - at < 3)
        fail(ErrorCode::io_failure,
             target.host + " did not answer as a machine with a shell does" +
                 (lines.empty() ? "" : ": it said " + quote(lines.front(), 80)));
    return {at[1], at[2], {at + 3, lines.end()}};
}

void send_program(const Target& target, const TargetProgram& program, const Progress& progress) {
    const std::string script =
        folder_script(target) + "h=" + program.hash +
        "; umask 077; mkdir -p \"$d/programs\" && t=\"$d/programs/$h.$$\" && mkdir \"$t\" && "
        "base64 -d | tar -xf - -C \"$t\" && [ -f \"$t/" +
        complete_mark + "\" ] && { [ -e \"$d/programs/$h\" ] || mv \"$t\" \"$d/programs/$h\"; }; " +
        "[ -z \"$t\" ] || rm -rf \"$t\"; [ -f \"$d/programs/$h/" + complete_mark + "\" ]";
    run_script(
        target, script, progress,
        [&](const SendLine& send) {
            std::string waiting;
            const auto write = [&](const std::string& bytes, bool is_last) {
                waiting += bytes;
                std::size_t at = 0;
                for (; waiting.size() - at >= sent_bytes || (is_last && at < waiting.size());) {
                    progress.cancel.throw_if_cancelled();
                    const auto piece =
                        std::span(waiting).subspan(at, std::min(sent_bytes, waiting.size() - at));
                    if (!send(to_base64(std::as_bytes(piece)))) return false;
                    at += piece.size();
                }
                waiting.erase(0, at);
                return true;
            };
            std::size_t done = 0;
            for (const std::string& file : program.files) {
                progress.step("send the program", double(done++) / double(program.files.size()));
                const std::string content = content_of(program.folder / file);
                if (!write(tar_header(file, content.size(), true) + content +
                               tar_padding(content.size()),
                           false))
                    return;
            }
            write(tar_header(complete_mark, 0, false) + tar_end(), true);
        },
        longest_unpacking);
}

std::vector<std::string> worker_command(const Target& target, const TargetProgram& program) {
    return ssh_command(target, folder_script(target) + "exec \"$d/programs/" + program.hash + "/" +
                                   program.files.front() + "\" serve --for-target \"$d\"");
}

}  // namespace lapidary::app
