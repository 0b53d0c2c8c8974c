#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs a program whose stderr is a terminal of COLUMNS columns (default 80), and prints what arrives there."""

import fcntl
import os
import pty
import struct
import subprocess
import sys
import termios

near, far = pty.openpty()
fcntl.ioctl(far, termios.TIOCSWINSZ, struct.pack("HHHH", 24, int(os.environ.get("COLUMNS", "80")), 0, 0))
program = subprocess.Popen(sys.argv[1:], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=far)
os.close(far)
while True:
    try:
        piece = os.read(near, 65536)
    except OSError:  # the program has gone
        break
    if not piece:
        break
    sys.stdout.buffer.write(piece)
sys.exit(program.wait())
