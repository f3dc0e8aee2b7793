"""Ways in and out besides the socket: imports today; REST, MCP and export later."""
