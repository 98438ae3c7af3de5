"""The matrices of the equations, in every storage: each can multiply and give its degrees."""
