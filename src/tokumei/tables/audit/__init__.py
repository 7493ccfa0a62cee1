"""What a release of a table tells about the people in it, whichever tool made it."""
