"""The steps of the migrations, in order."""
