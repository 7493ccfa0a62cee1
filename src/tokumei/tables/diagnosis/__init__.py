"""Which methods made a release? Evidence from the original, the release and the claimed link."""
