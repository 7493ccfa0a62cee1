"""Tables as strangers bring them: generated, messy, labelled; nobody in them exists."""
