# Writes sbom.spdx.json, the software bill of materials of the programs: an SPDX 2.3 document with the version of every
# library that this build found. Installed with the programs.

# Adds a library. `variable` contains its version in the scope of the folder that looks for it.
set(_sbom_packages "")
set(_sbom_relations "")
function(crosswalk_sbom name license folder variable)
    get_directory_property(version DIRECTORY ${PROJECT_SOURCE_DIR}/${folder} DEFINITION ${variable})
    crosswalk_sbom_version(${name} ${license} "${version}")
    set(_sbom_packages "${_sbom_packages}" PARENT_SCOPE)
    set(_sbom_relations "${_sbom_relations}" PARENT_SCOPE)
endfunction()
function(crosswalk_sbom_version name license version)
    if(NOT version)
        message(FATAL_ERROR "sbom.cmake: the version of ${name} is unknown")
    endif()
    string(APPEND _sbom_packages ",
    {\"SPDXID\": \"SPDXRef-${name}\", \"name\": \"${name}\", \"versionInfo\": \"${version}\", \"downloadLocation\": \"NOASSERTION\",
     \"filesAnalyzed\": false, \"licenseConcluded\": \"NOASSERTION\", \"licenseDeclared\": \"${license}\", \"copyrightText\": \"NOASSERTION\"}")
    string(APPEND _sbom_relations ",
    {\"spdxElementId\": \"SPDXRef-crosswalk\", \"relationshipType\": \"DEPENDS_ON\", \"relatedSpdxElement\": \"SPDXRef-${name}\"}")
    set(_sbom_packages "${_sbom_packages}" PARENT_SCOPE)
    set(_sbom_relations "${_sbom_relations}" PARENT_SCOPE)
endfunction()

# The version that packaging/python.lock pins.
function(crosswalk_locked name variable)
    file(STRINGS ${PROJECT_SOURCE_DIR}/packaging/python.lock lines REGEX "^${name}==")
    string(REGEX REPLACE "^${name}==([0-9.]+).*" "\\1" version "${lines}")
    set(${variable} "${version}" PARENT_SCOPE)
endfunction()

crosswalk_locked(onnx _onnx_version)
crosswalk_locked(onnxruntime _onnxruntime_version)
crosswalk_sbom_version(onnx Apache-2.0 "${_onnx_version}")
crosswalk_sbom_version(onnxruntime MIT "${_onnxruntime_version}")
crosswalk_sbom(protobuf BSD-3-Clause core Protobuf_VERSION)
crosswalk_sbom(fmt MIT core fmt_VERSION)
crosswalk_sbom(simdjson Apache-2.0 core simdjson_VERSION)
crosswalk_sbom(nlohmann-json MIT core nlohmann_json_VERSION)
crosswalk_sbom(libzip BSD-3-Clause core/base CROSSWALK_ZIP_VERSION)
crosswalk_sbom(zlib Zlib core/base ZLIB_VERSION_STRING)
crosswalk_sbom(snappy BSD-3-Clause core/formats/tensorflow CROSSWALK_SNAPPY_VERSION)
crosswalk_sbom(CLI11 BSD-3-Clause app CLI11_VERSION)
crosswalk_sbom(mimalloc MIT app mimalloc_VERSION)
if(CROSSWALK_GRAPHVIZ)
    crosswalk_sbom(graphviz EPL-1.0 core/layout CROSSWALK_GVC_VERSION)
endif()
if(CROSSWALK_GUI)
    crosswalk_sbom(Qt LGPL-3.0-only ui Qt6_VERSION)
endif()

set(_sbom ${PROJECT_BINARY_DIR}/sbom.spdx.json)
# No date: equal sources and libraries give equal documents.
file(CONFIGURE OUTPUT ${_sbom} @ONLY CONTENT "{
  \"spdxVersion\": \"SPDX-2.3\",
  \"dataLicense\": \"CC0-1.0\",
  \"SPDXID\": \"SPDXRef-DOCUMENT\",
  \"name\": \"crosswalk-${PROJECT_VERSION}\",
  \"documentNamespace\": \"https://crosswalk.invalid/spdx/crosswalk-${PROJECT_VERSION}\",
  \"creationInfo\": {\"created\": \"1970-01-01T00:00:00Z\", \"creators\": [\"Tool: packaging/sbom.cmake\"]},
  \"packages\": [
    {\"SPDXID\": \"SPDXRef-crosswalk\", \"name\": \"crosswalk\", \"versionInfo\": \"${PROJECT_VERSION}\", \"downloadLocation\": \"NOASSERTION\",
     \"filesAnalyzed\": false, \"licenseConcluded\": \"NOASSERTION\", \"licenseDeclared\": \"Apache-2.0\", \"copyrightText\": \"NOASSERTION\"}${_sbom_packages}
  ],
  \"relationships\": [
    {\"spdxElementId\": \"SPDXRef-DOCUMENT\", \"relationshipType\": \"DESCRIBES\", \"relatedSpdxElement\": \"SPDXRef-crosswalk\"}${_sbom_relations}
  ]
}
")
install(FILES ${_sbom} DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT programs)
