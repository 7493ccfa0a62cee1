"""What the command line may ask of pseudonyms."""
