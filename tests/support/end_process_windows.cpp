// SPDX-License-Identifier: Apache-2.0
#include "support/end_process.h"

#include <windows.h>

namespace lapidary::test {
namespace {

void end_with(long process, UINT code) {
    const HANDLE handle =
        process == 0 ? nullptr
                     : ::OpenProcess(PROCESS_TERMINATE, FALSE, static_cast<DWORD>(process));
    if (handle == nullptr) return;
    ::TerminateProcess(handle, code);
    ::CloseHandle(handle);
}

}  // namespace

void end_process(long process) { end_with(process, 9); }
void abort_process(long process) { end_with(process, 3); }  // the code of abort()

}  // namespace lapidary::test
