"""What is recalled for a message, and answers from the memory alone."""
