"""What an upload is worth: no database, no clock."""
