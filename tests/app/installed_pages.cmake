# SPDX-License-Identifier: Apache-2.0
# cmake -DRULES=.../app/cmake_install.cmake -DPREFIX=/usr/local -DFOLDER=F -DZSH=share/zsh/site-functions -P this file:
# installs the command line beneath FOLDER; its completions and man pages have to lie where shells and man look for
# them.
file(REMOVE_RECURSE ${FOLDER})
set(ENV{DESTDIR} ${FOLDER})
execute_process(COMMAND ${CMAKE_COMMAND} -DCMAKE_INSTALL_PREFIX=${PREFIX} -P ${RULES} RESULT_VARIABLE status
  OUTPUT_QUIET)
if(status)
  message(FATAL_ERROR "the rules failed: ${status}")
endif()
set(root ${FOLDER}${PREFIX})
foreach(file bin/lapidary-cli share/bash-completion/completions/lapidary-cli ${ZSH}/_lapidary-cli
        share/fish/vendor_completions.d/lapidary-cli.fish share/man/man1/lapidary-cli.1
          share/man/man1/lapidary-cli-run.1 share/lapidary/schemas/run.schema.json)
  if(NOT EXISTS ${root}/${file})
    message(FATAL_ERROR "${file} is not installed")
  endif()
endforeach()
execute_process(COMMAND ${root}/bin/lapidary-cli completion bash OUTPUT_VARIABLE printed RESULT_VARIABLE status)
file(READ ${root}/share/bash-completion/completions/lapidary-cli installed)
if(status OR NOT printed STREQUAL installed)
  message(FATAL_ERROR "the installed completions are not those of the installed program")
endif()
file(REMOVE_RECURSE ${FOLDER})
