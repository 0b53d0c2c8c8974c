# SPDX-License-Identifier: MIT
"""Multiples of a unit."""


def up(number, unit):
    return -(-number // unit) * unit


def down(number, unit):
    return number // unit * unit
