"""What a contest is: contest.yaml, its presets, and organisers' own parts."""
