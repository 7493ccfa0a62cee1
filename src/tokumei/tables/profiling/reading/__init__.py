"""Reads table files of unknown format."""
