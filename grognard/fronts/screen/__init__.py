"""The table on the whole screen of a terminal (extra ``tui``): the board always in sight."""
