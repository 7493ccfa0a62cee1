"""Services of the contest, one file per concern; pages, API and command line call them."""
