"""Games by post: two sides, letters, and no server (``docs/mail.md``)."""
