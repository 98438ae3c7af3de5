"""Joins tables about nodes to a graph: titles, and features made of numbers and categories."""
