"""Pages for visitors, teams and organisers."""
