"""The matrices of the equations, in every storage. Each can multiply and return its degrees."""
