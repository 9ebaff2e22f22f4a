# Builds the Python wheel over this build of the library, installs it into an empty environment, and runs its tests there.
execute_process(COMMAND ${CMAKE_COMMAND} -E env PATH=${TOOLS}:$ENV{PATH} CROSSWALK_WHEEL_TREE=${BUILD}
    ${SOURCE}/packaging/wheel.sh --local /usr/bin/python3
    RESULT_VARIABLE status OUTPUT_VARIABLE said ERROR_VARIABLE said)
if(NOT status EQUAL 0)
    message(FATAL_ERROR "${said}")
endif()
message("${said}")
