# Installation rules. Three components: `programs`, the command line, which needs no Qt; `window`, the desktop program; and
# `development` for users of the library.
include(CMakePackageConfigHelpers)

set(_package ${CMAKE_INSTALL_LIBDIR}/cmake/crosswalk)
set(_onnx ${PROJECT_SOURCE_DIR}/build/deps/onnx)

# The library: its public headers, and onnx's own library, which distributions do not have in this version.
install(TARGETS crosswalk_core EXPORT crosswalkTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/crosswalk DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development)
install(DIRECTORY ${_onnx}/include ${_onnx}/lib DESTINATION ${_package}/onnx COMPONENT development)
install(EXPORT crosswalkTargets NAMESPACE crosswalk:: DESTINATION ${_package} COMPONENT development)
configure_package_config_file(${PROJECT_SOURCE_DIR}/packaging/cmake/crosswalkConfig.cmake.in
    ${PROJECT_BINARY_DIR}/crosswalkConfig.cmake INSTALL_DESTINATION ${_package})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/crosswalkConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/crosswalkConfig.cmake ${PROJECT_BINARY_DIR}/crosswalkConfigVersion.cmake
    DESTINATION ${_package} COMPONENT development)

# The programs, their examples, and ONNX Runtime in a folder that the programs search.
install(TARGETS crosswalk RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT programs)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/resources/examples DESTINATION ${CMAKE_INSTALL_DATADIR}/crosswalk COMPONENT programs)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/CHANGELOG.md
    DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT programs)
file(GLOB _runtime ${CROSSWALK_ONNXRUNTIME_FOLDER}/libonnxruntime.so.*)
if(_runtime)
    install(PROGRAMS ${_runtime} DESTINATION lib/crosswalk COMPONENT programs)
    cmake_path(GET CROSSWALK_ONNXRUNTIME_FOLDER PARENT_PATH _wheel)
    install(FILES ${_wheel}/LICENSE ${_wheel}/ThirdPartyNotices.txt
        DESTINATION ${CMAKE_INSTALL_DOCDIR}/onnxruntime COMPONENT programs OPTIONAL)
endif()
if(TARGET crosswalk-gui)
    install(TARGETS crosswalk-gui RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT window)
    install(FILES packaging/linux/org.crosswalk.Crosswalk.desktop
        DESTINATION ${CMAKE_INSTALL_DATADIR}/applications COMPONENT window)
    install(FILES packaging/linux/org.crosswalk.Crosswalk.metainfo.xml
        DESTINATION ${CMAKE_INSTALL_DATADIR}/metainfo COMPONENT window)
    install(FILES packaging/linux/crosswalk-mime.xml
        DESTINATION ${CMAKE_INSTALL_DATADIR}/mime/packages RENAME crosswalk.xml COMPONENT window)
    install(FILES resources/icons/crosswalk.svg
        DESTINATION ${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps COMPONENT window)
endif()

# Manual pages and completions, which the programs write about themselves.
set(_manual ${PROJECT_BINARY_DIR}/manual)
file(MAKE_DIRECTORY ${_manual})
set(_write_manual COMMAND crosswalk manual ${_manual})
set(_write_manual_needs crosswalk)
if(TARGET crosswalk-gui)
    list(APPEND _write_manual COMMAND crosswalk-gui --manual ${_manual})
    list(APPEND _write_manual_needs crosswalk-gui)
endif()
add_custom_command(OUTPUT ${PROJECT_BINARY_DIR}/manual.stamp
    COMMAND ${CMAKE_COMMAND} -E rm -rf ${_manual}
    ${_write_manual}
    COMMAND sh -c "gzip -9 -n ${_manual}/man/man1/*.1" VERBATIM
    COMMAND ${CMAKE_COMMAND} -E touch ${PROJECT_BINARY_DIR}/manual.stamp
    DEPENDS ${_write_manual_needs} COMMENT "Writing manual pages and completions")
add_custom_target(manual ALL DEPENDS ${PROJECT_BINARY_DIR}/manual.stamp)
install(DIRECTORY ${_manual}/ DESTINATION ${CMAKE_INSTALL_DATADIR} COMPONENT programs PATTERN "*crosswalk-gui*" EXCLUDE)
install(DIRECTORY ${_manual}/ DESTINATION ${CMAKE_INSTALL_DATADIR} COMPONENT window FILES_MATCHING PATTERN "*crosswalk-gui*")

# Packages of Debian: packaging/package.sh makes them.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME crosswalk)
set(CPACK_PACKAGE_CONTACT "Crosswalk maintainers <maintainers@crosswalk.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL programs window development)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PROGRAMS_PACKAGE_NAME crosswalk)
set(CPACK_DEBIAN_PROGRAMS_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PROGRAMS_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PROGRAMS_PACKAGE_SUGGESTS crosswalk-gui)
set(CPACK_DEBIAN_PROGRAMS_DESCRIPTION "Converts models of Apache MXNet, TensorFlow, Keras and PyTorch to ONNX exactly,
verifies the export with ONNX Runtime, which it contains, and compares, draws
and inspects models. This is the command line.")
set(CPACK_DEBIAN_WINDOW_PACKAGE_NAME crosswalk-gui)
set(CPACK_DEBIAN_WINDOW_PACKAGE_SECTION science)
set(CPACK_DEBIAN_WINDOW_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_WINDOW_PACKAGE_DEPENDS "crosswalk (= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_WINDOW_DESCRIPTION "Shows a model beside the ONNX graph to which it converts, explains the
differences, and exports and verifies the result. This is the desktop program.")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libcrosswalk-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "libprotobuf-dev, protobuf-compiler, libgraphviz-dev, libfmt-dev, libsimdjson-dev, libsnappy-dev, libzip-dev, nlohmann-json3-dev, zlib1g-dev")
set(CPACK_DEBIAN_DEVELOPMENT_DESCRIPTION "The conversion library as a CMake package: static library and headers.")
include(CPack)
