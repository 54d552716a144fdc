// SPDX-License-Identifier: Apache-2.0
#include "engines/measured_session.h"

#include "bench/engines/in_process_engine.h"

namespace lapidary {
namespace {

class MeasuredSession final : public InProcessEngine {
public:
    explicit MeasuredSession(std::unique_ptr<EngineSession> session)
        : session_(std::move(session)) {
        load_ms_ = session_->load_ms();
    }
    NamedValues outputs() override {
        session_->run_once();
        return session_->outputs();
    }

private:
    void run() override { session_->run_once(); }
    std::unique_ptr<EngineSession> session_;
};

}  // namespace

std::unique_ptr<BenchEngine> measured_session(std::unique_ptr<EngineSession> session) {
    return std::make_unique<MeasuredSession>(std::move(session));
}

}  // namespace lapidary
