"""Medians over the rounds, and their ratio."""

import statistics
import sys

with open(sys.argv[1]) as file:
    real, ours = zip(*(map(float, line.split()) for line in file))
real, ours = statistics.median(real), statistics.median(ours)
print(f"median: real {real:.0f} steps/s, ours {ours:.0f} steps/s, ratio {ours / real:.0f}")
