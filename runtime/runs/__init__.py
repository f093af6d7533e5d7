"""What runs games: bots, series, forecasts, playouts and what must always hold."""
