"""What the command line may ask of histories."""
