// SPDX-License-Identifier: Apache-2.0
// Looks for near misses: graphs a step away from the cases of tests/fixtures that the passes treat
// otherwise when a statement's conditions are dropped. --search TARGETS FOLDER SECONDS SHARD SHARDS
// [CASES]: TARGETS has the numbers of a statement's conditions per line, with commas. With CASES, a
// folder, what it holds (graphs, passes, no need of an expectation) and its neighbours are looked
// at instead. Writes FOLDER/found_SHARD.jsonl, a case per line with the lines of TARGETS that it
// catches, and FOLDER/problems_SHARD.txt: neighbours that came out wrong.
#include <chrono>
#include <csetjmp>
#include <csignal>
#include <fstream>
#include <iostream>
#include <set>
#include <sstream>
#include <unordered_map>

#include <fmt/format.h>
#include <lapidary/base/error.h>
#include <nlohmann/json.hpp>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "conditions/dropping.h"
#include "conditions/near_miss_case.h"
#include "support/test_data.h"

namespace lapidary {
namespace {

constexpr std::size_t most_asked = 4096;
constexpr int most_tries = 300, most_tries_alike = 3, most_runs = 10;

/// The report of a child process, even if it crashes.
struct Answers {
    std::size_t current;
    enum State : unsigned char { open, same, differs } state[most_asked];
};

Answers& answers() {
    static auto* shared = static_cast<Answers*>(
        mmap(nullptr, sizeof(Answers), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
    return *shared;
}

/// Asks each of `count` questions in a separate process; a crash counts as the answer "differs".
template <typename Ask>
void ask_apart(std::size_t count, const Ask& ask) {
    Answers& shared = answers();
    std::fill_n(shared.state, count, Answers::open);
    for (bool done = false; !done;) {
        const pid_t child = fork();
        if (child == 0) {
            const rlimit bytes{rlim_t{6} << 30, rlim_t{6} << 30}, seconds{5, 5}, none{0, 0};
            setrlimit(RLIMIT_AS, &bytes);
            setrlimit(RLIMIT_CPU, &seconds);
            setrlimit(RLIMIT_CORE, &none);
            alarm(30);
            if (!freopen("/dev/null", "w", stderr)) _exit(1);
            for (std::size_t i = 0; i < count; ++i) {
                if (shared.state[i] != Answers::open) continue;
                shared.current = i;
                shared.state[i] = ask(i) ? Answers::differs : Answers::same;
            }
            _exit(0);
        }
        int status = 0;
        waitpid(child, &status, 0);
        done = WIFEXITED(status) && WEXITSTATUS(status) == 0;
        if (!done) shared.state[shared.current] = Answers::differs;
    }
}

sigjmp_buf behind_abort;

/// Runs work that may fail an assertion because of a faulty pass; false if it did. Memory is not
/// freed then.
template <typename Work>
bool survives(const Work& work) {
    struct sigaction back {
    }, old{};
    back.sa_handler = [](int) { siglongjmp(behind_abort, 1); };
    sigaction(SIGABRT, &back, &old);
    const bool ended = sigsetjmp(behind_abort, 1) == 0 && (work(), true);
    sigaction(SIGABRT, &old, nullptr);
    return ended;
}

struct Target {
    std::vector<unsigned> numbers;
    bool caught = false;
    int tries = 0, runs = 0;
    std::unordered_map<std::size_t, int> tries_by_trace;
};

struct Found {
    std::string file, text;
    test::PassCase pass_case;
    std::vector<std::size_t> catches, met;
};

class Search {
public:
    Search(const std::filesystem::path& targets, std::filesystem::path folder, std::string shard)
        : folder_(std::move(folder)), shard_(std::move(shard)),
          problems_(folder_ / ("problems_" + shard_ + ".txt")) {
        std::ifstream in(targets);
        for (std::string line; std::getline(in, line);) {
            targets_.emplace_back();
            std::istringstream numbers(line);
            for (std::string n; std::getline(numbers, n, ',');)
                targets_.back().numbers.push_back(static_cast<unsigned>(std::stoul(n)));
        }
    }

    /// Looks at the unchanged case.
    void look_at(const test::PassCase& c) {
        const std::string reported = trace(c);
        std::vector<std::size_t> asked;
        for (std::size_t t : met_)
            if (!targets_[t].caught) asked.push_back(t);
        ask_apart(asked.size(),
                  [&](std::size_t i) { return differs(c, reported, targets_[asked[i]], false); });
        for (std::size_t i = 0; i < asked.size(); ++i)
            targets_[asked[i]].caught |= answers().state[i] == Answers::differs;
    }

    /// `is_written`: it was written by hand, so it is checked in full, however many similar ones
    /// were.
    void look_at(const lapgen::Neighbour& neighbour, bool is_written = false) {
        const test::PassCase& c = neighbour.pass_case;
        ++looked_at_;
        std::string reported;
        std::string problem;
        bool valid = true;
        const auto work = [&] {
            try {
                reported = trace(c);
            } catch (const Error& error) {
                valid = false;
                if (error.code() == ErrorCode::internal) problem = error.what();
            }
        };
        if (!survives(work)) problem = "ended by an assertion";
        if (!problem.empty()) return report(neighbour, problem);
        if (!valid) return;
        std::size_t hash = 0;
        for (std::size_t t : met_) hash = hash * 1000003 + t;
        std::vector<std::size_t> asked;
        for (std::size_t t : met_) {
            Target& target = targets_[t];
            if (target.caught || (!is_written && (target.tries >= most_tries ||
                                                  target.tries_by_trace[hash] >= most_tries_alike)))
                continue;
            ++target.tries;
            ++target.tries_by_trace[hash];
            asked.push_back(t);
        }
        if (asked.empty()) return;
        const bool can_run = c.runs && !neighbour.inputs.empty();
        ask_apart(asked.size(), [&](std::size_t i) {
            Target& target = targets_[asked[i]];
            return differs(c, reported, target, can_run && target.runs < most_runs);
        });
        std::vector<std::size_t> caught;
        for (std::size_t i = 0; i < asked.size(); ++i) {
            targets_[asked[i]].runs += can_run;
            if (answers().state[i] == Answers::differs) caught.push_back(asked[i]);
        }
        if (!caught.empty()) take(neighbour, caught);
    }

    std::string summary() const {
        std::size_t caught = 0, met = 0;
        for (const Target& t : targets_) caught += t.caught, met += !t.caught && t.tries > 0;
        return fmt::format("{} of {} caught, {} met and not caught, {} neighbours, {} cases",
                           caught, targets_.size(), met, looked_at_, found_.size());
    }

    /// Checks every new case against all conditions that it reaches and that no earlier case
    /// caught.
    void write(const std::set<std::size_t>& caught_before) {
        std::ofstream out(folder_ / ("found_" + shard_ + ".jsonl"));
        for (Found& f : found_) {
            std::erase_if(f.met, [&](std::size_t t) {
                return caught_before.contains(t) || !targets_[t].caught;
            });
            ask_apart(f.met.size(), [&](std::size_t i) {
                conditions::drop(targets_[f.met[i]].numbers);
                return !test::check_pass_case(f.pass_case).empty();
            });
            nlohmann::json catches = nlohmann::json::array();
            for (std::size_t i = 0; i < f.met.size(); ++i)
                if (answers().state[i] == Answers::differs) catches.push_back(f.met[i]);
            out << nlohmann::json{{"file", f.file}, {"text", f.text}, {"catches", catches}}.dump()
                << "\n";
        }
    }

    std::set<std::size_t> caught() const {
        std::set<std::size_t> list;
        for (std::size_t t = 0; t < targets_.size(); ++t)
            if (targets_[t].caught) list.insert(t);
        return list;
    }

private:
    std::string trace(const test::PassCase& c) {
        conditions::start_trace();
        std::string reported = reported_by_case(c);
        met_.clear();
        for (std::size_t t = 0; t < targets_.size(); ++t)
            if (std::ranges::any_of(targets_[t].numbers, conditions::has_said_no))
                met_.push_back(t);
        return reported;
    }

    static bool differs(const test::PassCase& c, const std::string& reported, const Target& target,
                        bool runs) {
        conditions::drop(target.numbers);
        try {
            if (reported_by_case(c) != reported) return true;
            if (!runs) return false;
            const Model before = test::model_of(c.before, c.opset);
            const OptimizeResult result = optimize(before, test::options_of(c));
            return !result.report.rewrites.empty() &&
                   !test::compare_runs(before, result.model, {c.tolerance, c.tolerance}, 1,
                                       c.dimensions)
                        .empty();
        } catch (const Error&) { return true; }
    }

    void report(const lapgen::Neighbour& neighbour, const std::string& problem) {
        problems_ << neighbour.pass_case.name << ": " << neighbour.step << "\n"
                  << neighbour.pass_case.before << problem << "\n\n"
                  << std::flush;
    }

    /// Keeps the neighbour if it is a valid case and catches the expected conditions as a case.
    void take(const lapgen::Neighbour& neighbour, const std::vector<std::size_t>& caught) {
        const std::filesystem::path own = folder_ / ("case_" + shard_);
        std::filesystem::remove(own / "problem.txt");
        ask_apart(1, [&](std::size_t) {
            std::string problem;
            try {
                problem = write_and_check(own, case_text(neighbour));
                if (problem.empty()) problem = lapgen::check_neighbour(neighbour);
            } catch (const Error& error) { problem = error.what(); }
            if (!problem.empty()) std::ofstream(own / "problem.txt") << problem;
            return !problem.empty();
        });
        if (answers().state[0] == Answers::differs) {
            std::stringstream problem;
            problem << std::ifstream(own / "problem.txt").rdbuf();
            return report(neighbour, problem.str());
        }
        Found found;
        found.pass_case = test::read_pass_cases(own).at(0);
        found.file =
            (neighbour.pass_case.file.parent_path().filename() / neighbour.pass_case.file.stem())
                .string();
        found.met = met_;
        ask_apart(caught.size(), [&](std::size_t i) {
            conditions::drop(targets_[caught[i]].numbers);
            return !test::check_pass_case(found.pass_case).empty();
        });
        for (std::size_t i = 0; i < caught.size(); ++i)
            if (answers().state[i] == Answers::differs)
                targets_[caught[i]].caught = true, found.catches.push_back(caught[i]);
        if (found.catches.empty()) return;
        std::stringstream text;
        text << std::ifstream(own / "case.graph").rdbuf();
        found.text = text.str();
        found_.push_back(std::move(found));
    }

    std::vector<Target> targets_;
    std::filesystem::path folder_;
    std::string shard_;
    std::ofstream problems_;
    std::vector<std::size_t> met_;
    std::vector<Found> found_;
    std::size_t looked_at_ = 0;
};

int search(int argc, char** argv) {
    if (argc < 7) {
        std::cerr << "usage: --search TARGETS FOLDER SECONDS SHARD SHARDS [CASES]\n";
        return 2;
    }
    const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(std::stoi(argv[4]));
    const std::size_t shard = std::stoul(argv[5]), shards = std::stoul(argv[6]);
    std::filesystem::create_directories(argv[3]);
    Search search(argv[2], argv[3], argv[5]);
    std::vector<test::PassCase> cases = test::read_pass_cases(fixtures_folder() / "passes");
    for (test::PassCase& c : test::read_pass_cases(fixtures_folder() / "near_misses"))
        cases.push_back(std::move(c));
    std::ranges::stable_sort(cases, {}, [](const test::PassCase& c) { return c.before.size(); });
    for (const test::PassCase& c : cases) search.look_at(c);
    const std::set<std::size_t> before = search.caught();
    // lines of TARGETS that the existing cases catch
    std::ofstream known(std::filesystem::path(argv[3]) / "known.txt");
    for (std::size_t t : before) known << t << "\n";
    known.close();
    std::cout << "cases as they are: " << search.summary() << std::endl;
    if (argc > 7) cases = test::read_pass_cases(argv[7]);
    const auto goes_on = [&] { return std::chrono::steady_clock::now() < until; };
    for (std::size_t i = shard; argc > 7 && i < cases.size(); i += shards) {
        lapgen::EveryChoice none;
        const auto n = lapgen::neighbour(cases[i], none, 0);
        if (n) search.look_at(*n, true);
        else std::cout << cases[i].name << " is not valid" << std::endl;
    }
    for (std::size_t i = shard; i < cases.size() && goes_on(); i += shards) {
        lapgen::EveryChoice choices;
        do {
            if (const auto n = lapgen::neighbour(cases[i], choices, 1)) search.look_at(*n);
        } while (choices.next() && goes_on());
        if (i / shards % 20 == 0)
            std::cout << i << " of " << cases.size() << ": " << search.summary() << std::endl;
    }
    for (std::uint64_t seed = 0; goes_on(); ++seed) {
        for (std::size_t i = shard; i < cases.size() && goes_on(); i += shards) {
            lapgen::RandomChoices choices(seed);
            if (const auto n = lapgen::neighbour(cases[i], choices, 2 + static_cast<int>(seed % 2)))
                search.look_at(*n);
        }
        if (seed % 20 == 0) std::cout << "seed " << seed << ": " << search.summary() << std::endl;
    }
    search.write(before);
    std::cout << search.summary() << std::endl;
    return 0;
}

const bool is_set = (conditions::search = &search, true);

}  // namespace
}  // namespace lapidary
