"""The window's side of the connection: one I/O thread, and the backend as a child."""
