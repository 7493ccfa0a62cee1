"""What people may do, one file per concern; pages, programs and the command line all ask here."""
