"""What must hold: games kept, games at random, rules whose loss a case must notice."""
