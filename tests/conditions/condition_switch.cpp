// SPDX-License-Identifier: Apache-2.0
// main() of the instrumented test programs. With LAPIDARY_CONDITION_TRACE=FILE it writes which
// conditions said no in each test: its name, whether it passed, its milliseconds, its property
// "result" and the numbers. With --serve it drops conditions: a line "NUMBER,NUMBER TEST:TEST:..."
// on stdin runs those tests in a separate process without those conditions, and is answered by
// the test that failed, crashed or took too long, by "-" or by "nothing ran".
#include "conditions/condition_switch.h"
#include "conditions/dropping.h"

#include <array>
#include <atomic>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <sstream>

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace lapidary::conditions {
namespace {

constexpr unsigned most_conditions = 1u << 14;
constexpr unsigned most_seconds = 20, most_wall_seconds = 120;
constexpr rlim_t most_bytes = rlim_t{6} << 30;
std::array<std::atomic<bool>, most_conditions> said_no;
std::array<bool, most_conditions> dropped;
bool is_tracing = false, is_suspended = false, drops_any = false;

/// The report of a child process, even if it crashes.
struct ChildReport {
    char test[512];
    bool finished;
};

class Trace final : public testing::EmptyTestEventListener {
public:
    explicit Trace(const char* file) : out_(file) {}

    void OnTestStart(const testing::TestInfo&) override { start_trace(); }
    void OnTestEnd(const testing::TestInfo& test) override {
        const testing::TestResult& result = *test.result();
        out_ << test.test_suite_name() << '.' << test.name() << '\t'
             << (result.Failed() ? "failed" : "passed") << '\t' << result.elapsed_time() << '\t';
        for (unsigned n = 0; n < most_conditions; ++n)
            if (said_no[n]) out_ << n << ' ';
        out_ << std::endl;
    }

private:
    std::ofstream out_;
};

class RunningTestRecorder final : public testing::EmptyTestEventListener {
public:
    explicit RunningTestRecorder(ChildReport& reported) : reported_(reported) {}
    void OnTestStart(const testing::TestInfo& test) override {
        std::snprintf(reported_.test, sizeof reported_.test, "%s.%s", test.test_suite_name(),
                      test.name());
    }

private:
    ChildReport& reported_;
};

int run_without(const std::vector<unsigned>& numbers, const std::string& tests,
                ChildReport& reported) {
    drop(numbers);
    const rlimit bytes{most_bytes, most_bytes}, seconds{most_seconds, most_seconds}, none{0, 0};
    setrlimit(RLIMIT_AS, &bytes);
    setrlimit(RLIMIT_CPU, &seconds);
    setrlimit(RLIMIT_CORE, &none);
    alarm(most_wall_seconds);
    if (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr)) return 1;
    testing::UnitTest::GetInstance()->listeners().Append(new RunningTestRecorder(reported));
    GTEST_FLAG_SET(filter, tests);
    GTEST_FLAG_SET(fail_fast, true);
    const int status = RUN_ALL_TESTS();
    reported.finished = status == 0;
    return status;
}

int serve() {
    auto* reported = static_cast<ChildReport*>(mmap(
        nullptr, sizeof(ChildReport), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
    for (std::string line; std::getline(std::cin, line);) {
        std::istringstream words(line);
        std::string list, tests;
        words >> list >> tests;
        std::vector<unsigned> numbers;
        std::istringstream listed(list);
        for (std::string number; std::getline(listed, number, ',');)
            numbers.push_back(static_cast<unsigned>(std::stoul(number)));
        *reported = {};
        const pid_t child = fork();
        if (child == 0) _exit(run_without(numbers, tests, *reported));
        int status = 0;
        waitpid(child, &status, 0);
        std::cout << (!reported->finished ? reported->test
                      : reported->test[0] ? "-"
                                          : "nothing ran")
                  << std::endl;
    }
    return 0;
}

}  // namespace

bool declined(unsigned n) {
    if (is_tracing) said_no[n] = true;
    return dropped[n] && !is_suspended;
}

bool is_dropping() { return drops_any; }
void suspend(bool suspended) { is_suspended = suspended; }
bool has_said_no(unsigned number) { return said_no[number]; }

void drop(const std::vector<unsigned>& numbers) {
    dropped.fill(false);
    for (unsigned n : numbers) dropped[n] = true;
    drops_any = !numbers.empty();
}

void start_trace() {
    is_tracing = true;
    for (std::atomic<bool>& said : said_no) said = false;
}

}  // namespace lapidary::conditions

int main(int argc, char** argv) {
    using namespace lapidary::conditions;
    testing::InitGoogleTest(&argc, argv);
    if (argc > 1 && std::string(argv[1]) == "--serve") return serve();
    if (search && argc > 1 && std::string(argv[1]) == "--search") return search(argc, argv);
    if (const char* file = std::getenv("LAPIDARY_CONDITION_TRACE")) {
        is_tracing = true;
        testing::UnitTest::GetInstance()->listeners().Append(new Trace(file));
    }
    return RUN_ALL_TESTS();
}
