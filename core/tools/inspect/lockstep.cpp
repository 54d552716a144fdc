// SPDX-License-Identifier: Apache-2.0
#include "inspect/lockstep.h"

#include <algorithm>
#include <exception>

#include <lapidary/base/error.h>
#include <lapidary/internal/joined_threads.h>

#include "exec/plan/planned_copies.h"
#include "inspect/memory_copies.h"

namespace lapidary {

std::uint64_t bytes_of(const RuntimeValue& value) {
    if (value.is_tensor()) return value.tensor().byte_size();
    if (value.is_map()) return value.map().values.byte_size();
    std::uint64_t bytes = 0;
    if (value.is_sequence())
        for (const RuntimeValue& item : value.sequence().items) bytes += bytes_of(item);
    return bytes;
}

RuntimeValue owned_copy(const RuntimeValue& value) {
    if (value.is_tensor()) return value.tensor().clone();
    if (value.is_sequence()) {
        Sequence copy;
        copy.element_type = value.sequence().element_type;
        for (const RuntimeValue& item : value.sequence().items)
            copy.items.push_back(owned_copy(item));
        return copy;
    }
    if (!value.is_map()) return value;
    Map copy = value.map();
    copy.values = copy.values.clone();
    return copy;
}

class Lockstep::ObserverA final : public StepObserver {
public:
    explicit ObserverA(Lockstep& lockstep) : lockstep_(lockstep) {}
    void node_ran(ObservedGraph& graph, const Node& node) override {
        if (is_copy(node)) return;
        for (ValueId id : node.outputs) {
            const std::size_t pair =
                lockstep_.values_.of_a(graph.graph(), value_of_model(graph.graph(), id));
            if (pair != MatchedValues::none)
                lockstep_.offer({pair, graph.iterations()}, graph.value(id));
        }
    }

private:
    Lockstep& lockstep_;
};

class Lockstep::ObserverB final : public StepObserver {
public:
    explicit ObserverB(Lockstep& lockstep) : lockstep_(lockstep) {}
    void node_ran(ObservedGraph& graph, const Node& node) override {
        if (is_copy(node)) return;
        for (ValueId id : node.outputs) {
            const std::size_t pair =
                lockstep_.values_.of_b(graph.graph(), value_of_model(graph.graph(), id));
            if (pair == MatchedValues::none) continue;
            lockstep_.take({pair, graph.iterations()}, [&](const RuntimeValue& in_a) {
                lockstep_.meet_({pair, in_a, graph, id});
            });
        }
    }

private:
    Lockstep& lockstep_;
};

void Lockstep::offer(const Key& key, const RuntimeValue& value) {
    std::unique_lock lock(mutex_);
    offered_ = &key;
    offered_value_ = &value;
    changed_.notify_all();
    // While B runs it may still come here; while it waits for another value it cannot.
    const auto waits_for_another = [&] {
        return wanted_ != nullptr && *wanted_ != key && !put_down_.contains(*wanted_);
    };
    changed_.wait(lock, [&] { return offered_ == nullptr || is_b_done_ || waits_for_another(); });
    const bool is_taken = offered_ == nullptr;
    offered_ = nullptr;
    if (is_taken) return;
    if (is_b_done_) fail(ErrorCode::cancelled, "the other run has ended");
    put_down_.emplace(key, owned_copy(value));
    kept_ += bytes_of(value);
    most_kept_ = std::max(most_kept_, kept_);
}

void Lockstep::take(const Key& key, const std::function<void(const RuntimeValue&)>& use) {
    std::unique_lock lock(mutex_);
    wanted_ = &key;
    changed_.notify_all();
    changed_.wait(lock, [&] {
        return put_down_.contains(key) || (offered_ != nullptr && *offered_ == key) || is_a_done_;
    });
    wanted_ = nullptr;
    if (const auto kept = put_down_.find(key); kept != put_down_.end()) {
        const RuntimeValue value = std::move(kept->second);
        put_down_.erase(kept);
        kept_ -= bytes_of(value);
        lock.unlock();
        return use(value);
    }
    if (offered_ == nullptr || *offered_ != key) return;
    // A stands still until offered_ is null, so that its value stays.
    const RuntimeValue* const value = offered_value_;
    lock.unlock();
    struct GoOn {
        ~GoOn() {
            const std::lock_guard guard(lockstep.mutex_);
            lockstep.offered_ = nullptr;
            lockstep.changed_.notify_all();
        }
        Lockstep& lockstep;
    } const go_on{*this};
    use(*value);
}

void Lockstep::end_a() {
    const std::lock_guard lock(mutex_);
    is_a_done_ = true;
    changed_.notify_all();
}

void Lockstep::end_b() {
    const std::lock_guard lock(mutex_);
    is_b_done_ = true;
    changed_.notify_all();
}

void Lockstep::run(Session& a, const NamedValues& inputs_a, Session& b, const NamedValues& inputs_b,
                   const Progress& progress) {
    put_down_.clear();
    kept_ = 0;
    is_a_done_ = is_b_done_ = false;
    std::exception_ptr error_a, error_b;
    ObserverA observer_a(*this);
    ObserverB observer_b(*this);
    {
        JoinedThreads thread([this] { end_b(); });
        thread.start(1, "runs beside another one", [&](int) {
            try {
                RunOptions options;
                options.cancel = progress.cancel;
                options.observer = &observer_a;
                a.run(inputs_a, options);
            } catch (...) { error_a = std::current_exception(); }
            end_a();
        });
        try {
            RunOptions options;
            options.cancel = progress.cancel;
            options.observer = &observer_b;
            options.progress = [&](int done, int total) {
                progress.step("run both", static_cast<double>(done) / total);
            };
            b.run(inputs_b, options);
        } catch (...) { error_b = std::current_exception(); }
        end_b();
    }
    // What ends A because B has ended is no error.
    const auto is_because_of_b = [&] {
        try {
            std::rethrow_exception(error_a);
        } catch (const Error& error) {
            return error.code() == ErrorCode::cancelled && !progress.cancel.is_cancelled();
        } catch (...) { return false; }
    };
    if (error_a && !is_because_of_b()) std::rethrow_exception(error_a);
    if (error_b) std::rethrow_exception(error_b);
}

}  // namespace lapidary
