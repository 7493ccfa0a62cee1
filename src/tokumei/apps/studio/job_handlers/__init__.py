"""What the child processes do: each asks the library, and writes what it found."""
