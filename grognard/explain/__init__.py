"""Why, why not, what will come: data, for the library, the prompt and the commands alike."""
