# What `cmake --install` puts in place: the program with its data, so that the installed tree needs nothing of this
# one, and the numeric core as a library with a CMake package (find_package(Attn) -> Attn::core).
include(CMakePackageConfigHelpers)
set(CMAKE_INSTALL_DOCDIR ${CMAKE_INSTALL_DATADIR}/doc/attnscope)
set(DATA ${CMAKE_INSTALL_DATADIR}/attnscope)

if(TARGET attnscope)
  install(TARGETS attnscope RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  install(FILES ${CMAKE_BINARY_DIR}/attnscope.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
endif()
install(DIRECTORY ${PROJECT_SOURCE_DIR}/assets DESTINATION ${DATA} PATTERN po EXCLUDE)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/lessons DESTINATION ${DATA} OPTIONAL)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/README.md DESTINATION ${CMAKE_INSTALL_DOCDIR})

# The faces that the screen is set in, with their licences, as Debian packages them.
set(FONT_FOLDERS /usr/share/fonts/opentype/inter /usr/share/fonts/truetype/jetbrains-mono /usr/share/fonts/truetype/wqy)
set(MISSING_FONTS "")
foreach(FONT Inter-Regular.otf Inter-Medium.otf Inter-SemiBold.otf Inter-Bold.otf JetBrainsMono-Regular.ttf
             JetBrainsMono-Bold.ttf wqy-microhei.ttc)
  find_file(FONT_${FONT} ${FONT} PATHS ${FONT_FOLDERS} NO_DEFAULT_PATH)
  mark_as_advanced(FONT_${FONT})
  if(FONT_${FONT})
    install(FILES ${FONT_${FONT}} DESTINATION ${DATA}/assets/fonts)
  else()
    list(APPEND MISSING_FONTS ${FONT})
  endif()
endforeach()
if(MISSING_FONTS)
  message(STATUS "Fonts not found, so not installed with the program: ${MISSING_FONTS}")
endif()
foreach(PACKAGE fonts-inter fonts-jetbrains-mono fonts-wqy-microhei)
  if(EXISTS /usr/share/doc/${PACKAGE}/copyright)
    install(FILES /usr/share/doc/${PACKAGE}/copyright DESTINATION ${DATA}/assets/fonts RENAME ${PACKAGE}-licence.txt)
  endif()
endforeach()
if(EXISTS /usr/share/common-licenses/Apache-2.0)
  install(FILES /usr/share/common-licenses/Apache-2.0 DESTINATION ${DATA}/assets/fonts RENAME Apache-2.0.txt)
endif()

# The core and the base it stands on.
set_target_properties(core PROPERTIES OUTPUT_NAME attn)
set_target_properties(base PROPERTIES OUTPUT_NAME attn_base)
install(TARGETS base core EXPORT AttnTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
foreach(HEADER base/arena base/err core/attn core/explain core/machine core/mask core/network core/position core/readings core/stats core/summary core/tensor core/trace)
  get_filename_component(ROOM ${HEADER} DIRECTORY)
  install(FILES ${PROJECT_SOURCE_DIR}/src/${HEADER}.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/attn/${ROOM})
endforeach()
set(PACKAGE_FOLDER ${CMAKE_INSTALL_LIBDIR}/cmake/Attn)
install(EXPORT AttnTargets NAMESPACE Attn:: DESTINATION ${PACKAGE_FOLDER})
configure_package_config_file(src/AttnConfig.cmake.in ${CMAKE_BINARY_DIR}/AttnConfig.cmake
                              INSTALL_DESTINATION ${PACKAGE_FOLDER})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/AttnConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/AttnConfig.cmake ${CMAKE_BINARY_DIR}/AttnConfigVersion.cmake
        DESTINATION ${PACKAGE_FOLDER})
