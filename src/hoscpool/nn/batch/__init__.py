"""The form in which graphs reach a layer, the checks on the way, and their motif matrices."""
