"""What all benchmark suites share: cases, measurement, tables and files."""
