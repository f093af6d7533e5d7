"""What any front needs of a game under way: seats, options, answers, hints, news."""
