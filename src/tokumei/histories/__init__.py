"""Purchase histories in which k people become alike."""
