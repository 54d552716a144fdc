// SPDX-License-Identifier: Apache-2.0
// A run as the bytes that a worker process leaves in shared memory.
#include <vector>

#include "worker/protocol/bytes/run_record_bytes.h"

#include "fuzz/fuzz_target.h"

LAPIDARY_FUZZ_TARGET(run_record) {
    using namespace lapidary;
    // values of the record point into the bytes, as they do into shared memory
    const auto bytes = std::make_shared<std::vector<std::byte>>(input.begin(), input.end());
    app::ByteReader reader(*bytes, bytes);
    app::read_run_record(reader, nullptr, {});
}
