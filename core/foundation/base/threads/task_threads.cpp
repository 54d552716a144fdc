// SPDX-License-Identifier: Apache-2.0
#include "base/threads/task_threads.h"

#include <algorithm>
#include <atomic>
#include <utility>
#include <vector>

#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_group.h>

#include <lapidary/base/error.h>

#include "base/assert.h"
#include "base/threads/even_split.h"
#include "base/threads/helper_arena.h"
#include "base/threads/inside_task.h"

namespace lapidary {
namespace tbb = oneapi::tbb;

struct TaskThreads::Team {
    /// Keeps a helper in the arena: it waits for a task that never begins, and runs other tasks
    /// meanwhile.
    struct Post {
        tbb::task_group group;
        tbb::task_handle hold;
    };

    Team(int count, int most, std::shared_ptr<const ThreadSetup> setup)
        : width(most), posts(static_cast<std::size_t>(count)),
          arena(count, std::move(setup), [this](int worker) { post(worker).group.wait(); }) {}
    Post& post(int worker) {
        LAPIDARY_ASSERT(worker > 0 && static_cast<std::size_t>(worker) < posts.size());
        return posts[static_cast<std::size_t>(worker)];
    }

    int width;
    std::vector<Post> posts;  // by worker; the first is not used
    tbb::task_group spawned;
    HelperArena arena;
    bool is_active = false;               // inside of execute()
    std::atomic<bool> has_called{false};  // in this execute()
    // What a task wrote is visible to whoever waits for it and to tasks that begin later. oneTBB
    // guarantees that; this variable makes it known to ThreadSanitizer, which does not see into the
    // library.
    std::atomic<int> order{0};
};

TaskThreads::TaskThreads(int count, int width, std::shared_ptr<const ThreadSetup> setup) {
    if (!setup) setup = std::make_shared<const ThreadSetup>();
    count = usable_thread_count(count);
    team_ =
        std::make_unique<Team>(count, width > 0 ? std::min(width, count) : count, std::move(setup));
}

TaskThreads::~TaskThreads() = default;

int TaskThreads::threads() const { return team_->width; }

void TaskThreads::execute(const std::function<void()>& body) {
    Team& team = *team_;
    if (team.is_active || InsideTask::is_any()) return body();
    struct Stay {
        explicit Stay(Team& t) : team(t) { team.is_active = true; }
        ~Stay() {
            if (team.has_called.exchange(false)) {
                for (Team::Post& post : team.posts) post.hold = tbb::task_handle();
                team.arena.wait_until_left();
            }
            team.is_active = false;
        }
        Team& team;
    } const stay(team);
    team.arena.execute([&] { body(); });
}

void TaskThreads::call_helpers() {
    if (team_->has_called.exchange(true)) return;
    for (int worker = 1; worker < team_->arena.threads(); ++worker) {
        Team::Post& post = team_->post(worker);
        post.hold = post.group.defer([] {});
        team_->arena.call(worker);
    }
}

void TaskThreads::parallel_for(std::int64_t count, std::int64_t grain, const RangeBody& body) {
    if (count <= 0) return;
    const EvenSplit split(count, grain, threads());
    if (split.parts == 1) return body(0, count);
    parallel_tasks(split.parts,
                   [&](std::int64_t part, int) { body(split.begin(part), split.begin(part + 1)); });
}

void TaskThreads::parallel_tasks(std::int64_t count, const TaskBody& body) {
    const auto workers = static_cast<int>(std::min<std::int64_t>(count, threads()));
    if (workers < 2 || !team_->is_active || InsideTask::is_any()) {
        const int worker = InsideTask::worker_of(this);
        for (std::int64_t task = 0; task < count; ++task) body(task, worker);
        return;
    }
    call_helpers();
    std::atomic<std::int64_t> next{0};
    const auto work = [&](int worker) {
        const InsideTask inside(this, worker);
        team_->order.fetch_add(1);
        try {
            for (std::int64_t task = next++; task < count; task = next++) body(task, worker);
        } catch (...) {
            next = count;
            throw;
        }
        team_->order.fetch_add(1);
    };
    // Isolated: a thread that waits here for the last tasks does not take tasks of another call,
    // which may take long.
    tbb::this_task_arena::isolate(
        [&] { tbb::parallel_for(0, workers, 1, work, tbb::simple_partitioner()); });
    team_->order.fetch_add(1);
}

void TaskThreads::spawn(std::function<void()> body) {
    call_helpers();
    team_->order.fetch_add(1);
    team_->spawned.run([this, body = std::move(body)] {
        team_->order.fetch_add(1);
        body();
        team_->order.fetch_add(1);
    });
}

void TaskThreads::wait_for_spawned() {
    team_->spawned.wait();
    team_->order.fetch_add(1);
}

std::unique_ptr<TaskThreads> task_threads_if_any() {
    try {
        return std::make_unique<TaskThreads>(0);
    } catch (const Error& error) {
        if (error.code() != ErrorCode::limit_exceeded) throw;
        return nullptr;
    }
}

}  // namespace lapidary
