"""Data classes of histories released period by period under changing pseudonyms."""
