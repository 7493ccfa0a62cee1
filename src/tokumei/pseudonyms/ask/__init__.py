"""What the command line may ask of pseudonyms: one file per command."""
