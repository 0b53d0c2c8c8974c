# SPDX-License-Identifier: MIT
# Writes, from driver_exports.def, what stands between the exported calls and what they do:
#   driver_inner.h   renames the functions of driver_*.c to inner_<symbol>
#   driver_wrap.c    each exported call: who looks on is told, the inner one is called, who looks on is told
# cmake -DLIST=driver_exports.def -DOUT=folder -P wrap.cmake
file(READ "${LIST}" text)
string(REGEX REPLACE "[ \t\n]+" " " text "${text}")
string(REPLACE ";" "," text "${text}")
string(REGEX MATCHALL "DRIVER_EXPORT\\([A-Za-z0-9_]+, \\([^)]*\\)\\)" exports "${text}")
set(renames "/* Written from driver_exports.def. */\n")
set(wraps "/* Written from driver_exports.def. */\n#undef DRIVER_INNER\n#include \"sim/driver_probe.h\"\n")
foreach(export ${exports})
  string(REGEX REPLACE "DRIVER_EXPORT\\(([A-Za-z0-9_]+), \\((.*)\\)\\)" "\\1" symbol "${export}")
  string(REGEX REPLACE "DRIVER_EXPORT\\(([A-Za-z0-9_]+), \\((.*)\\)\\)" "\\2" parameters "${export}")
  set(fields "")
  set(names "")
  if(NOT parameters STREQUAL "void")
    string(REPLACE ", " ";" list "${parameters}")
    foreach(parameter ${list})
      string(REGEX REPLACE ".*[ *]([a-z_0-9A-Z]+)$" "\\1" name "${parameter}")
      string(APPEND fields " ${parameter};")
      list(APPEND names "${name}")
    endforeach()
  endif()
  string(REPLACE ";" ", " values "${names}")
  string(APPEND renames "#define ${symbol} inner_${symbol}\n")
  string(APPEND wraps "\nCUresult inner_${symbol}(${parameters});\n\nCUresult ${symbol}(${parameters})\n{\n"
    "\tstruct driver_frame frame;\n")
  if(fields)
    string(APPEND wraps "\tstruct {${fields} } all = { ${values} };\n"
      "\n\tdriver_enter(&frame, DRIVER_NUMBER_${symbol}, &all);\n")
  else()
    string(APPEND wraps "\n\tdriver_enter(&frame, DRIVER_NUMBER_${symbol}, NULL);\n")
  endif()
  string(APPEND wraps "\treturn driver_leave(&frame, inner_${symbol}(${values}));\n}\n")
endforeach()
file(WRITE "${OUT}/driver_inner.h" "${renames}")
file(WRITE "${OUT}/driver_wrap.c" "${wraps}")
