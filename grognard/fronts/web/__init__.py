"""The table in a browser: a server for whoever plays on this machine."""
