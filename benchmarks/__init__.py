"""The figures of docs/performance.md, measured: `python -m benchmarks --help`."""
