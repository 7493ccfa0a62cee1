"""What a release is worth to advertisers, and the k-anonymous recoding worth most."""
