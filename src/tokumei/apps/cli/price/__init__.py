"""`tokumei price`: what a release is worth, and the k-anonymous recoding worth most."""
