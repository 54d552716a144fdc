// SPDX-License-Identifier: Apache-2.0
// Which file may include which: the order of the core's folders, third-party libraries that one
// place uses, parts without circles.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/source_files.h"
#include "support/test_data.h"

namespace lapidary {
namespace {

namespace fs = std::filesystem;

// A folder may include from folders of a lower rank and from itself. The layers come one after the
// other: compiling a layer, the compiler sees no folder of a later one.
const std::vector<std::string> layers{"foundation", "operators", "engine", "tools"};
const std::map<std::string, int> rank{
    {"base", 0},        {"drawing", 1},  {"tensor", 1},        {"ort_format", 1},
    {"tensor_io", 2},   {"graph", 2},    {"ops", 3},           {"onnx_io", 4},
    {"kernels", 4},     {"patterns", 5}, {"profile", 5},       {"rewrite", 6},
    {"passes", 7},      {"exec", 7},     {"samples", 8},       {"inputs", 8},
    {"cost", 8},        {"bench", 8},    {"plugin_host", 8},   {"custom_ops", 8},
    {"tokenizer", 8},   {"engines", 9},  {"onnxruntime", 10},  {"quantize", 9},
    {"accuracy", 9},    {"proof", 9},    {"memory_report", 9}, {"export", 9},
    {"advice", 9},      {"report", 10},  {"generation", 10},   {"inspect", 11},
    {"node_times", 11}, {"edit", 12}};

/// The layer of the core that holds the inner header `include`; empty: none does.
std::string layer_of(const std::string& include) {
    for (const std::string& layer : layers)
        if (fs::exists(source_folder() / "core" / layer / include)) return layer;
    return {};
}

std::vector<std::string> includes_in(const std::vector<std::string>& lines) {
    static const std::regex include(R"(^\s*#\s*include\s*[<"]([^>"]+)[>"])");
    std::vector<std::string> out;
    for (const std::string& line : lines)
        if (std::smatch m;
            line.find("include") != std::string::npos && std::regex_search(line, m, include))
            out.push_back(m[1]);
    return out;
}

std::vector<std::string> includes_of(const fs::path& path) { return includes_in(lines_of(path)); }

/// "a uses b" for all that stand in circles or above one; empty: there is none.
std::string circle_of(std::map<std::string, std::set<std::string>> uses) {
    const auto is_low = [&](const auto& u) {
        return std::ranges::none_of(u.second,
                                    [&](const std::string& used) { return uses.contains(used); });
    };
    for (auto lowest = uses.end(); (lowest = std::ranges::find_if(uses, is_low)) != uses.end();)
        uses.erase(lowest);
    std::string circle;
    for (const auto& [part, used] : uses)
        for (const std::string& other : used)
            if (uses.contains(other)) circle += part + " uses " + other + "\n";
    return circle;
}

TEST(Architecture, CoreFoldersIncludeOnlyThoseOfLowerRank) {
    for (const std::string& layer : layers)
        for (const fs::path& file : sources("core/" + layer)) {
            const std::string own =
                fs::relative(file, source_folder() / "core" / layer).begin()->string();
            if (own == "include" || own == "internal") continue;
            ASSERT_TRUE(rank.contains(own)) << own << " has no place in the order";
            for (const std::string& include : includes_of(file)) {
                const std::string folder = include.substr(0, include.find('/'));
                if (!rank.contains(folder) || folder == own || layer_of(include).empty()) continue;
                EXPECT_LT(rank.at(folder), rank.at(own)) << file << " includes " << include;
            }
        }
}

TEST(Architecture, EachLibraryIsUsedInOnePlace) {
    const std::map<std::string, std::string> doors{
        {"google/protobuf", "core/operators/onnx_io"},
        {"onnx_io/onnx.pb.h", "core/operators/onnx_io"},
        {"qcustomplot.h", "views/widgets/plot/plot"},
        {"openssl/", "core/foundation/base/files/checksum.cpp"},
        {"oneapi/", "core/foundation/base/threads/"},
        {"tbb/", "core/foundation/base/threads/"},
        {"oniguruma.h", "core/tools/tokenizer/regex.cpp"},
        {"utf8proc.h", "core/tools/tokenizer/characters.cpp"},
        {"CLI/", "app/cli/options/cli11_parser.cpp"},
        {"pybind11/", "app/python/"}};
    for (const char* folder : {"core", "app", "views"})
        for (const fs::path& file : sources(folder))
            for (const std::string& include : includes_of(file)) {
                const std::string place = fs::relative(file, source_folder()).generic_string();
                for (const auto& [prefix, door] : doors)
                    EXPECT_TRUE(!include.starts_with(prefix) || place.starts_with(door))
                        << place << " includes " << include;
                const bool without_qt = place.starts_with("core") || place.starts_with("app/cli") ||
                                        place.starts_with("app/python") ||
                                        place.starts_with("app/worker");
                EXPECT_FALSE(without_qt && include.starts_with("Q"))
                    << place << " includes " << include;
                const bool is_inner = !layer_of(include).empty();
                EXPECT_FALSE(place.starts_with("views") && is_inner)
                    << place << " includes an inner header of the core: " << include;
            }
}

// Its templates take long to compile. Commands print JSON through cli/json_value.h. Messages of
// other programs, which have any form, are read in cli/mcp alone.
TEST(Architecture, CommandsIncludeNoJsonLibrary) {
    const std::set<std::string> doors{"json_value.cpp", "bench_baseline.cpp"};
    for (const fs::path& file : sources("app/cli"))
        for (const std::string& include : includes_of(file))
            EXPECT_TRUE(!include.starts_with("nlohmann/") ||
                        doors.contains(file.filename().string()) ||
                        file.parent_path().filename() == "mcp")
                << file << " includes " << include;
}

// Threads that the system refuses and deeply nested JSON can crash a program, so each is used in
// one place only.
TEST(Architecture, ThreadsAndJsonAreUsedInOnePlace) {
    const std::map<std::string, std::set<std::string>> doors{
        {R"(std::(thread|jthread)\b(?!::(id|hardware_concurrency)\b)|std::async|pthread_create)",
         {"core/foundation/base/threads/joined_threads.cpp",
          "core/foundation/internal/lapidary/internal/joined_threads.h"}},
        {R"(\b[jJ]son::(parse|sax_parse|accept|from_\w+)\()",
         {"core/foundation/base/text/parse_json.cpp",
          "core/engine/profile/trace_event_reader.cpp"}}};
    for (const auto& [pattern, places] : doors) {
        const std::regex use(pattern);
        for (const char* folder : {"core", "app", "views"})
            for (const fs::path& file : sources(folder)) {
                const std::string place = fs::relative(file, source_folder()).generic_string();
                if (places.contains(place)) continue;
                for (const std::string& line : lines_of(file))
                    EXPECT_FALSE(std::regex_search(line.substr(0, line.find("//")), use))
                        << place << ": " << line;
            }
    }
}

/// "core/foundation/base/memory/page_memory" of core/foundation/base/memory/page_memory_posix.cpp;
/// empty: the file is of no system.
std::string system_part(const std::string& place) {
    if (!place.starts_with("core/foundation/base/") && !place.starts_with("app/worker/")) return {};
    for (const std::string_view ending : {"_posix.cpp", "_windows.cpp"})
        if (place.ends_with(ending)) return place.substr(0, place.size() - ending.size());
    return {};
}

// Code for one operating system is found by the name of its file, beside the one for the other
// system and behind a common header.
TEST(Architecture, CallsOfTheSystemAreInFilesForIt) {
    const std::regex header(
        R"(^(unistd|dlfcn|sched|pthread|fcntl|c?signal|poll|spawn|dirent|malloc|termios|pwd|)"
        R"(grp|glob|link|elf|execinfo|ucontext|netdb|ifaddrs|syslog|semaphore|mqueue|wait|io|)"
        R"(process|direct|windows|winsock2|psapi|tlhelp32|shlobj|shellapi)(\.h)?$)"
        R"(|^(sys|linux|netinet|arpa|asm|mach|net)/)");
    const std::regex call(
        R"(\b(mkdtemp|mkstemp|getpid|fork|popen|fileno|isatty|sysconf|gettid|localtime_r|gmtime_r|)"
        R"(posix_memalign|aligned_alloc|newlocale|setenv|unsetenv)\s*\()"
        R"(|"/(proc|sys|dev)/)");
    std::set<std::string> parts;
    for (const char* folder : {"core", "app", "views"})
        for (const fs::path& file : sources(folder)) {
            const std::string place = fs::relative(file, source_folder()).generic_string();
            // programs of other people, and one in Python
            if (place.starts_with("core/examples/") ||
                place == "core/tools/bench/peers/python_begin.inc")
                continue;
            if (const std::string part = system_part(place); !part.empty()) {
                parts.insert(part);
                continue;
            }
            for (const std::string& include : includes_of(file))
                EXPECT_FALSE(std::regex_search(include, header))
                    << place << " includes " << include
                    << ": calls of the system stand in X_posix.cpp of core/foundation/base or "
                       "app/worker";
            for (const std::string& line : lines_of(file))
                EXPECT_FALSE(std::regex_search(line.substr(0, line.find("//")), call))
                    << place << ": " << line;
        }
    EXPECT_GT(parts.size(), 15u);
    for (const std::string& part : parts) {
        EXPECT_TRUE(fs::exists(source_folder() / (part + "_posix.cpp"))) << part;
        EXPECT_TRUE(fs::exists(source_folder() / (part + "_windows.cpp"))) << part;
    }
}

// The help promises it. Sockets connect processes of one machine only.
TEST(Architecture, NothingReachesANetwork) {
    const std::regex header(
        R"(^(netdb|ifaddrs|winsock2?|ws2tcpip|winhttp|wininet|urlmon)\.h$|^(netinet|arpa|curl)/)"
        R"(|^(QtNetwork/)?(QNetwork|QTcp|QUdp|QSsl|QHost|QHttp|QWebSocket|QDnsLookup)\w*$)");
    for (const char* folder : {"core", "app", "views", "plugins"})
        for (const fs::path& file : sources(folder))
            for (const std::string& line : lines_of(file)) {
                const std::string code = line.substr(0, line.find("//"));
                for (const char* call :
                     {"AF_INET", "PF_INET", "getaddrinfo", "gethostby", "openUrl("})
                    EXPECT_EQ(code.find(call), std::string::npos) << file << ": " << line;
                if (!code.starts_with("#include")) continue;
                for (const std::string& include : includes_in({line}))
                    EXPECT_FALSE(std::regex_search(include, header))
                        << file << " includes " << include;
            }
}

// A file with a header of its own is a part; one without belongs to the part whose name its own
// begins with (tuning_choice.cpp to tuning), as do headers that a part keeps to itself.
std::string workbench_part(const std::string& stem) {
    static const std::set<std::string> headers = [] {
        std::set<std::string> stems;
        for (const fs::path& file : sources("app/workbench"))
            if (file.extension() == ".h") stems.insert(file.stem().string());
        return stems;
    }();
    if (stem == "project_changes" || stem == "project_pending") return "project";
    if (stem == "project_form") return "project_state";  // describes its members
    std::string part = stem;
    while (!headers.contains(part)) {
        const std::size_t end = part.rfind('_');
        if (end == std::string::npos) return stem;
        part.resize(end);
    }
    return part;
}

// Tuning, comparison, project and other parts use only the parts that they need. Only the window
// uses the whole workbench.
TEST(Architecture, PartsOfTheWorkbenchHaveNoCircle) {
    std::map<std::string, std::set<std::string>> uses;
    for (const fs::path& file : sources("app/workbench")) {
        const std::string own = workbench_part(file.stem().string());
        uses[own];
        for (const std::string& include : includes_of(file)) {
            if (!include.starts_with("workbench/")) continue;
            const std::string used = workbench_part(fs::path(include).stem().string());
            if (used != own) uses[own].insert(used);
        }
    }
    EXPECT_GT(uses.size(), 20u);
    for (const auto& [part, used] : uses)
        EXPECT_FALSE(used.contains("workbench")) << part << " includes workbench/workbench.h";
    EXPECT_EQ(circle_of(uses), "") << "these parts of app/workbench use each other in a circle";
}

/// "frame" of frame.h and frame.cpp; "wait" of wait_posix.cpp too.
std::string unit_of(const fs::path& file) {
    std::string stem = file.stem().string();
    for (const std::string_view system : {"_posix", "_windows"})
        if (stem.ends_with(system)) stem.resize(stem.size() - system.size());
    return stem;
}

// A session is read from its data (plan, memory, device) to what runs it. Units that use each other
// in a circle can only be understood, tested and changed together.
TEST(Architecture, UnitsOfExecHaveNoCircle) {
    const fs::path engine = source_folder() / "core/engine";
    std::map<std::string, std::set<std::string>> uses;
    for (const char* folder : {"core/engine/exec", "core/engine/include/lapidary/exec"})
        for (const fs::path& file : sources(folder)) {
            const std::string own = unit_of(file);
            uses[own];
            for (const std::string& include : includes_of(file)) {
                const bool is_inner = include.starts_with("exec/");
                if (!is_inner && !include.starts_with("lapidary/exec/")) continue;
                const fs::path used = (is_inner ? engine : engine / "include") / include;
                EXPECT_TRUE(fs::exists(used)) << file << " includes " << include;
                if (unit_of(used) != own) uses[own].insert(unit_of(used));
            }
        }
    EXPECT_GT(uses.size(), 40u);
    EXPECT_EQ(circle_of(uses), "") << "these units of core/engine/exec use each other in a circle";
}

TEST(Architecture, ACircleOfUnitsIsFound) {
    EXPECT_EQ(circle_of({{"plan", {"step"}}, {"step", {"value"}}, {"value", {}}}), "");
    EXPECT_EQ(circle_of({{"plan", {"step"}}, {"step", {"plan", "value"}}, {"value", {}}}),
              "plan uses step\nstep uses plan\n");
}

// Which of several jobs counts is decided in one place.
TEST(Architecture, LatestJobIsTheOneIdiom) {
    const std::regex by_hand(R"(make_shared<(app::)?Job ?\*>|QPointer<(app::)?Job>>)");
    for (const char* folder : {"app", "views"})
        for (const fs::path& file : sources(folder))
            for (const std::string& line : lines_of(file))
                EXPECT_FALSE(std::regex_search(line, by_hand))
                    << file << " keeps the newest job by hand: " << line;
}

// Pages lie on theme, models and widgets, and below the window; what two of them share lies beside
// them.
TEST(Architecture, FoldersOfViewsHaveNoCircle) {
    const fs::path views = source_folder() / "views";
    std::map<std::string, std::set<std::string>> uses;
    for (const fs::path& file : sources("views")) {
        const std::string own = fs::relative(file.parent_path(), views).begin()->string();
        for (const std::string& include : includes_of(file)) {
            if (!fs::exists(views / include)) continue;
            const fs::path folder = fs::path(include).parent_path();
            const std::string used = folder.empty() ? "." : folder.begin()->string();
            if (used != own) uses[own].insert(used);
        }
    }
    EXPECT_GT(uses.size(), 8u);
    EXPECT_EQ(circle_of(uses), "") << "these folders of views use each other in a circle";
}

}  // namespace
}  // namespace lapidary
