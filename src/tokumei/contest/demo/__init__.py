"""A contest that plays itself: generated data, and teams of bots that use the public interface."""
