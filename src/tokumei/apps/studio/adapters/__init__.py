"""What each kind of data brings to the studio: its words, its recipe, its rows, its attacks."""
