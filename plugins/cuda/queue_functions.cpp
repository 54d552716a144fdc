// SPDX-License-Identifier: Apache-2.0
// Functions of the plugin interface for queues: run, copy and wait.
#include <algorithm>

#include "device_block.h"
#include "open_device.h"

namespace lapidary::cuda {
namespace {

char* address(const LpPlace& place) { return place.block->data + place.offset; }

/// Throws for an invalid input that a kernel found. Call after waiting for the queue.
void report_fault(const LpQueue_& queue) {
    Fault& fault = *queue.stream->queue().fault;
    if (fault.code == no_fault) return;
    const Fault found = fault;
    fault = Fault{};
    LpDevice_& device = *queue.device;
    const std::lock_guard lock(device.mutex);
    const auto number = static_cast<std::size_t>(found.node);
    const std::string node =
        number < device.nodes.size() ? device.nodes[number] : std::string("a node");
    if (found.code == division_by_zero)
        throw DeviceError(LP_INVALID, "node " + node + ": integer division by zero");
    throw DeviceError(LP_INVALID, "node " + node + ": index " + std::to_string(found.found) +
                                      " is out of range of " + std::to_string(found.limit) +
                                      " elements");
}

std::int32_t run(LpKernel kernel, LpDeviceRun* run, LpError* error) {
    return answer(error, [&] {
        const std::lock_guard lock(run->queue->mutex);
        ++run->queue->queued;
        run->queue->replay->run(kernel->kernel, *run);
    });
}

LpCalls calls_make(LpQueue queue, std::uint32_t count) {
    try {
        const std::lock_guard lock(queue->mutex);
        RunReplay::Calls newest = queue->replay->newest(count);
        return newest.empty() ? nullptr
                              : std::make_unique<LpCalls_>(LpCalls_{std::move(newest)}).release();
    } catch (const std::bad_alloc&) { return nullptr; }
}

std::int32_t calls_repeat(LpQueue queue, LpCalls calls, LpError* error) {
    return answer(error, [&] {
        const std::lock_guard lock(queue->mutex);
        ++queue->queued;
        queue->replay->run_again(calls->calls);
    });
}

void calls_free(LpCalls calls) { delete calls; }
void queue_destroy(LpQueue queue) { delete queue; }

std::int32_t queue_make(LpDevice device, LpQueue* queue, LpError* error) {
    return answer(error, [&] {
        auto made = std::make_unique<LpQueue_>();
        made->device = device;
        made->stream = runtime::make_stream(device->index, *device->host, device->order);
        made->stream->queue().overlaps = device->overlaps;
        made->stream->queue().hopper = device->hopper;
        made->stream->queue().clusters = device->clusters;
        made->replay = std::make_unique<RunReplay>(*made->stream, device->has_graphs);
        *queue = made.release();
    });
}

/// Queues deferred work, calls `wait` without the lock to wait for it, and records that it is done.
/// `wait` returns true if it left work queued. `only_waits`: `wait` is not called where nothing is
/// queued.
template <typename Wait>
void wait_for_queued(LpQueue_& queue, bool only_waits, const Wait& wait) {
    std::uint64_t mark = 0, queued = 0;
    {
        const std::lock_guard lock(queue.mutex);
        queued = queue.queued;
        if (only_waits && queue.done == queued) return;
        mark = queue.replay->begin_wait();
    }
    const auto end = [&](bool is_done, bool leaves_work) {
        const std::lock_guard lock(queue.mutex);
        queue.replay->end_wait(mark, is_done);
        if (!is_done) return;
        queue.done = std::max(queue.done, queued);
        if (leaves_work) ++queue.queued;
        report_fault(queue);
    };
    bool leaves_work = false;
    try {
        leaves_work = wait();
    } catch (...) {
        end(false, true);
        throw;
    }
    end(true, leaves_work);
}

std::int32_t copy_to_device(LpQueue queue, LpPlace to, const void* from, std::uint64_t bytes,
                            LpError* error) {
    return answer(error, [&] {
        const std::lock_guard lock(queue->mutex);
        // an idle queue needs no second stream
        const bool is_beside =
            queue->done != queue->queued && !queue->replay->touches(address(to), bytes);
        if (!is_beside) queue->replay->flush();
        ++queue->queued;
        queue->stream->begin();
        queue->stream->upload(address(to), from, bytes, is_beside);
        queue->stream->end();
    });
}

std::int32_t copy_to_host(LpQueue queue, void* to, LpPlace from, std::uint64_t bytes,
                          LpError* error) {
    return answer(error, [&] {
        wait_for_queued(*queue, false, [&] {
            queue->stream->begin();
            queue->stream->download(to, address(from), bytes);
            return queue->stream->end() || bytes == 0;  // a copy of no bytes did not wait
        });
    });
}

std::int32_t finish(LpQueue queue, LpTime* newest, LpError* error) {
    return answer(error, [&] {
        wait_for_queued(*queue, true, [&] {
            queue->stream->wait();
            return false;
        });
        *newest = queue->stream->newest();
    });
}

const char* queue_note(LpQueue queue) {
    const std::lock_guard lock(queue->mutex);
    const auto& tuner = queue->device->tuner;
    queue->note =
        queue->replay->summary() + (tuner ? "; " + tuner->summary() : "") + "; times are within " +
        std::to_string((queue->stream->clock_error_ns() + 999) / 1000) + " us of the host's clock";
    return queue->note.c_str();
}

}  // namespace

void add_queue_functions(LpProvider& p) {
    p.run = run;
    p.queue_make = queue_make;
    p.queue_destroy = queue_destroy;
    p.copy_to_device = copy_to_device;
    p.copy_to_host = copy_to_host;
    p.finish = finish;
    p.queue_note = queue_note;
    p.calls_make = calls_make;
    p.calls_repeat = calls_repeat;
    p.calls_free = calls_free;
}

}  // namespace lapidary::cuda
