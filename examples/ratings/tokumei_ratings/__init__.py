"""A kind of data in one folder: who rated which film with how many stars."""
