"""A checked, lowered program as one file of C11: rules over flat memory."""
