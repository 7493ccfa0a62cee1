"""What servers share."""
