"""What the command line may ask of histories: one file per command."""
