"""What sides must not learn (SPEC §9): who sees what, where values come from, and what is told."""
