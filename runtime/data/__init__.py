"""Files in YAML: reading them with places, checking their shapes, telling what is wrong."""
