"""What the command line may ask of tables: one file per command."""
