"""What a kind of data gets without saying anything itself: its commands, made from its parts."""
