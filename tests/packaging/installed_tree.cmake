# Installs both components, runs the installed program, and builds and runs a project that uses the package.
set(ENV{DESTDIR} "")
set(prefix ${BUILD}/tests/installed)
file(REMOVE_RECURSE ${prefix} ${BUILD}/tests/consumer)

function(run)
    execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE said ERROR_VARIABLE said)
    if(NOT status EQUAL 0)
        message(FATAL_ERROR "${ARGN}\n${said}")
    endif()
    set(said "${said}" PARENT_SCOPE)
endfunction()

run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${prefix})
run(${prefix}/bin/crosswalk --version)
if(NOT said MATCHES "${VERSION}")
    message(FATAL_ERROR "crosswalk --version prints ${said} instead of ${VERSION}")
endif()
file(GLOB runtime ${prefix}/lib/crosswalk/libonnxruntime.so.*)
if(NOT runtime)
    message(FATAL_ERROR "ONNX Runtime is not in a folder that the installed program searches")
endif()

foreach(file man/man1/crosswalk.1.gz man/man1/crosswalk-convert.1.gz man/man1/crosswalk-gui.1.gz
        bash-completion/completions/crosswalk zsh/vendor-completions/_crosswalk fish/vendor_completions.d/crosswalk.fish)
    if(NOT EXISTS ${prefix}/share/${file})
        message(FATAL_ERROR "share/${file} is not installed")
    endif()
endforeach()

# The program of README: the indented lines from its first include on.
file(READ ${SOURCE}/README.md readme)
string(REGEX MATCH "\n    #include <crosswalk/crosswalk.h>\n(    [^\n]*\n)+" program "${readme}")
if(NOT program)
    message(FATAL_ERROR "README.md has no program that begins with #include <crosswalk/crosswalk.h>")
endif()
string(REGEX REPLACE "\n    " "\n" program "${program}")
file(WRITE ${BUILD}/tests/consumer/main.cpp "${program}")

run(${CMAKE_COMMAND} -S ${SOURCE}/tests/packaging/consumer -B ${BUILD}/tests/consumer -G Ninja
    -DCMAKE_PREFIX_PATH=${prefix} -DCMAKE_BUILD_TYPE=Release -DPROGRAM=${BUILD}/tests/consumer/main.cpp)
run(${CMAKE_COMMAND} --build ${BUILD}/tests/consumer)
run(${BUILD}/tests/consumer/consumer ${prefix}/share/crosswalk/examples/request_bilstm/model-symbol.json ${BUILD}/tests/consumer/out.onnx)
