"""The paper run again: cells, their records, and tables that put measured beside published numbers."""
