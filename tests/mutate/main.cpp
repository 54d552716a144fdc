// SPDX-License-Identifier: Apache-2.0
// mutate_models: damages model files and takes them through loading, optimizing, writing, compiling
// and running, with tensors that end at guarded pages. `mutate_models --count 30000 FOLDER`; with
// --ort the same models as .ort files. Exit 1 where one crashes, hangs or ends as a fault of ours.
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iostream>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "mutate/guarded_memory.h"
#include <lapidary/base/error.h>
#include <lapidary/onnx_io/model_io.h>

#include "mutate/trial.h"
#include "support/ort_writer.h"

using namespace lapidary;
using namespace lapidary::mutate;

namespace {

constexpr unsigned hang_seconds = 60;
constexpr std::size_t cases_per_child = 100;

/// The report of a child process in shared memory.
struct Report {
    std::uint64_t number;  // of the damaged file it works on
    std::uint32_t bugs, counts[8];
};
constexpr const char* stages[] = {"damage",  "load",   "optimize", "load again",
                                  "compile", "inputs", "run",      "end"};

std::vector<Source> read_sources(const std::vector<std::string>& places, std::uint64_t most_bytes) {
    std::vector<std::filesystem::path> files;
    for (const std::string& place : places) {
        if (std::filesystem::is_regular_file(place)) files.emplace_back(place);
        else
            for (const auto& entry : std::filesystem::recursive_directory_iterator(place))
                if ((entry.path().extension() == ".onnx" || entry.path().extension() == ".ort") &&
                    entry.file_size() <= most_bytes)
                    files.push_back(entry.path());
    }
    std::ranges::sort(files);
    std::vector<Source> sources;
    for (const auto& path : files) {
        Source& s = sources.emplace_back();
        s.path = path;
        s.bytes.resize(std::filesystem::file_size(path));
        std::ifstream(path, std::ios::binary)
            .read(reinterpret_cast<char*>(s.bytes.data()),
                  static_cast<std::streamsize>(s.bytes.size()));
    }
    return sources;
}

/// The same models in ONNX Runtime's own format, but for those with attributes that it has no place
/// for.
std::vector<Source> as_ort(const std::vector<Source>& sources) {
    std::vector<Source> all;
    for (const Source& source : sources) try {
            const Model model = load_model(source.path);
            if (model.functions.empty())
                all.push_back({source.path.string() + ".ort", test::ort_file_of(model)});
        } catch (const Error& error) {
            std::cout << source.path.filename().string() << ": left out: " << error.what() << '\n';
        }
    return all;
}

void limit(int resource, std::uint64_t bytes) {
    const rlimit value{bytes, bytes};
    ::setrlimit(static_cast<__rlimit_resource>(resource), &value);
}

[[noreturn]] void work(const std::vector<Source>& sources, std::uint64_t first, std::uint64_t end,
                       bool verbose, Report& report) {
#if !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)  // their shadow memory counts, and is larger
    limit(RLIMIT_DATA, 3ull << 30);
#endif
    limit(RLIMIT_CORE, 0);
    guard_allocations(std::size_t{1} << 42);
    for (std::uint64_t n = first; n < end; ++n) {
        report.number = n;
        ::alarm(hang_seconds);
        const Source& source = sources[n % sources.size()];
        const TrialResult result = attempt(source, n / sources.size());
        for (std::size_t s = 0; s < std::size(stages); ++s)
            report.counts[s] += result.reached == stages[s];
        if (verbose)
            std::cout << fmt::format("{} {}: {}: {}\n", source.path.filename().string(), n,
                                     result.reached, result.message);
        if (!result.is_bug) continue;
        ++report.bugs;
        std::cout << fmt::format("{} {}: bug at {}: {}\n    {}\n", source.path.filename().string(),
                                 n, result.reached, result.message, result.did)
                  << std::flush;
    }
    std::cout << std::flush;
    ::_exit(0);
}

}  // namespace

int main(int argc, char** argv) {
    std::vector<std::string> places;
    std::uint64_t first = 0, count = 1000, most_bytes = 3u << 20;
    std::string write;
    bool verbose = false, in_ort = false;
    CLI::App app(
        "Damages model files and looks for one that crashes, hangs or ends as a fault of ours");
    app.add_option("files", places, "model files, or folders of such")->required();
    app.add_option("--count", count, "how many damaged files");
    app.add_option("--first", first, "number of the first; the others follow");
    app.add_option("--most-bytes", most_bytes, "larger files of folders are left out");
    app.add_option("--write", write, "writes damaged file --first there and ends");
    app.add_flag("--ort", in_ort, "damages the models written in ONNX Runtime's own format");
    app.add_flag("--verbose", verbose, "print where each file was refused and why");
    CLI11_PARSE(app, argc, argv);
    std::vector<Source> sources = read_sources(places, most_bytes);
    if (in_ort && !test::can_write_ort())
        return std::cout << "skipped: compiled without libflatbuffers-dev\n", 0;
    if (in_ort) sources = as_ort(sources);
    if (sources.empty()) return std::cerr << "there is no .onnx file\n", 2;
    if (!write.empty()) {
        std::string did;
        const std::vector<std::byte> file =
            damaged(sources[first % sources.size()], first / sources.size(), did);
        std::ofstream(write, std::ios::binary)
            .write(reinterpret_cast<const char*>(file.data()),
                   static_cast<std::streamsize>(file.size()));
        return std::cout << did << '\n', 0;
    }
    auto* report = static_cast<Report*>(
        ::mmap(nullptr, sizeof(Report), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
    std::uint64_t crashed = 0;
    for (std::uint64_t n = first; n < first + count;) {
        const std::uint64_t end = std::min(first + count, n + cases_per_child);
        report->number = n;
        std::cout << std::flush;
        const pid_t child = ::fork();
        if (child < 0) return std::cerr << "no process to be had\n", 2;
        if (child == 0) work(sources, n, end, verbose, *report);
        int status = 0;
        ::waitpid(child, &status, 0);
        if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
            n = end;
            continue;
        }
        ++crashed;
        const char* how = WIFSIGNALED(status) ? ::strsignal(WTERMSIG(status)) : "exit";
        std::cout << fmt::format("{} {}: {}\n",
                                 sources[report->number % sources.size()].path.filename().string(),
                                 report->number,
                                 WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM ? "hangs" : how)
                  << std::flush;
        n = report->number + 1;
    }
    std::cout << count << " damaged files:";
    for (std::size_t s = 0; s < std::size(stages); ++s)
        std::cout << ' ' << stages[s] << ' ' << report->counts[s];
    std::cout << "; " << crashed << " crashed or hung, " << report->bugs << " faults of ours\n";
    return crashed + report->bugs == 0 ? 0 : 1;
}
