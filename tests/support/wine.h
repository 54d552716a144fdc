// SPDX-License-Identifier: Apache-2.0
// Distinguishes Wine from Windows, for tests of functions that Wine lacks.
#pragma once

#ifdef _WIN32
#include <windows.h>
#endif

namespace lapidary::test {

inline bool is_wine() {
#ifdef _WIN32
    return ::GetProcAddress(::GetModuleHandleA("ntdll.dll"), "wine_get_version") != nullptr;
#else
    return false;
#endif
}

}  // namespace lapidary::test
