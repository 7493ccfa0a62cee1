"""An anonymizer that is searched for: the pipeline that attacks find least, within bounds."""
