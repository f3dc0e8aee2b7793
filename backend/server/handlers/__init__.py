"""What each request does: one class a subject, handed its rooms by the composition root."""
