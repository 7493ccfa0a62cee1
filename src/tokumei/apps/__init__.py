"""Applications: command line, studio, contest server, prices, papers, and shared HTTP code."""
