"""Small widgets that several panes of the window share."""
