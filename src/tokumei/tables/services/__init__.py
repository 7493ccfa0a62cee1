"""What can be done to a table, one function each; every front end builds their requests."""
