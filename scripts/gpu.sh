#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# scripts/gpu.sh: lists the NVIDIA hardware of this machine, one line for each sign of it; nothing when
# there is none. Whether it can be used is for cuctx to find out.
set -euo pipefail
shopt -s nullglob

for node in /dev/nvidia*; do
	printf '%s\n' "$node"
done

# A display controller (class 0x03) of NVIDIA's: there even where no driver is loaded.
for device in /sys/bus/pci/devices/*; do
	if [[ $(<"$device/vendor") == 0x10de && $(<"$device/class") == 0x03* ]]; then
		printf 'PCI device %s\n' "${device##*/}"
	fi
done

# Under WSL the GPU is neither; its driver comes from Windows.
if [[ -e /dev/dxg && -e /usr/lib/wsl/lib/libcuda.so.1 ]]; then
	printf '/usr/lib/wsl/lib/libcuda.so.1\n'
fi
