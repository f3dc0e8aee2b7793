"""The backend's side of the connection: sessions, requests, events."""
