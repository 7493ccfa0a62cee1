"""What a release is still worth and how safe it is: one file per measure."""
