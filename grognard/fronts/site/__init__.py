"""Games on a page that needs no server: the engine runs in the browser."""
