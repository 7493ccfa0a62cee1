"""Evidence for a lawyer: each requirement of the law's rule, checked on a release."""
