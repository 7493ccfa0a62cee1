"""What can be done to a history, one function each; every front end builds their requests."""
