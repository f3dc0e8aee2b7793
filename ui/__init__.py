"""The window of AICO Desktop: a client of the backend that draws and asks, and stores nothing."""
