"""What sides must not learn (SPEC: secrets): who sees what, whence values come, what is told."""
